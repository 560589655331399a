"""Chinese: the help of the commands and of their arguments."""

MESSAGES = {
    "%%A: our version; the result goes here": "%%A：我方版本；结果写在这里",
    "%%B: their version": "%%B：对方版本",
    "%%O: the common ancestor": "%%O：共同祖先",
    "%%P: where it belongs in the project": "%%P：它在项目中的位置",
    "Append a delta to a Markdown checkpoint: what changed, which files, since when.": (
        "为 Markdown 断点追加一条增量：改了什么、哪些文件、自何时起。"
    ),
    "Archive a checkpoint and start fresh (skills: to .checkpoints/history).": (
        "归档断点并重新开始（技能断点移至 .checkpoints/history）。"
    ),
    "Start a checkpoint that diverges from another one and carries over what still holds.": (
        "从另一个断点分出新断点，并沿用仍然成立的内容。"
    ),
    "Change fields of a checkpoint: replace, append, or set JSON, on dotted paths.": (
        "修改断点的字段：替换、追加或设为 JSON，路径用点号分隔。"
    ),
    "Check documents against the rules of their formats (exit 1 on errors).": (
        "按各自格式的规则检查文档（有错误时退出码为 1）。"
    ),
    "Complete a next action: the first, or one by number, id or text.": (
        "完成一个下一步行动：第一个，或按序号、id、文本指定。"
    ),
    "Draw the lineage of all checkpoints, or compare two of them field by field.": (
        "画出所有断点的谱系，或逐字段比较两个断点。"
    ),
    "Generate the INDEX.md of Markdown checkpoints, or check that it is up to date.": (
        "生成 Markdown 断点的 INDEX.md，或检查它是否最新。"
    ),
    "List the checkpoints of all formats, including archived ones.": (
        "列出所有格式的全部断点，包括已归档的。"
    ),
    "Merge three versions of a checkpoint by field, as git's merge driver (0 merged, 1 not).": (
        "作为 git 的合并驱动，按字段合并断点的三个版本（0 已合并，1 未合并）。"
    ),
    "Pick up where work was left off: a checked brief of one checkpoint.": (
        "从上次停下的地方继续：一个断点的简报，经过核查。"
    ),
    "Prepare a project (.checkpoints with a README), or start a checkpoint NAME.": (
        "准备项目（.checkpoints 及其 README），或开始断点 NAME。"
    ),
    "Print a checkpoint exactly as it is on disk.": "原样打印磁盘上的断点。",
    "Report what drifted or broke, worst first, and how to fix it (exit 1 on errors).": (
        "报告偏离或损坏之处，最严重的在前，并给出处理办法（有错误时退出码为 1）。"
    ),
    "Show the one thing to do now, and why; work that has already landed is skipped.": (
        "说出现在最该做的一件事及其原因；已合入的会跳过。"
    ),
    "Show or set the current Markdown checkpoint.": "显示或设置当前的 Markdown 断点。",
    "Show the commands that documents name, and approve them (only a person at a terminal may).": (
        "显示文档指定的命令并批准它们：只能由终端前的人操作。"
    ),
    "Show what archived checkpoints taught, newest first.": "显示已归档断点的心得，最新的在前。",
    "Show where work was left off: every checkpoint, most urgent first.": (
        "显示工作停在哪里：所有断点，最紧急的在前。"
    ),
    "Write a checkpoint in another format; lists what that format cannot hold.": (
        "把断点写成另一种格式，并列出该格式无法保存的内容。"
    ),
    "a decision (repeatable)": "一项决定（可重复）",
    "a file (repeatable)": "一个文件（可重复）",
    "a learning (repeatable)": "一条心得（可重复）",
    "a next action (repeatable)": "一个下一步行动（可重复）",
    "a step whose state changed (repeatable)": "一个状态有变的步骤（可重复）",
    "about how many tokens (default: {n})": "大约多少 token（默认：{n}）",
    "active and archived (the default)": "活动的与已归档的（默认）",
    "add a CI step that validates": "添加执行 validate 的 CI 步骤",
    "add scripts to package.json": "在 package.json 中添加脚本",
    "allow an unknown top-level key": "允许未知的顶层键",
    "even if descendants are active": "即使仍有活动的后代",
    "approve the command with this id": "批准此 id 的命令",
    "archived ones too, all with details": "包括已归档的，全部显示详情",
    "ask health.url what runs there": "向 health.url 查询正在运行的版本",
    "continue without asking": "不询问，直接继续",
    "at most N blocks": "最多 N 段",
    "begin this checkpoint": "开始这个断点",
    "bring the last one back": "恢复上一个",
    "carry out the plan with this id": "执行此 id 的计划",
    "carry over from this one": "沿用这个断点的内容",
    "details only for what changed since T (or 2d)": "只显示 T 之后变化的详情（或 2d）",
    "stop the check after this long (10m)": "超过此时长则终止检查 (10m)",
    "exactly what a session would get": "与会话将得到的内容完全一致",
    "exit 1 on warnings too": "有警告时退出码也为 1",
    "fail on warnings too": "有警告也算失败",
    "files or names (default: all)": "文件或名称（默认：全部）",
    "how it ended, if Completion does not say": "结果如何（若 Completion 中未写明）",
    "its format (md)": "它的格式 (md)",
    "language of messages: en or zh": "消息的语言：en 或 zh",
    "make it the current one": "将其设为当前断点",
    "make this one current": "将其设为当前断点",
    "merge checkpoints by field": "按字段合并断点",
    "move this skill_state key to history": "把 skill_state 的这个键移入历史",
    "no checkpoint is current": "不设当前断点",
    "nothing is left: mark it complete": "没有剩余事项：标记为完成",
    "number as in status, id or text": "status 中的序号、id 或文本",
    "one JSON object instead of text": "输出一个 JSON 对象，而不是文本",
    "one checkpoint (default: all)": "一个断点（默认：全部）",
    "only if its done_when succeeds": "仅当它的 done_when 成功",
    "only the first item and the blockers": "只显示第一项与阻塞",
    "only this checkpoint's commands": "只显示这个断点的命令",
    "only this checkpoint, in full": "只显示这个断点，完整显示",
    "only what is archived": "只显示已归档的",
    "only what is not archived": "只显示未归档的",
    "only what this sibling may read": "只显示这个同级技能可读的内容",
    "only what was learned since T (or 30d)": "只显示 T 之后的心得（或 30d）",
    "print it, write nothing": "只打印，不写入",
    "put it aside and start fresh": "搁置它并重新开始",
    "fail if there is no NAME, instead of starting fresh": "找不到 NAME 就报错，而不是重新开始",
    "refuse unless this skill owns it": "除非归这个技能所有，否则拒绝",
    "show what would be done": "只说明将会做什么",
    "resolve a conflict: ours or theirs": "解决冲突：ours 或 theirs",
    "show a plan of what can be fixed": "显示可修复内容的计划",
    "show more than {n} findings": "显示 {n} 条以上的发现",
    "show the delta, write nothing": "只显示增量，不写入",
    "show the settings in force": "显示生效的设置",
    "show the queue, at most N of it": "显示队列，至多 N 项",
    "show the whole queue": "显示完整队列",
    "show this help message and exit": "显示此帮助并退出",
    "show what decided the order": "显示排序的依据",
    "stack, configuration, environment": "技术栈、配置、环境",
    "withdraw the approval": "撤回批准",
    "claim it, so that no other agent gets it": "领取它：其他代理不会再得到它",
    "use this time as now (ISO-8601)": "以此时间为当前时间 (ISO-8601)",
    "the action that comes next": "接下来的行动",
    "the checkpoint": "断点",
    "the checkpoint (default: see docs)": "断点（默认值见文档）",
    "the checkpoint it diverges from": "它由此分出的断点",
    "the checkpoint; a new skill gets a new file": "断点；新技能会得到新文件",
    "the document as it is on disk": "磁盘上的文档原文",
    "the files that checkpoints name": "断点提到的文件",
    "the id of the new document": "新文档的 id",
    "the project (default: the nearest one)": "项目（默认：离当前位置最近的）",
    "the tickets that checkpoints carry": "断点带有的工单",
    "two, with --compare": "与 --compare 一起给出两个",
    "the turn or phase it goes up to": "截至哪一轮或哪个阶段",
    "what changed, in one sentence": "用一句话说明改了什么",
    "what differs; NAME@REV is the text of a git commit": (
        "显示差异；NAME@REV 表示某个 git 提交中的文本"
    ),
    "what exists now": "目前已有的内容",
    "the problem to solve": "要解决的问题",
    "the name of the new one": "新断点的名称",
    "what the user wants to achieve": "用户想达到的目标",
    "write nothing; exit 1 if out of date": "不写入；若已过期则退出码为 1",
    "Show how full a session's context is, how many turns are left, and its thread's budget.": (
        "显示会话上下文有多满、还剩多少回合，以及其线程的预算。"
    ),
    "the session, if it is not the calling one": "会话，如果不是发起调用的那个",
    "Show what agents did: sessions, statistics, crashes. Also add notes, keep or archive.": (
        "显示代理做了什么：会话、统计、崩溃；也可添加记录、保留或存档。"
    ),
    "where work stopped, in every project": "每个项目的工作停在哪里",
    "the session: its id, the start of it, or AGENT/ID": "会话：其 id、id 的开头，或 AGENT/ID",
    "only sessions of this client": "仅此客户端的会话",
    "only sessions on this git branch": "仅此 git 分支上的会话",
    "only sessions for this outcome; note: work on it": "仅此目标的会话；note：正在做它",
    "only sessions seen since T (or 2d)": "仅 T（或 2d）之后活动过的会话",
    "sessions of all projects on this machine": "本机所有项目的会话",
    "reconcile: show what would be done": "reconcile：只说明会做什么",
    "export: into status/sessions_summary.json": "export：写入 status/sessions_summary.json",
    "note: what was achieved": "note：完成了什么",
    "note: the task at hand": "note：当前任务",
    "note: a decision (repeatable)": "note：一个决定（可重复）",
    "note: a next step (repeatable)": "note：一个下一步（可重复）",
    "keep: the format (md)": "keep：格式（md）",
    "keep: the name of the checkpoint": "keep：断点的名称",
    "Handle one event of a client. Its hooks run this; it always exits with 0.": (
        "处理客户端的一个事件。由其钩子运行，退出码总是 0。"
    ),
    "Print one line about the session for a client's status bar: place, context use, advice.": (
        "供客户端状态栏使用的一行会话信息：位置、上下文用量、建议。"
    ),
    "the client: claude-code, codex and so on": "客户端：claude-code、codex 等",
    "start, prompt, stop, compacting, summary, compacted or end": (
        "start、prompt、stop、compacting、summary、compacted 或 end"
    ),
    "the client (claude-code)": "客户端（claude-code）",
    "leave out the model and the cost": "不显示模型和费用",
    "Remove what leftoff set up (hooks, merge driver); checkpoints and journals stay.": (
        "移除 leftoff 设置的内容（钩子、合并驱动）；断点和日志保留。"
    ),
    "Register leftoff's hooks with the coding clients on this machine.": (
        "在这台机器上的编程客户端中登记 leftoff 的钩子。"
    ),
    "only this client (repeatable)": "只设置此客户端；可重复给出",
    "register the hooks in this project only": "只在此项目中登记钩子",
    "write without asking": "不询问，直接写入",
}
