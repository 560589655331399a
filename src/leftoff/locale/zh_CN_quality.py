"""Chinese for what `bench-resume` says: texts of views, then messages."""

TEXTS: dict[str, str] = {
    "At {budget} tokens: {share} of the facts, {times} times as many as {best}.": (
        "{budget} 个 token 时：保留 {share} 的事实，是{best}的 {times} 倍。"
    ),
    "At {budget} tokens: {share} of the facts; {best} has none.": (
        "{budget} 个 token 时：保留 {share} 的事实；{best}一条也没有。"
    ),
    "Budget": "预算",
    "Facts: what must survive, such as intent, decisions, steps, files, failures, landed work.": (
        "事实指必须保留的内容：目标、决定、规则、未完成的步骤、文件、失败的命令、已合入的工作。"
    ),
    "Facts kept": "保留的事实",
    "Share": "比例",
    "Stale: what git or the files contradict. Tokens: approximate, per piece of work.": (
        "过时指与 git 或文件相矛盾的内容。token 为每项工作的约数。"
    ),
    "Stale shown as true": "把过时的说成真的",
    "There is nothing to measure: no checkpoint, and no session that left work.": (
        "没有可测量的内容：没有断点，也没有留下工作的会话。"
    ),
    "Source": "来源",
    "What nobody saved: {n} session(s), through recover": "无人保存的：{n} 个会话，经由 recover",
    "What was saved: {n} checkpoint(s), through resume": "已保存的：{n} 个断点，经由 resume",
    "a compaction's summary": "压缩摘要",
    "the brief of leftoff": "leftoff 的简报",
    "the document from its top": "从头读文档",
    "the transcript's end": "会话记录的末尾",
}
MESSAGES: dict[str, str] = {
    "Measure how much of what matters reaches a new session, and what that costs.": (
        "测量重要内容有多少能传到新会话，以及代价多少。"
    ),
    "how many of the last unsaved sessions (default: {most})": (
        "最近多少个无人保存的会话（默认：{most}）"
    ),
}
