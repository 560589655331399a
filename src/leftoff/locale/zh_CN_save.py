"""Chinese for what `save` says: texts of views, then messages."""

TEXTS: dict[str, str] = {
    "A save of this session is running: leftoff resume gives back what it holds.": (
        "本会话正在保存：leftoff resume 会取回其中的内容。"
    ),
    "Nobody saves this session now: what only was said is lost unless it is kept here.": (
        "现在没有人保存本会话：只在对话里说过的内容，不在这里保留就会丢失。"
    ),
}

MESSAGES: dict[str, str] = {
    "proceeding without lifecycle protection: {reason}": "在没有生命周期保护的情况下继续：{reason}",
}
