"""Chinese: the first minute: what `leftoff` says where nobody saved, the demo, help, completion."""

TEXTS = {
    "Before that": "在此之前",
    "By hand": "手动",
    "Changed": "改动",
    "From now on": "从现在起",
    "Go on anywhere": "在任何地方继续",
    "Go on there": "在原处继续",
    "Left for you": "留给你的",
    "No checkpoints here yet, and no session of an agent worked in this project.": (
        "这里还没有断点，也没有代理会话在这个项目中工作过。"
    ),
    "Nothing is open here: {n} archived, see leftoff list.": (
        "这里没有进行中的断点：已归档 {n} 个，见 leftoff list。"
    ),
    "Other projects": "其他项目",
    "Said last": "最后说",
    "See all of it": "查看全部",
    "See how it works": "看看它如何工作",
    "Uncommitted": "未提交",
    "What agents did here without a save: leftoff status; a draft of it: leftoff recover": (
        "代理在这里做过但未保存的工作：leftoff status；为其起草断点：leftoff recover"
    ),
    "Where you left off": "你上次停在这里",
    "With your agents": "配合你的代理",
    "leftoff setup: every new session begins with this, checked": (
        "leftoff setup：每个新会话都会以此开始，并经过核查"
    ),
    "leftoff setup: sessions are noted and begin with a brief": (
        "leftoff setup：记录会话，并让新会话以简报开始"
    ),
    'leftoff save "what you are at, and what is next"': "leftoff save “正在做什么，下一步是什么”",
    "nothing": "无",
    "still running": "仍在运行",
    "{command}, then leftoff resume": "{command}，然后 leftoff resume",
    "{files} and {n} more": "{files} 等，另有 {n} 个",
}

MESSAGES: dict[str, str] = {}
