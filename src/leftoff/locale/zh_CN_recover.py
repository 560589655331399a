"""Chinese for what `recover` says: texts of views, then messages."""

TEXTS: dict[str, str] = {
    "All of it: {path}": "全部内容：{path}",
    "Deleted by Claude Code; only their prompts are left:": (
        "已被 Claude Code 删除，只剩下提示词："
    ),
    "Done": "已完成",
    "Drafted from {session}:": "由 {session} 草拟：",
    "Decided": "已决定",
    "Failed, and not repaired": "失败且未修复",
    "No session of this project left unsaved work.": ("本项目没有任何会话留下未保存的工作。"),
    "gone": "已不存在",
    "it is there": "存在",
    "not committed": "未提交",
    "recovered": "已恢复",
    "sessions that nobody saved": "无人保存的会话",
    "{name} ended just now and nobody saved. Drafted from its transcript, to be checked:": (
        "{name} 刚刚结束，无人保存。以下由其会话记录草拟，请核对："
    ),
    "{name} ended {age} ago and nobody saved. Drafted from its transcript, to be checked:": (
        "{name} 于 {age} 前结束，无人保存。以下由其会话记录草拟，请核对："
    ),
    "⚠ Claude Code deletes {count} transcript(s) of this project from {day} on": (
        "⚠ Claude Code 将从 {day} 起删除本项目的 {count} 份会话记录"
    ),
}

MESSAGES: dict[str, str] = {
    "it worked in {folder}: here, its draft is checked against other files": (
        "它在 {folder} 中工作：在这里，其草稿对照的是另一些文件"
    ),
    "run it in that folder": "请在那个文件夹中运行",
    "it may still be working, so it is not offered": "它可能仍在工作，因此未列出",
    "if {name} is no longer running: leftoff recover {id}": (
        "若 {name} 已不再运行：leftoff recover {id}"
    ),
    "it was recovered already: {path}": "它已被恢复：{path}",
    "to draft it again: leftoff recover {id}": "若要重新草拟：leftoff recover {id}",
    '"{pick}" is none of the {number} sessions': "“{pick}” 不在这 {number} 个会话之中",
    "--thread names a thread, --as another format": "--thread 指定线程，--as 却是另一种格式",
    (
        "Claude Code will delete transcripts of this project within 7 days ({number}), "
        "the first from {day} on ({key} is {days})"
    ): "7 天内 Claude Code 将删除本项目 {number} 份会话记录，最早从 {day} 起（{key} 为 {days}）",
    "Draft a checkpoint from a session that died or ended unsaved, and offer it.": (
        "由中断或未保存就结束的会话草拟断点，并供继续使用。"
    ),
    "SESSION and --pick both say which": "SESSION 与 --pick 都指定了会话",
    "Which session should be recovered?": "要恢复哪个会话？",
    "add it to this thread, or start it": "加入该线程；没有则新建",
    "its id, the start of it, or AGENT/ID": "会话 ID、其开头，或 AGENT/ID",
    "its transcript is gone: this is only what the journal and the list of prompts hold": (
        "其会话记录已不存在：这里只有日志和提示词列表所记的内容"
    ),
    "leftoff recover --list shows them": "leftoff recover --list 可列出它们",
    "leftoff resume offers it": "leftoff resume 会提供它",
    "this is a draft from the session; nobody has confirmed it": "这是由会话草拟的，未经任何人确认",
    "leftoff session archive --expiring keeps copies; or raise {key} in its settings.json": (
        "leftoff session archive --expiring 可保留副本；或在其 settings.json 中调大 {key}"
    ),
    "show the draft, write nothing": "显示草稿，不写入任何内容",
    "show the sessions that left unsaved work": "列出留下未保存工作的会话",
    "this session was saved; the save says more than a draft would": (
        "这个会话已保存过：保存的内容比草稿更完整"
    ),
    "there are too many documents of this name": "同名文档过多",
    "which one of several, by its number": "多个之中的哪一个，按编号",
    "write a new document into the repository: {formats}": "在仓库中写入新文档：{formats}",
}
