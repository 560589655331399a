"""Chinese for what `save` says: texts of views, then messages."""

TEXTS: dict[str, str] = {
    "A save of this session is running: leftoff resume gives back what it holds.": (
        "本会话正在保存：leftoff resume 会取回其中的内容。"
    ),
    "Nobody saves this session now: what only was said is lost unless it is kept here.": (
        "现在没有人保存本会话：只在对话里说过的内容，不在这里保留就会丢失。"
    ),
    "nothing was left for the next session": "没有给下一个会话留下记录",
}

MESSAGES: dict[str, str] = {
    "key of an operation": "操作的键",
    "name it: --session AGENT/ID": "请指明：--session AGENT/ID",
    "not saved: {reason}; its text is all there is": "没有保存：{reason}；只有下面的文本",
    "proceeding without lifecycle protection: {reason}": "在没有生命周期保护的情况下继续：{reason}",
    "the save is in no cost ledger: {reason}": "这次保存没有记入成本账本：{reason}",
    "whose session this is cannot be told, so nothing was left for the next one": (
        "无法判断这是谁的会话，所以没有给下一个会话留下记录"
    ),
}
