"""Chinese for what `team`, and `--team` of other commands, say: texts of views, then messages."""

TEXTS: dict[str, str] = {
    "pushed by {name}": "由 {name} 推送",
    "Who": "谁",
    "The team store has no session here.": "团队库中没有这里的会话。",
    "(there are older ones: --since shows those after a time)": (
        "（还有更早的：--since 显示某个时间之后的）"
    ),
    "The team store {store} is of version {version} now.": "团队库 {store} 现在是版本 {version}。",
    "The team store {store} is of version {version} already.": (
        "团队库 {store} 已经是版本 {version}。"
    ),
    "For each person: CREATE ROLE ann LOGIN PASSWORD ...;": (
        "为每个人：CREATE ROLE ann LOGIN PASSWORD ...;"
    ),
    "then: GRANT leftoff_member TO ann;": "然后：GRANT leftoff_member TO ann;",
    "{known} checkpoint(s) of others here, {new} new or changed, {gone} gone.": (
        "这里有别人的 {known} 个断点，{new} 个是新的或有变化，{gone} 个已撤走。"
    ),
    "To see one: leftoff resume OWNER/NAME": "查看其中一个：leftoff resume OWNER/NAME",
    "The team store has everything already.": "团队库已有全部内容。",
    "Sent: {sessions} session(s), {texts} passage(s), {documents} checkpoint(s), "
    "{evidence} check(s).": (
        "已发送：{sessions} 个会话、{texts} 段文字、{documents} 个断点、{evidence} 次验证。"
    ),
    "Withdrawn: {n} row(s).": "已撤回：{n} 行。",
    "nothing is pushed": "什么都不推送",
    "statistics are pushed, and checkpoints that only you can see": (
        "推送统计数字，断点只给你自己看"
    ),
    "statistics and checkpoints are pushed": "推送统计数字和断点",
    "statistics, checkpoints and conversations are pushed, all redacted": (
        "推送统计数字、断点和对话，全部先脱敏"
    ),
    "What is no longer shared leaves the store with the next push.": (
        "不再共享的内容会在下次推送时离开团队库。"
    ),
    "Team store: {store}": "团队库：{store}",
    "This project: {share}": "本项目：{share}",
    "It does not answer, or not to you; this is what is known here.": (
        "它没有应答，或不应答你；以下是本机所知。"
    ),
    "You are {who} there.": "你在那里是 {who}。",
    "Yours: {stats} session(s), {texts} passage(s), {papers} checkpoint(s), {checks} check(s).": (
        "你的：{stats} 个会话、{texts} 段文字、{papers} 个断点、{checks} 次验证。"
    ),
    "In this project: {n} member(s).": "本项目中：{n} 人。",
    "Pulled for this project: {n} checkpoint(s).": "为本项目拉取：{n} 个断点。",
    "Made from what {owner} pushed:": "由 {owner} 推送的内容生成：",
    "Merged with what {owner} pushed:": "与 {owner} 推送的内容合并：",
    "Then: leftoff resume {name}": "然后：leftoff resume {name}",
}

MESSAGES: dict[str, str] = {
    "Share statistics, checkpoints and texts with a team, through your own PostgreSQL.": (
        "通过你们自己的 PostgreSQL 与团队共享统计数字、断点和文字。"
    ),
    "share: {levels}; take: the checkpoint": "share：{levels}；take：断点",
    "push: all projects on this machine": "push：本机的所有项目",
    "push: also what was sent before, if it was lost there": (
        "push：以前发送过、但那里丢失了的也再发送"
    ),
    "share: only this thread": "share：只对这个线程",
    "share: private, team or public": "share：private（仅自己）、team（团队）或 public（公开）",
    "also what other team members left": "也看团队中别人留下的",
    "in what the team shares with you": "在团队与你共享的内容中",
    "list: of all members, from the team store": "list：所有成员的，来自团队库",
    "what other team members left is not taken here": "团队中别人留下的不能在这里认领",
    "leave --team out, or take it first: leftoff team take OWNER/NAME": (
        "去掉 --team，或先取过来：leftoff team take OWNER/NAME"
    ),
    "what was pulled before is shown": "显示的是以前拉取的内容",
    "session list --team takes neither --all nor --outcome": (
        "session list --team 不接受 --all 和 --outcome"
    ),
    "share needs a level": "share 需要一个级别",
    'share cannot be "{level}"': "share 不能是 “{level}”",
    "take needs a checkpoint": "take 需要一个断点",
    "leftoff team pull lists them as OWNER/NAME": "leftoff team pull 以 OWNER/NAME 列出它们",
    'nothing named "{name}" was pulled': "没有拉取过名为 “{name}” 的内容",
    "leftoff team pull lists what there is": "leftoff team pull 列出已有的",
    "{id} was pushed by somebody: it is not put aside here": "{id} 是别人推送的：不能在这里搁置",
    "leave --restart out": "请去掉 --restart",
    "unknown choices of what to share; nothing is pushed for them: {n}": (
        "有 {n} 个共享选择无法识别：与它们有关的内容都不推送"
    ),
    "they are kept for the version that made them; leftoff team share chooses again": (
        "它们会保留给做出选择的那个版本；用 leftoff team share 重新选择"
    ),
    "it was not pushed: {reason}": "没有推送：{reason}",
    "the team store cannot hold its id; there it is called {id}": (
        "团队库无法存放它的 id：在那里叫 {id}"
    ),
    "its conversation was not pushed completely: {reason}": "会话内容没有完整推送：{reason}",
    "the next push reads it again": "下次推送会重新读取",
    "the transcript became shorter while it was read": "会话记录在读取时变短了",
    "{path} keeps changing in the team store": "{path} 在团队库中不断变化",
    "run it again when the other machine is done": "等另一台机器完成后再运行",
    "there is no team store: LEFTOFF_TEAM_URL is not set": "没有团队库：未设置 LEFTOFF_TEAM_URL",
    "set it to postgresql://USER@HOST/DATABASE; see docs/team.md": (
        "请设为 postgresql://USER@HOST/DATABASE；见 docs/team.md"
    ),
    "LEFTOFF_TEAM_URL is not an address of PostgreSQL": "LEFTOFF_TEAM_URL 不是 PostgreSQL 的地址",
    "write it as postgresql://USER@HOST/DATABASE": "请写成 postgresql://USER@HOST/DATABASE",
    "the team store is PostgreSQL {version}; it has to be {oldest} or newer": (
        "团队库是 PostgreSQL {version}；需要 {oldest} 或更新版本"
    ),
    "ask its administrator for a newer one": "请向管理员要求更新的版本",
    "the team store refuses that: {reason}": "团队库拒绝：{reason}",
    "its administrator says who may do what: docs/team.md": "由管理员决定权限：docs/team.md",
    "the team store does not answer: {reason}": "团队库没有应答：{reason}",
    "nothing is lost: run it again when the server answers": (
        "没有丢失任何内容：服务器应答后再运行一次"
    ),
    "the team store says: {reason}": "团队库说：{reason}",
    "the team store needs the package psycopg": "团队库需要 psycopg 包",
    "install it: pip install 'leftoff[team]'": "请安装：pip install 'leftoff[team]'",
    "{path} is larger than {n} MB": "{path} 大于 {n} MB",
    "what {owner} pushed was left out: {reason}": "{owner} 推送的内容被略过：{reason}",
    "it is not a document": "它不是文档",
    "the role {role} can log in; the owner of the store must not": (
        "角色 {role} 可以登录；库的所有者不得登录"
    ),
    "take LOGIN from it, then run it again": "请取消它的 LOGIN，然后再运行",
    "there is no team store in this database": "这个数据库中没有团队库",
    "its administrator can create one: leftoff team init": "由管理员创建：leftoff team init",
    "the team store is of version {found}, and this leftoff knows {known}": (
        "团队库是版本 {found}，而本 leftoff 只认识 {known}"
    ),
    "install a newer leftoff; nothing was changed": "请安装更新的 leftoff；没有改动任何内容",
    "the team store is of version {found}, and this leftoff needs {known}": (
        "团队库是版本 {found}，而本 leftoff 需要 {known}"
    ),
    "its administrator can upgrade it: leftoff team migrate": "由管理员升级：leftoff team migrate",
    "{who} bypasses the rules of the store, so it cannot be a member": (
        "{who} 不受团队库规则约束，因此不能是成员"
    ),
    "connect with a role of your own: docs/team.md": "请用你自己的角色连接：docs/team.md",
    "{who} is not a member of the team store": "{who} 不是团队库的成员",
    "its administrator has to run: GRANT {member} TO {name}": (
        "由管理员执行：GRANT {member} TO {name}"
    ),
    "the choices of what to share cannot be read, so nothing is pushed": (
        "无法读取共享的选择，因此什么都没有推送"
    ),
    "choose again with leftoff team share, once this file is moved away": (
        "请先移走这个文件，再用 leftoff team share 重新选择"
    ),
}
