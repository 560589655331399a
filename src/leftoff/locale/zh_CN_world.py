"""Chinese: what is said of files, git and the machine; and parts of other messages."""

MESSAGES = {
    '"{name}" is not a file name': "“{name}” 不是文件名",
    '"{path}" is not a path inside this project': "“{path}” 不是此项目内的路径",
    "(not written: {reason})": "（未写入：{reason}）",
    "a merge on a server never runs it, so merge locally, and run leftoff validate afterwards": (
        "服务器上的合并不会运行它，请在本地合并，之后运行 leftoff validate"
    ),
    "a plain value": "普通值",
    "an array": "数组",
    "another process is writing in {path}; waited {n} s": (
        "另一个进程正在写入 {path}；已等待 {n} 秒"
    ),
    "asks for leftoff's merge driver for some kinds of checkpoints only; {reason}": (
        "只为部分种类的断点启用 leftoff 的合并驱动；{reason}"
    ),
    "asks for leftoff's merge driver, but another command is set up in its place; {reason}": (
        "需要 leftoff 的合并驱动，但它的位置上是另一个命令；{reason}"
    ),
    "asks for leftoff's merge driver, but the Python that ran it is gone; {reason}": (
        "需要 leftoff 的合并驱动，但运行它的 Python 已不在；{reason}"
    ),
    "asks for leftoff's merge driver, which is not set up in this clone; {reason}": (
        "需要 leftoff 的合并驱动，但此克隆没有设置；{reason}"
    ),
    "at an unknown time": "时间未知",
    "cannot {doing} {path}: {reason}": "无法{doing} {path}：{reason}",
    "change": "修改",
    "checkpoint is {kilo}.{tenth}KB (> {most}) — rotate old skill_state telemetry into "
    ".checkpoints/history/": (
        "断点有 {kilo}.{tenth}KB (> {most})——请把旧的 skill_state 遥测数据移入 "
        ".checkpoints/history/"
    ),
    "create": "创建",
    "disk quota exceeded": "超出磁盘配额",
    "expected a value": "应为一个值",
    "expected the end of the file": "应为文件结尾",
    "file exists": "文件已存在",
    "file name too long": "文件名过长",
    "git cannot be asked for a name with a NUL in it": "无法向 git 查询含有 NUL 的名称",
    "git did not return its history in time": "git 未能及时给出历史",
    "git could not be started: {reason}": "git 无法启动：{reason}",
    "git is not installed": "没有安装 git",
    "git does not open a repository that belongs to somebody else: see safe.directory": (
        "git 不打开属于他人的仓库：见 safe.directory"
    ),
    "git {verb} failed with exit code {code}": "git {verb} 失败，退出码 {code}",
    "git {verb} took longer than {n} s": "git {verb} 超过了 {n} 秒",
    "git's HEAD cannot be read": "无法读取 git 的 HEAD",
    "git's packed-refs cannot be read": "无法读取 git 的 packed-refs",
    "health.url must be an http or https address": "health.url 必须是 http 或 https 地址",
    "health.url of a project must be an https address": "项目的 health.url 必须是 https 地址",
    "input/output error": "输入输出错误",
    "install git, or go on without it": "请安装 git，或不用它继续",
    "install leftoff again": "请重新安装 leftoff",
    "is a directory": "是文件夹",
    "is a link that leads outside the project": "是指向项目之外的链接",
    "{path} leads outside the project, by a link": "{path} 经由链接指向项目之外",
    "is a link to nothing": "是指向不存在之物的链接",
    "it is not among the last {n} commits; older ones were not looked at": (
        "不在最近 {n} 个提交之中；更早的没有查看"
    ),
    "its name is not UTF-8 text": "名称不是 UTF-8 文本",
    "larger than {n} MB": "大于 {n} MB",
    "line 1: expected an object, found {part}": "第 1 行：应为对象，实际是{part}",
    "line {n} holds half a character (a surrogate)": "第 {n} 行含有半个字符（代理码位）",
    "lock": "锁定",
    "make it private: mode 0700, owned by you": "请让它只属于你：权限 0700，所有者为你",
    "make room on the disk, then run it again": "请腾出磁盘空间，然后再运行一次",
    "move": "移动",
    "must be {part}": "必须是{part}",
    "name": "名称",
    "no answer: {reason}": "没有应答：{reason}",
    "no commit": "无提交",
    "no space left on device": "磁盘空间不足",
    "no such file or directory": "没有这个文件或文件夹",
    "none": "无",
    "not UTF-8 text (byte 0x{byte})": "不是 UTF-8 文本（字节 0x{byte}）",
    "not a checkpoint of any format that leftoff knows": "不是 leftoff 所知任何格式的断点",
    "not a directory": "不是文件夹",
    "not a note of origin": "不是来源记录",
    "not a regular file": "不是普通文件",
    "null": "null",
    "only http and https addresses are asked": "只查询 http 和 https 地址",
    "operation not permitted": "操作不被允许",
    "permission denied": "权限不足",
    "rank {n}: {reason}": "优先级 {n}：{reason}",
    "read": "读取",
    "read-only file system": "文件系统只读",
    "remove": "移除",
    "run it again when the other program is done": "请等另一个程序完成后再运行",
    "the Python that runs leftoff is not known": "无法得知运行 leftoff 的 Python",
    "the answer has no {names}": "应答中没有 {names}",
    "the answer is larger than {n} KB": "应答大于 {n} KB",
    "the answer is not JSON": "应答不是 JSON",
    "the answer is {code} {text}": "应答是 {code} {text}",
    "the command could not be started: {reason}": "命令无法启动：{reason}",
    "the document {reason}": "文档{reason}",
    "the file ends before it is complete": "文件不完整就结束了",
    "the other side": "另一方",
    "the settings cannot be read: {reason}": "无法读取设置：{reason}",
    "the {name} at the root stands for another file; it is only read": (
        "根目录的 {name} 是另一个文件的别名；只能读取"
    ),
    "there is no commit yet": "还没有提交",
    "there is no note of origin at {path}": "{path} 处没有来源记录",
    "there is no {path}": "没有 {path}",
    "there was no time to ask git about everything": "时间不够，未能向 git 查询全部内容",
    "this is a new checkpoint; {reason}": "这是新断点；{reason}",
    "this is a shallow clone, which lacks most of the history": "这是浅克隆，缺少大部分历史",
    "too large, or nested too deeply": "过大，或嵌套过深",
    "too many levels of symbolic links": "符号链接层数过多",
    "too many open files": "打开的文件过多",
    "use": "使用",
    "write": "写入",
    "your own settings may name any": "你自己的设置可以指定任意地址",
    "{name} is brief ({n} words, recommend >= {least})": (
        "{name} 过于简短（{n} 个词，建议 >= {least}）"
    ),
    "{name} must be a table": "{name} 必须是表",
    "{path} can be written by others, so what it says about trust cannot be used": (
        "他人可以写入 {path}，因此其中关于信任的内容不能采用"
    ),
    "{path} changed while it was edited": "{path} 在编辑期间被改动",
    "would not be valid: {reason}": "写入后将无效：{reason}",
    "would not be valid: {reason} (and {more} more)": "写入后将无效：{reason}（另有 {more} 项）",
    "{path} exists again; it was left as it is": "{path} 又已存在；它保持原样",
    "{path} exists; it was left as it is": "{path} 已存在；它保持原样",
    "of a later version of its format": "属于该格式的更新版本",
    "{path} would be of a later version of its format; nothing was changed": (
        "{path} 会变为该格式的更新版本；没有改动任何内容"
    ),
    "leave its version as it is": "请不要更改它的版本",
    "{path} is of a later version of its format; this leftoff can only read it": (
        "{path} 属于该格式的更新版本；这个 leftoff 只能读取它"
    ),
    "{path} is not a regular file": "{path} 不是普通文件",
    "{path} keeps changing while it is written; nothing was changed here": (
        "{path} 在写入时不断被改动；这里没有做任何改动"
    ),
    "{path}, or a folder above it, became a link in the meantime; nothing was written": (
        "{path} 或其上级文件夹在此期间变成了链接；没有写入任何内容"
    ),
    "look at where it leads, then run it again": "先看它指向哪里，再重新运行",
    "{table}.{key} must be a list of names": "{table}.{key} 必须是名称列表",
    "there are too many saves of one day": "同一天的保存太多",
    "hooks.block of a project cannot be true": "项目的 hooks.block 不能为 true",
    "your own settings may switch it on": "可以在你自己的设置中启用",
    "context.block of a project cannot be set": "项目不能设置 context.block",
    "your own settings may set it": "可以在你自己的设置中设置",
    "the sessions in it are not listed: it cannot be read": "其中的会话未列出：无法读取",
    "write more of the id": "请写出更长的会话 id",
    "remove leftoff's part from the client's settings by hand": (
        "请手动从客户端设置中移除 leftoff 的内容"
    ),
    "fix the client's settings by hand, then run it again": ("请手动修正客户端设置，然后重新运行"),
    "windows of a project cannot be set": "项目设置中不能设置 windows",
    "{key} must be full, orient or off": "{key} 必须为 full、orient 或 off",
    "{key} must be a number of tokens": "{key} 必须是 token 数",
    'there is no setting "{key}"': "没有设置 “{key}”",
    'there is no table "{name}"; it has no effect': "没有表 “{name}”；其内容未生效",
    '"{name}" is not a session': "“{name}” 不是会话",
    "the session's id is empty": "会话 id 为空",
    '"{name}" matches {n} sessions': "“{name}” 匹配 {n} 个会话",
    "several sessions could be the one that calls": "可能有几个会话在发起调用",
    "name it with --session AGENT/ID": "请用 --session AGENT/ID 指定",
    "write it as AGENT/ID": "请写成 AGENT/ID",
    'there is no session "{name}"': "没有会话 “{name}”",
    'leftoff knows no client "{name}"': "leftoff 不认识客户端 “{name}”",
    "one of {names}": "可用：{names}",
    "{name} does not call leftoff at {events}": "{name} 在 {events} 时不调用 leftoff",
    "{name} runs no hook until it is trusted: {events}": "{name} 在信任之前不运行钩子：{events}",
    "{name} runs no hook that changed since it was trusted: {events}": (
        "{name} 不运行信任之后改动过的钩子：{events}"
    ),
    "start {name} in a terminal, and trust the hooks it shows": (
        "请在终端启动 {name}，并信任它显示的钩子"
    ),
    "hook runs today: {n}; median {middle} ms, 99th percentile {most} ms, "
    "worst {worst} ms ({event})": (
        "钩子今天运行 {n} 次：中位 {middle} 毫秒，99% 在 {most} 毫秒内，"
        "最慢 {worst} 毫秒（{event}）"
    ),
    "hook failures today: {n}, the last {name} {event}: {what}": (
        "钩子今天失败 {n} 次，最近一次是 {name} 的 {event}：{what}"
    ),
    "not a ledger of setup": "不是设置的账本",
    "fix it or move it elsewhere; the clients' settings can be edited by hand": (
        "请改正或移到别处；客户端的设置可以手工编辑"
    ),
    "{path} has just been created": "{path} 刚刚被创建",
    "what setup kept of it is damaged": "设置时保存的副本已损坏",
    '"{name}" is not an object': "“{name}” 不是对象",
    '"hooks.{name}" is not a list': "“hooks.{name}” 不是列表",
    "line {line}: {part}, which {name} cannot read": "第 {line} 行：{part}，{name} 无法读取",
    "it begins with a byte order mark": "以字节顺序标记开头",
    "it has a comma too many": "多了一个逗号",
    "it has a comment": "含有注释",
    "it is not a JSON object": "不是 JSON 对象",
    "it is not leftoff's": "不是 leftoff 的",
    "move it elsewhere, then run it again": "请移到别处后再运行",
}
