"""Chinese: verdicts and findings, and what is said of names and values."""

TEXTS = {
    "action": "下一步行动",
    "branch": "分支",
    "commit": "提交",
    "done": "已完成",
    "parent": "上级",
    "project_dir": "项目文件夹",
    "tests": "测试",
    "ticket": "工单",
}

MESSAGES = {
    "branch {about}: {reason}": "分支 {about}：{reason}",
    "commit {about}: {reason}": "提交 {about}：{reason}",
    "parent {about}: {reason}": "上级 {about}：{reason}",
    "ticket {about}: {reason}": "工单 {about}：{reason}",
    "evidence failed: {reason}": "证据未通过：{reason}",
    "evidence fresh: {reason}": "证据有效：{reason}",
    "evidence missing: {reason}": "缺少证据：{reason}",
    "evidence stale: {reason}": "证据已过时：{reason}",
    '"leftoff doctor --fix" can put it aside': "“leftoff doctor --fix” 可以将它搁置",
    '"leftoff prune {name} --dry-run" shows what would be dropped': (
        "“leftoff prune {name} --dry-run” 会说明将去掉什么"
    ),
    '"leftoff show {name}" shows it: continue it, or record how it stands': (
        "“leftoff show {name}” 会显示它：请继续，或记录现状"
    ),
    '"leftoff tree" shows it; remove the parent from one of them': (
        "“leftoff tree” 会显示它；请让其中一个不再指定上级"
    ),
    '"leftoff tree" shows the lineage; name one that is here': (
        "“leftoff tree” 会显示谱系；请指定一个存在的上级"
    ),
    '"{id}" is also the id of {paths}': "“{id}” 也是 {paths} 的 id",
    '"{name}" matches {n} checkpoints: {names}': "“{name}” 对应 {n} 个断点：{names}",
    '"{name}" is not a field of a checkpoint': "“{name}” 不是断点的字段",
    '"{name}" is not a {part}': "“{name}” 不是有效的{part}",
    '"{text}" is marked done; {reason}': "“{text}” 标为已完成；{reason}",
    '"{text}" is not an artifact': "“{text}” 不是文件记录",
    '"{text}" is not a transition': "“{text}” 不是推进记录",
    '"{text}" matches no verb': "“{text}” 不对应任何命令",
    '"{word}" adds an empty item': "“{word}” 添加的是空项",
    "give it a text; was a variable empty?": "请给出文字；是否有变量为空？",
    '"{word}" removes nothing': "“{word}” 不能移除内容",
    "to change an item: --key.0=TEXT, counted from 0; to remove one, "
    "give the list to keep: --key:json='[...]'": (
        "要修改一项：--key.0=TEXT（从 0 数起）；要移除一项，请给出保留的列表：--key:json='[...]'"
    ),
    '"{word}" is not an assignment': "“{word}” 不是赋值",
    '"{word}" is not a side': "“{word}” 不是冲突的一方",
    '--since cannot read "{text}"': "--since 无法识别 “{text}”",
    "Checkpoint is {days} days old (consider refreshing if still active)": (
        "断点已有 {days} 天（若仍在进行，请考虑更新）"
    ),
    "Last delta was {days} days ago (consider updating)": (
        "上一条增量是 {days} 天前的（请考虑更新）"
    ),
    "a cycle of parents: {names}": "上级关系成环：{names}",
    "a decision waits for a person": "有一个决定等人来做",
    "it names a file that does not exist: {names}": "它提到的一个文件不存在：{names}",
    "it names a file that does not exist: {names} ({n} more were not checked)": (
        "它提到的一个文件不存在：{names}（另有 {n} 个未核查）"
    ),
    "{id} is archived; nothing was changed": "{id} 已归档；没有做任何更改",
    "add one: leftoff update {id} --next_actions+=TEXT": (
        "添加一个：leftoff update {id} --next_actions+=TEXT"
    ),
    "start with plain characters, then use classes such as [0-9a-f], with a count where needed": (
        "请以普通字符开头，再用 [0-9a-f] 这样的字符类，需要时加次数"
    ),
    "checked at {commit}, the tree is at {reason}": "检查于 {commit}，工作树现在位于 {reason}",
    "checked on exactly these files, {time}": "检查的正是这些文件，{time}",
    'checkpoint id "{id}" is used by {n} files: {paths}': (
        "断点 id “{id}” 被 {n} 个文件使用：{paths}"
    ),
    "complete, with work queued": "已完成，但仍有排队的工作",
    "there are conflicts at: {paths}": "冲突位于：{paths}",
    "deploy HEAD, or go on from what runs": "请部署 HEAD，或从正在运行的版本继续",
    'did you mean "{word}"?': "你是指 “{word}” 吗？",
    "evidence {level}: {reason}": "证据 {level}：{reason}",
    "failed or blocked": "失败或受阻",
    "files changed since it was checked": "检查之后文件有改动",
    "git could not say": "git 无法得知",
    "git could not say what came after {commit}": "git 无法得知 {commit} 之后有什么",
    "git does not have it": "git 中没有它",
    "is a pipe, at which git would wait: what git ignores and what changed is not known": (
        "是管道，git 会一直等它：git 忽略了什么、哪些有改动，都无法得知"
    ),
    "put a file in its place, or nothing": "请换成普通文件，或把它移走",
    "git would wait at {path}, which is a pipe": "{path} 是管道，git 会一直等它",
    "git ignores it ({rule}), so it exists on this machine only": (
        "git 忽略了它 ({rule})，因此它只存在于这台机器上"
    ),
    "give a number from 1 to {n}, an id, or the beginning of the text": (
        "请给出 1 到 {n} 的序号、id 或文本的开头"
    ),
    "give a number, or a span like 7d": "请给出数字，或 7d 这样的时长",
    "give all but one of them another id": "请只保留一个，其余换成别的 id",
    "has grown to {n} MB; nothing is removed from it automatically": (
        "已增长到 {n} MB；其中的内容不会自动删除"
    ),
    "if it is over, list it as ended": "若已结束，请将它列为已结束",
    'if that is so, "leftoff done {name} {n}"': "若确实如此：“leftoff done {name} {n}”",
    "in progress": "进行中",
    "in progress, at a gate": "进行中，处于关口",
    "is on {kind}: evidence, trash and saves there are lost at the next restart": (
        "位于 {kind}：其中的证据、回收站和保存会在下次重启时消失"
    ),
    "is on {kind}: evidence, trash and saves there are lost with this container": (
        "位于 {kind}：其中的证据、回收站和保存会随这个容器消失"
    ),
    "is out of date: it differs from the checkpoints": "已过期：与断点的内容不符",
    "it changed after the checkpoint": "它在断点之后有改动",
    "it names no commit": "没有说明是在哪个提交",
    "it exists": "它存在",
    "it has no id": "它没有 id",
    "it is as the checkpoint left it": "与断点记录时相同",
    "it is here": "它在这里",
    "it is in the history": "它在历史中",
    "it is merged into {branch}": "它已合入 {branch}",
    "it is not in the history of HEAD": "它不在 HEAD 的历史中",
    "it is the current checkpoint": "它是当前断点",
    "it is there": "它在",
    "it is well-formed": "格式正确",
    "it is where the checkpoint left it ({commit})": "它仍在断点记录的位置 ({commit})",
    "what came after {commit} came with the checkpoint": "{commit} 之后的内容是与断点一起提交的",
    "it moved: 1 commit came after {commit}": "它已移动：{commit} 之后有 1 个提交",
    "it moved: {commit} is not on it": "它已移动：{commit} 不在其上",
    "it moved: {n} commits came after {commit}": "它已移动：{commit} 之后有 {n} 个提交",
    "it names no single checkpoint": "它没有指明唯一的断点",
    "it was checked with changes that were not committed": "检查时有未提交的改动",
    "it was checked without a commit to compare with": "检查时没有可比对的提交",
    'its parent "{id}" is not here': "它的上级 “{id}” 不在这里",
    "its role is not one of {words}": "它的 role 不在 {words} 之中",
    "known words: {words}": "已知的词：{words}",
    "known: {words}": "已知：{words}",
    "last touched {part}": "最后改动：{part}",
    "leftoff current {name} keeps one": "leftoff current {name} 可只保留一个",
    "is on a full disk: what happens in sessions is not recorded, and saves fail": (
        "所在磁盘已满：会话中发生的事不会被记录，保存也会失败"
    ),
    "make room there, or set LEFTOFF_STATE to a folder on another disk": (
        "请腾出空间，或将 LEFTOFF_STATE 设为另一磁盘上的文件夹"
    ),
    "cannot be written: what happens in sessions is not recorded, and nothing can be undone": (
        "不可写：会话中发生的事不会被记录，任何操作也无法撤销"
    ),
    "make it writable, or set LEFTOFF_STATE to a folder that is": (
        "请使其可写，或让 LEFTOFF_STATE 指向可写的文件夹"
    ),
    "set LEFTOFF_STATE to a folder that lasts": "请让 LEFTOFF_STATE 指向能长期保存的文件夹",
    "look again": "请重新查看",
    "look at what is on HEAD before you go on, then save the checkpoint again": (
        "继续之前请查看 HEAD 上的内容，然后重新保存断点"
    ),
    "move what you do not need any more elsewhere": "请把不再需要的内容移到别处",
    "fix it by hand": "请手动修复",
    "use the files' current names": "请改用文件现在的名称",
    "use the files' current names, or restore them from git": (
        "请改用文件现在的名称，或从 git 取回它们"
    ),
    'named "{before}", which is no thread here; now it names {now}': (
        "原指向 “{before}”，但这里没有这个线程；现在指向 {now}"
    ),
    "leftoff thread switch NAME makes another one current": (
        "leftoff thread switch NAME 将另一个设为当前"
    ),
    'names "{name}", but there is no such thread here': "指向 “{name}”，但这里没有这个线程",
    'next action {n}, "{text}": {reason}': "下一步行动 {n}，“{text}”：{reason}",
    "no code was committed since": "此后没有提交代码",
    'no conflict is recorded at "{path}"': "“{path}” 处没有记录冲突",
    'no open action of {id} matches "{text}"': "{id} 没有与 “{text}” 相符的未完成行动",
    "no check was run for it": "没有人为它运行过检查",
    "not started": "未开始",
    "nothing to do: the project was found here": "无需处理：项目就在这里",
    "over budget: {spent} of {budget}": "超出预算：{spent}，预算 {budget}",
    "points at {path}, which does not exist": "指向不存在的 {path}",
    "progress_summary is {n} chars (> {most}) — keep it scannable; push detail into "
    "progress_table": (
        "progress_summary 有 {n} 个字符 (> {most})——请保持简明，细节放入 progress_table"
    ),
    "project_dir {path} is not on this machine": "project_dir {path} 不在本机上",
    "project_dir {path} is not on this machine ({n} documents say so)": (
        "project_dir {path} 不在本机上（{n} 个文档这样写）"
    ),
    "put it aside: it is over": "请将它搁置：它已结束",
    "put it aside: there is nothing to restore from": "请将它搁置：没有可恢复的来源",
    "put it back into the queue, or make the check pass and verify it again": (
        "请把它放回队列，或让检查通过后重新验证"
    ),
    "read it, then put it aside": "请阅读后搁置",
    "read it, then put it aside by hand": "请阅读后手动搁置",
    'redaction: "{text}" holds "{sign}", which has no meaning here': (
        "redaction：“{text}” 含有 “{sign}”，它在这里没有意义"
    ),
    'redaction: "{text}" is longer than {n} characters': "redaction：“{text}” 超过 {n} 个字符",
    'redaction: "{text}" must begin with {n} or more plain characters': (
        "redaction：“{text}” 必须以至少 {n} 个普通字符开头"
    ),
    'redaction: "{word}" must have {least} to {most} bytes': (
        "redaction：“{word}” 必须有 {least} 到 {most} 个字节"
    ),
    'redaction: in "{text}" a count must go up, and to {n} at most': (
        "redaction：“{text}” 中的次数必须递增，最大为 {n}"
    ),
    'redaction: "{text}" may match {n} characters, and {most} are enough': (
        "redaction：“{text}” 最多可匹配 {n} 个字符，{most} 个已经足够"
    ),
    "redaction: {n} patterns are more than the {most} that may be set": (
        "redaction：设置了 {n} 个模式，最多只能有 {most} 个"
    ),
    'redaction: in "{text}", {letters} is not a class of characters': (
        "redaction：“{text}” 中的 {letters} 不是字符类"
    ),
    "rename all but one of them": "请只保留一个，其余改名",
    "fix it by hand, or restore an older version from git": ("请手动修复，或从 git 取回较早的版本"),
    'run "leftoff list" to see all': "运行 “leftoff list” 查看全部",
    "save it again with the right time": "请以正确的时间重新保存",
    "record where the work is now, or how it ended": "请记录工作现在在哪里，或结果如何",
    'say which, for example "{name}"': "请指明是哪一个，例如 “{name}”",
    "says that {skill} is working, but its process {pid} is not": (
        "声明 {skill} 正在工作，但它的进程 {pid} 已不在"
    ),
    'see "leftoff show {name}", then fix it': "请看 “leftoff show {name}”，然后改正",
    'see "leftoff tree"': "见 “leftoff tree”",
    "session {id} is listed as active, but was last seen at an unknown time": (
        "会话 {id} 列为活动，但最后一次出现的时间未知"
    ),
    "session {id} is listed as active, but was last seen {n} h ago": (
        "会话 {id} 列为活动，但最后一次出现在 {n} 小时前"
    ),
    "stale ({days}d): in progress, but not touched since {day}": (
        "已陈旧（{days} 天）：进行中，但 {day} 之后没有人动过"
    ),
    "remove that rule from the ignore file": "请从忽略文件中去掉这条规则",
    "the check ended with exit code {code}": "检查以退出码 {code} 结束",
    "the command that checks it has changed since": "检查它的命令后来有变化",
    "there are none": "没有",
    "there are uncommitted changes since it was checked": "检查之后有未提交的改动",
    'there is no "{key}" in the private state': "私有状态中没有 “{key}”",
    'there is no checkpoint "{name}" here': "这里没有断点 “{name}”",
    "this branch no longer exists here": "这里已没有这个分支",
    "there is no such checkpoint": "没有这个断点",
    "there is no such file": "没有这个文件",
    'there is no threshold "{key}"': "没有阈值 “{key}”",
    "they are from {commit}, which is older than HEAD ({head})": (
        "它们来自 {commit}，早于 HEAD ({head})"
    ),
    "this is a shallow clone, which has few branches": "这是浅克隆，分支不全",
    "this is a shallow clone, which may lack it": "这是浅克隆，可能缺少它",
    "threshold {key} cannot be {value}": "阈值 {key} 不能是 {value}",
    "too many to check them all": "太多，无法全部核查",
    "updated_at ({time}) is in the future — clock skew or a typo?": (
        "updated_at ({time}) 在未来——是时钟偏差还是笔误？"
    ),
    "use --key=value, --key+=value or --key:json=VALUE with a dotted key": (
        "请用 --key=value、--key+=value 或 --key:json=VALUE，键用点号分隔"
    ),
    "use letters, digits, dots, dashes and underscores, beginning with a letter or digit": (
        "请用字母、数字、点、连字符和下划线，以字母或数字开头"
    ),
    "use ours or theirs": "请用 ours 或 theirs",
    "verify it again before you rely on it": "依赖它之前请重新验证",
    "was left by a process that died; nothing needs it": "由已终止的进程留下；没有用处",
    "was left {days} days ago and nobody picked it up": "留于 {days} 天前，没有人接手",
    "write ITEM:BEFORE:AFTER": "请写成 ITEM:BEFORE:AFTER",
    "write PATH:ACTION:DESCRIPTION with created, modified or deleted": (
        "请写成 PATH:ACTION:DESCRIPTION，ACTION 为 created、modified 或 deleted"
    ),
    "write a time as 2026-01-31, or 2d, 12h": "时间请写成 2026-01-31、2d 或 12h",
    "written on another machine, or the project moved": "写于另一台机器，或项目已移动",
    "{files} files that {documents} documents name beyond the first ones": (
        "{documents} 个文档提到的另外 {files} 个文件（超出前若干个）"
    ),
    "{id} has no open action": "{id} 没有未完成的行动",
    '{id} no longer has the action "{text}"': "{id} 已没有行动 “{text}”",
    "the checkpoint itself counts {names} as done": "断点自己已把 {names} 算作完成",
    "{names} has already landed": "{names} 已合入",
    "{names} has not landed": "{names} 尚未合入",
    "{names} have already landed": "{names} 已合入",
    "{names} have not landed": "{names} 尚未合入",
    "{n} checkpoints have status current, expected at most 1: {names}": (
        "{n} 个断点的状态为 current，最多应有 1 个：{names}"
    ),
    "{n} files changed since it began, but no delta records it": (
        "自开始以来有 {n} 个文件改动，但没有增量记录"
    ),
    "{n} files changed since {time}, but no delta records it": (
        "{time} 以来有 {n} 个文件改动，但没有增量记录"
    ),
    "it names {n} files that do not exist: {names}": "它提到的 {n} 个文件不存在：{names}",
    "it names {n} files that do not exist: {names} ({more} more were not checked)": (
        "它提到的 {n} 个文件不存在：{names}（另有 {more} 个未核查）"
    ),
    "{n} key decisions (> {most}): `leftoff prune` folds the older ones": (
        "有 {n} 项关键决定 (> {most})：`leftoff prune` 会折叠较早的"
    ),
    '{n} open actions of {id} match "{text}"': "{id} 有 {n} 个未完成行动与 “{text}” 相符",
    "{path} has {n} bytes, more than {most}: it should hold paths, not contents": (
        "{path} 有 {n} 字节，超过 {most}：其中应写路径，而不是内容"
    ),
    "{url} runs {versions}, and HEAD is {reason}": "{url} 运行的是 {versions}，而 HEAD 是 {reason}",
    "its hooks call leftoff at a path where it no longer is": ("其钩子调用的 leftoff 已不在原处"),
    "keep one of them": "只保留其中一个",
    "{agent} calls leftoff {n} times at {event}: {paths}": (
        "{agent} 在 {event} 时调用 leftoff {n} 次：{paths}"
    ),
    "{agent} does not call leftoff: what happens in its sessions is not recorded here": (
        "{agent} 没有调用 leftoff：其会话中发生的事不会记录在这里"
    ),
}
