"""Chinese for what `save` says: texts of views, then messages."""

TEXTS: dict[str, str] = {
    "A save of this session is running: leftoff resume gives back what it holds.": (
        "本会话正在保存：leftoff resume 会取回其中的内容。"
    ),
    "Nobody is saving this session: what was only said is lost unless it is kept here.": (
        "现在没有人保存本会话：只在对话里说过的内容，不在这里保留就会丢失。"
    ),
    "continue in a new session: {command}": "在新会话中继续：{command}",
    "left for the next session: {path}": "已留给下一个会话：{path}",
    "no longer a next step: {steps}": "不再是下一步：{steps}",
    "nothing new to save in {path}": "{path} 中没有新内容需要保存",
    "nothing was left for the next session": "没有给下一个会话留下记录",
    "saved {path}": "已保存 {path}",
    "the new session {session} in Hapi has the hand-off": (
        "Hapi 中的新会话 {session} 已收到交接内容"
    ),
    "{n} line(s) drafted from the session, each marked as a draft": (
        "{n} 行由会话草拟，均已标为草稿"
    ),
}

MESSAGES: dict[str, str] = {
    'correct or remove "save.{key}"': "请改正或删除 “save.{key}”",
    '"{also}" and "{key}" are the same field': "“{also}” 与 “{key}” 是同一个字段",
    '"{name}" of an entry of "{key}" must be a text': "“{key}” 某一项的 “{name}” 必须是文本",
    '"{key}" is not a field of a save': "“{key}” 不是保存的字段",
    '"{key}" must be a text': "“{key}” 必须是文本",
    "--draft and --no-draft cannot be used together": "--draft 与 --no-draft 不能同时使用",
    "--needs-decision is about a --blocker": "--needs-decision 须与 --blocker 一起使用",
    "Save where the work stands to your thread: in your words, or drafted from the session.": (
        "保存工作进展：写入你的线程，用你的话，或由会话草拟。"
    ),
    "a file that matters": "重要的文件",
    "a next step, in order (repeatable)": "下一步，按先后顺序（可重复）",
    "a rule to keep (repeatable)": "需要遵守的规则（可重复）",
    "also draft from the transcript": "同时由会话记录草拟",
    "a task save is made of notes, not drafted": "任务保存取自笔记，不起草",
    "an empty text says nothing": "空文本没有意义",
    'an entry of "{key}" must be a text, or an object with "text"': (
        "“{key}” 的条目必须是文本，或带有 “text” 的对象"
    ),
    'for example {"note": "...", "next_actions": ["..."]}': (
        '例如 {"note": "...", "next_actions": ["..."]}'
    ),
    "give both": "请同时给出两者",
    "give each behind its --next": "请把每个写在对应的 --next 之后",
    "the state of the tests": "测试状况",
    "key of an operation": "操作的键",
    "leave the option out": "请去掉该选项",
    "name it: --session AGENT/ID": "请指明：--session AGENT/ID",
    "the live session {session} is working on this thread": (
        "运行中的会话 {session} 正在处理这个线程"
    ),
    "to save work of your own, first run {command}": ("若要保存自己的工作，请先运行 {command}"),
    "not called from a session, so nothing waits for the next one; resume the save by name": (
        "不是从会话中调用，因此没有为下一个会话留下记录；请按名称继续这次保存"
    ),
    "not saved: {reason}; its text is all there is": "没有保存：{reason}；只有下面的文本",
    "nothing was left for the next session: {reason}": "没有为下一个会话留下记录：{reason}",
    "one of: {words}": "可选：{words}",
    "save only the words given": "只写入给出的内容",
    "proceeding without lifecycle protection: {reason}": "在没有生命周期保护的情况下继续：{reason}",
    "a command that proves the --next before it (repeatable)": (
        "证明前一个 --next 已完成的命令（可重复）"
    ),
    "save for this session": "为该会话保存",
    "save it --as another format": "请用 --as 保存为其他格式",
    "say which with --name": "请用 --name 指明",
    "standard input is not a JSON object": "标准输入不是 JSON 对象",
    "standard input is not JSON: {reason}": "标准输入不是 JSON：{reason}",
    "task: one row in the ledger for this KEY": "task：同一 KEY 在账本中只记一行",
    "task: the tier that ran, for the ledger": "task：实际运行的模型档位，用于账本",
    "the blockers need a person's decision": "这些阻塞等待人来决定",
    "the file has {n} bytes, more than {most}: it should hold paths, not contents": (
        "文件有 {n} 字节，超过 {most}：应只写路径，不写内容"
    ),
    "the larger unit the work is in": "工作所在的阶段",
    "the save is in no cost ledger: {reason}": "这次保存没有记入成本账本：{reason}",
    "the session has no number in its thread: {reason}": "该会话在线程中没有编号：{reason}",
    "the step within it": "阶段中的步骤",
    "the summary has {n} characters, more than {most}: keep it scannable": (
        "摘要有 {n} 个字符，超过 {most}：请保持一目了然"
    ),
    "the task towards that outcome": "该目标下的任务",
    "there are more --done-when than --next": "--done-when 多于 --next",
    'there is no status "{word}"': "没有状态 “{word}”",
    "an open question (repeatable)": "未决问题（可重复）",
    "what blocks the work (repeatable)": "阻塞事项（可重复）",
    "the outcome the session works towards": "会话工作的目标",
    "where things stand; - reads JSON": "当前进展；- 表示读取 JSON",
    "which thread, checkpoint or skill": "哪个线程、断点或技能",
    "it is not clear whose session this is, so nothing was left for the next one": (
        "无法判断这是谁的会话，所以没有给下一个会话留下记录"
    ),
    "--{option} is for --as task": "--{option} 只用于 --as task",
    "no new session was begun: only a thread under Hapi goes on in one": (
        "没有启动新会话：只有 Hapi 下的线程才会在新会话中继续"
    ),
    "the session's notes were not read: {reason}": "未能读取会话的笔记：{reason}",
    "{field} was not saved: this format has no place for it": (
        "{field} 未保存：该格式没有存放它的位置"
    ),
    "{n} checkpoints are in progress": "有 {n} 个断点正在进行",
    "{n} decisions, more than {most}: `leftoff prune` folds the older ones": (
        "有 {n} 条决定，超过 {most}：`leftoff prune` 会折叠较早的"
    ),
}
