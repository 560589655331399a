"""Chinese for what skills, packages and their setup say: texts of views, then messages."""

TEXTS: dict[str, str] = {}

MESSAGES: dict[str, str] = {
    "For skills: find the verb that a person's words mean, and the document to read first.": (
        "供技能使用：找出一个人的话对应的命令，以及要先读的文档。"
    ),
    "route or docs": "route 或 docs",
    "route: the words of the person; docs: the topic or mode": (
        "route：此人说的话；docs：主题或模式"
    ),
    'there is no document "{name}"': "没有文档 “{name}”",
    'there is no document "{name}"; did you mean "{near}"?': (
        "没有文档 “{name}”；你是指 “{near}” 吗？"
    ),
    "known topics: {words}": "已知的主题：{words}",
    '"{text}" means no verb; did you mean "{near}"?': (
        "“{text}” 不对应任何命令；你是指 “{near}” 吗？"
    ),
}
