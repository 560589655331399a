"""Chinese for what `bench-resume` says: texts of views, then messages."""

TEXTS: dict[str, str] = {
    "Budget": "预算",
    "Facts kept": "保留的事实",
    "Share": "比例",
    "Stale told as true": "把过时的说成真的",
    "There is nothing to measure: no checkpoint, and no session that left work.": (
        "没有可测量的内容：没有断点，也没有留下工作的会话。"
    ),
    "Told by": "讲述者",
    "Tokens": "令牌",
    "Tokens are about so many for each work; see docs/benchmarks.md.": (
        "令牌为每项工作的约数；见 docs/benchmarks.md。"
    ),
    "Works": "工作数",
    "a compaction's summary": "压缩摘要",
    "the brief of leftoff": "leftoff 的简报",
    "the document from its top": "从头读文档",
    "the transcript's end": "会话记录的末尾",
}
MESSAGES: dict[str, str] = {
    "Measure how much of what must survive a new session would be told, and at what price.": (
        "测量新会话能得知多少必须保留的内容，以及花费多少。"
    ),
    "how many of the last sessions that nobody saved (default: {most})": (
        "最近多少个无人保存的会话（默认：{most}）"
    ),
    "one checkpoint (default: all)": "一个断点（默认：全部）",
}
