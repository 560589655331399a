"""Chinese for what `hapi` says: texts of views, then messages."""

TEXTS: dict[str, str] = {
    "You go on with the thread {thread}: {about}": "你接着做线程 {thread}：{about}",
    "You do not start from zero. Read this first:": "你不是从零开始的。请先读：",
    "{path} names the thread of this folder.": "{path} 写着本文件夹的线程。",
    "{path} is your memory: what was done and decided, and what is next.": (
        "{path} 是你的记忆入口：做了什么、定了什么、下一步是什么。"
    ),
    "{command} gives it checked against git, and puts this session on the thread.": (
        "{command} 给出与 git 核对过的内容，并把本会话绑定到该线程。"
    ),
    "git status, git log and git diff show what is really there.": (
        "git status、git log 和 git diff 显示实际状态。"
    ),
    "No step is left open: ask the user what comes next.": (
        "没有未完成的步骤：请问用户接下来做什么。"
    ),
    "First step: {step}": "第一步：{step}",
    "How to work:": "执行规则：",
    "Begin with the first step at once; do not ask whether to begin.": (
        "立即从第一步开始，不要问是否开始。"
    ),
    "When a step is done, record it (leftoff done) and begin the next without waiting.": (
        "完成一步后记录下来（leftoff done），不等确认就开始下一步。"
    ),
    "Stop and ask the user where only a person can decide.": (
        "遇到只有人能决定的事，停下来用中文问用户。"
    ),
    "Stop and report an error that is still there after a retry.": (
        "重试后仍然存在的错误，停下来报告。"
    ),
    "After {n} steps stop, say how many are done and how many are left, and wait.": (
        "做满 {n} 步就停下，说明完成了几步、还剩几步，然后等待。"
    ),
    "Stop at once when the user says 停, 暂停 or stop.": "用户说 停、暂停 或 stop 时立即停止。",
    "When all steps are done, print {mark}; not before.": "所有步骤完成后才输出 {mark}。",
    "Never start another session by yourself.": "绝不要自己启动另一个会话。",
    "The session before is archived only if the user wants it: leftoff thread archive.": (
        "只有用户要求时才归档上一个会话：leftoff thread archive。"
    ),
}

MESSAGES: dict[str, str] = {
    "your tools, comma-separated; mcp__hapi__* means Hapi": (
        "你有的工具，用逗号分隔：有 mcp__hapi__* 即在 Hapi 中"
    ),
    "under Hapi: whether to continue in a new session": "在 Hapi 中：是否在新会话中继续",
    "under Hapi: where the new session runs": "在 Hapi 中：新会话在哪台机器上运行",
    "Go on in a new session of Hapi?": "要在 Hapi 的新会话中继续吗？",
    "yes: it gets the hand-off": "是：它会收到交接消息",
    "no: only save": "否：只保存",
    "On which machine should the new session run?": "新会话应在哪台机器上运行？",
    "no new session in Hapi: {reason}": "没有在 Hapi 中创建新会话：{reason}",
    "the new session {session} did not get the hand-off: {reason}": (
        "新会话 {session} 没有收到交接消息：{reason}"
    ),
    "the new session {session} is not in thread.json: {reason}": (
        "新会话 {session} 没有写入 thread.json：{reason}"
    ),
    "a conversation that Hapi keeps can only be read under Hapi": "Hapi 中的对话只能在 Hapi 中取得",
    "archive it from a session under Hapi": "请在 Hapi 的会话中归档",
    'the machine "{name}" is not online': "机器 “{name}” 不在线",
    "online: {names}": "在线：{names}",
    "no machine is online": "没有机器在线",
    "start Hapi's runner on one": "请在一台机器上启动 Hapi 的 runner",
    "the hub does not accept the token": "hub 不接受这个令牌",
    "CLI_API_TOKEN, or cliApiToken in Hapi's settings.json, has to be the hub's": (
        "CLI_API_TOKEN 或 Hapi 的 settings.json 中的 cliApiToken 必须是 hub 的令牌"
    ),
    "the hub gave no login": "hub 没有给出登录凭证",
    "look at the hub, then run it again": "请查看 hub，然后再运行一次",
    "the hub does not have it: {reason}": "hub 中没有它：{reason}",
    "that is not an id of Hapi": "这不是 Hapi 的 id",
    "the session is not active": "会话没有在运行",
    "the hub answered {status}: {said}": "hub 的应答是 {status}：{said}",
    "the hub cannot be asked that way": "无法这样询问 hub",
    "the answer of the hub is larger than {n} MB": "hub 的应答大于 {n} MB",
    "the hub does not answer: {reason}": "hub 没有应答：{reason}",
    "check that the hub is running; HAPI_API_URL names its address": (
        "请看 hub 是否在运行；HAPI_API_URL 是它的地址"
    ),
    "there is no token for Hapi": "没有 Hapi 的令牌",
    "set CLI_API_TOKEN, or start the hub once: it keeps one in its settings.json": (
        "请设置 CLI_API_TOKEN，或先启动一次 hub：它会把令牌存入 settings.json"
    ),
    "HAPI_API_URL is not an address": "HAPI_API_URL 不是地址",
    "write it as http://127.0.0.1:3006": "请写成 http://127.0.0.1:3006",
    "Hapi did not start the session: {reason}": "Hapi 没有启动会话：{reason}",
    "the session is not active after {n} s": "{n} 秒后会话仍未运行",
    "the conversation changes while it is read": "对话在读取时发生了变化",
    "the hub gives the same page again and again": "hub 反复给出同一页",
    "the conversation has more than {n} messages": "对话超过 {n} 条消息",
    "the hub names no place where the page before begins": "hub 没有说明上一页从哪里开始",
}
