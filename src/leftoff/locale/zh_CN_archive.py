"""Chinese for what is said of the archive: texts of views, then messages."""

TEXTS: dict[str, str] = {
    "(and {n} more; --json has all)": "（另有 {n} 个；--json 可列出全部）",
    "(in {folder})": "（在 {folder} 中）",
    "Archive: {n} session(s), {size}": "存档：{n} 个会话，{size}",
    "Every session in the archive is within the limits of the settings.": (
        "存档中的所有会话都在设置的保留范围内。"
    ),
    "Continue with: {command}": "继续使用：{command}",
    "Nothing new to archive.": "没有新内容需要存档。",
    "Size": "大小",
    "Why": "原因",
    "to keep copies: leftoff session archive --expiring": (
        "保留副本：leftoff session archive --expiring"
    ),
    "too much": "超出容量",
    "too old": "过期",
    "{n} left out: forgotten or pruned before": "{n} 个未复制：此前已忘记或清理",
    "{n} session(s) went to the trash ({size}):": "{n} 个会话已移入回收站（{size}）：",
    "{n} session(s) would go to the trash ({size}):": "将把 {n} 个会话移入回收站（{size}）：",
    "{n} transcript(s) copied: {new} new, {grown} grown, {rewritten} rewritten ({size})": (
        "已复制 {n} 份会话记录：新增 {new}，增长 {grown}，重写 {rewritten}（{size}）"
    ),
    "{session} is back where its client looks for it:": "{session} 已放回其客户端读取的位置：",
    "{session} is forgotten: its archived copy ({n} file(s)) went to the trash. "
    "It is never archived again.": ("{session} 已忘记：{n} 份副本移入回收站；今后不再存档。"),
    "{session} is forgotten: the archive has no copy of it, and never makes one.": (
        "{session} 已忘记：存档中没有它的副本，今后也不会有。"
    ),
    "{session} is where its client looks for it.": "{session} 就在其客户端读取的位置。",
}

MESSAGES: dict[str, str] = {
    "--archive is about sessions": "--archive 针对会话",
    "--bring-back needs the ID of one session": "--bring-back 需要一个会话的 ID",
    "--out FILE writes a conversation": "--out FILE 可写入对话",
    "--write is about the registry": "--write 针对登记表",
    "Fold old entries of a checkpoint, rotate telemetry, remove old sessions from the archive.": (
        "折叠断点的旧条目，把遥测数据移入历史；把旧会话移出存档。"
    ),
    "ID, --all and --expiring cannot be used together": ("ID、--all 和 --expiring 不能同时使用"),
    "archive ID: put the copy back for its client": "archive ID：把副本放回，供其客户端使用",
    "archive.{key} cannot be {value}": "archive.{key} 不能是 {value}",
    "archive: what Claude Code will delete within days": (
        "archive：Claude Code 几天内将删除的会话记录"
    ),
    "export ID: into a new file": "export ID：写入新文件",
    "export ID: {formats} (md)": "export ID：{formats}（默认 md）",
    "sessions in it: {n}, {size}": "含 {n} 个会话，{size}",
    "is a copy or a note that cannot be read; nothing else in the archive depends on it": (
        "是无法读取的副本或说明；存档中没有其他内容依赖它"
    ),
    "it exists, and was left as it is": "文件已存在，保持原样",
    "it was forgotten or pruned before: look in {folder}/trash": (
        "此前已忘记或清理：请在 {folder}/trash 中查找"
    ),
    "leave NAME and --rotate out": "请去掉 NAME 和 --rotate",
    "give only one of them": "只保留其中一个",
    "leftoff list has them; --archive is about sessions": (
        "leftoff list 可列出它们；--archive 针对会话"
    ),
    "leftoff prune --archive --dry-run says what would go": (
        "leftoff prune --archive --dry-run 可列出将移走的内容"
    ),
    "list: older ones too; stats, archive: all projects": (
        "list：包括较早的；stats、archive：所有项目"
    ),
    "name its ID": "请给出其 ID",
    "there is no record of the conversation of {agent}/{session}": (
        "没有会话 {agent}/{session} 的会话记录"
    ),
    "prune needs a NAME": "prune 需要 NAME",
    "run it again; what was archived before is whole": "请重新运行；此前存档的内容完好",
    "leftoff session archive --all": "请运行 leftoff session archive --all",
    "leftoff session archive makes copies of the transcripts that are there": (
        "leftoff session archive 可复制现有的会话记录"
    ),
    "leftoff session export has the conversation": "leftoff session export 可导出对话",
    "session forget needs the ID of a session": "session forget 需要会话的 ID",
    "leftoff session list --all has them": "leftoff session list --all 可列出它们",
    "leftoff session list --all shows every session": "leftoff session list --all 可列出所有会话",
    "sessions past archive.keep and archive.max_size": (
        "超出 archive.keep 和 archive.max_size 的会话"
    ),
    "takes {size}, more than archive.max_size ({most})": (
        "占用 {size}，超过 archive.max_size（{most}）"
    ),
    "the archive has no copy of the session {agent}/{session}": (
        "存档中没有会话 {agent}/{session} 的副本"
    ),
    "the archive has a copy": "存档中有副本",
    "the transcript of {agent}/{session} is not there": "会话 {agent}/{session} 的会话记录不存在",
    "the archived copy cannot be read: {reason}": "存档副本无法读取：{reason}",
    "the archived copy is damaged: {reason}": "存档副本已损坏：{reason}",
    "the archived copy is shorter than its note says": "存档副本比其说明所记的短",
    "the note of the archived copy cannot be read": "存档副本的说明无法读取",
    "the transcript cannot be read: {reason}": "会话记录无法读取：{reason}",
    "write keep as 365d, max_size as 20GB; 0 means no limit": (
        "keep 写作 365d，max_size 写作 20GB；0 表示不限"
    ),
    "{client} keeps its sessions in a database, into which leftoff does not write": (
        "{client} 的会话存放在数据库中，leftoff 不向其写入"
    ),
    "lines that could not be redacted, and are not in its copy: {n}": (
        "{n} 行无法脱敏，未写入其副本"
    ),
    "lines of the original that are not in the copy: {n}": "原文有 {n} 行不在副本中",
    "signed parts that held a secret, and are not in its copy: {n}": (
        "{n} 个带签名的部分含有秘密，未写入其副本"
    ),
}
