"""Chinese for what skills, packages and their setup say: texts of views, then messages."""

TEXTS: dict[str, str] = {
    "launcher written: {path}": "已写入它调用的脚本：{path}",
    "launcher would be written: {path}": "将写入它调用的脚本：{path}",
    "skills added: {paths}": "已添加技能：{paths}",
    "skills would be added: {paths}": "将添加技能：{paths}",
    "skills renewed: {paths}": "已更新技能：{paths}",
    "skills would be renewed: {paths}": "将更新技能：{paths}",
    "skills are already there: {paths}": "技能已在那里：{paths}",
    "skills that are not as leftoff wrote them stay as they are: {paths}": (
        "与 leftoff 所写不同的技能保持原样：{paths}"
    ),
}

MESSAGES: dict[str, str] = {
    "{title} calls leftoff through its plugin": "{title} 通过插件调用 leftoff",
    "{title} calls leftoff through the hooks of setup": "{title} 通过 setup 的钩子调用 leftoff",
    "{title} calls leftoff through its plugin and the hooks in {paths}": (
        "{title} 既通过插件、又通过 {paths} 中的钩子调用 leftoff"
    ),
    "{title} runs none of the hooks in this file: {key} is {value}": (
        "{title} 不运行此文件中的任何钩子：{key} 为 {value}"
    ),
    "{title} runs no hook, and so does not call leftoff: {key} is {value}": (
        "{title} 不运行任何钩子，因此不会调用 leftoff：{key} 为 {value}"
    ),
    "set {key} to {value} there, then start a new session": (
        "在那里把 {key} 设为 {value}，然后开始新会话"
    ),
    'keep one: switch the plugin off, or run "leftoff uninstall", then "leftoff setup"': (
        "只留一个：关闭插件，或先运行 “leftoff uninstall” 再运行 “leftoff setup”"
    ),
    "leftoff's plugin for {title} is on, but what it calls is not set up": (
        "{title} 的 leftoff 插件已启用，但它要调用的脚本没有安装"
    ),
    "also put the skills into each client's folder": "同时把技能放入各客户端的文件夹",
    "For skills: find the command that a person's words ask for, and the document to read first.": (
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
    '"{text}" matches no verb; did you mean "{near}"?': (
        "“{text}” 不对应任何命令；你是指 “{near}” 吗？"
    ),
}
