"""Chinese: what commands and the command line say in errors, findings and questions."""

MESSAGES = {
    '"{key}" is set by every write': "“{key}” 由每次写入自动设置",
    '"{text}" is not a git revision': "“{text}” 不是 git 版本",
    '"{text}" is not a time': "“{text}” 不是时间",
    '"{text}" is not a time span': "“{text}” 不是时长",
    '"{text}" is the last action of {id}; nothing was changed. What is next?': (
        "“{text}” 是 {id} 的最后一个行动；没有做任何改动。接下来做什么？"
    ),
    '"{text}" names no command that checks it': "“{text}” 没有指定检查它的命令",
    '"{word}" is not a ticket': "“{word}” 不是工单",
    '"{word}" resolves nothing': "“{word}” 没有解决任何冲突",
    '--budget cannot be "{text}"': "--budget 不能是 “{text}”",
    "--files and --pm are two separate lists": "--files 与 --pm 是两个不同的列表",
    "--grant and --revoke cannot be used together": "--grant 与 --revoke 不能同时使用",
    "--next needs a text, and cannot be used with --complete": (
        "--next 需要文本，且不能与 --complete 同时使用"
    ),
    "--online needs an address to ask": "--online 没有可查询的地址",
    "--outcome needs a text": "--outcome 需要文本",
    "--restart puts one checkpoint aside": "--restart 只搁置一个断点",
    "--timeout is for --verify": "--timeout 只用于 --verify",
    "--to is missing": "缺少 --to",
    "--{one} and --{other} cannot be used together": "--{one} 与 --{other} 不能同时使用",
    "Carry out this plan? {steps}": "执行这个计划吗？{steps}",
    "NAME and --clear cannot be used together": "NAME 与 --clear 不能同时使用",
    "NAME shows one checkpoint in full": "NAME 会完整显示一个断点",
    "Resuming from next_actions[{at}]: {action}": "从 next_actions[{at}] 继续：{action}",
    "Which one? They match equally well.": "选哪一个？它们同样接近。",
    "a delta says what changed": "增量必须说明改了什么",
    "a person has to approve the command on this machine first": "须先由人在本机批准该命令",
    "a {format} document has no status to complete": "{format} 文档没有可标记为完成的状态",
    "a {format} document names no parent": "{format} 文档不记录上级",
    "add the scripts by hand": "请手动添加脚本",
    "all of them": "全部",
    "an archived checkpoint stays as it is": "已归档的断点不再改动",
    "approval happens in a terminal of your own, outside of any agent": (
        "请在你自己的终端里批准，不要在任何代理之内"
    ),
    "archive them first": "请先归档它们",
    "ask for one of them at a time": "请一次只要一个",
    'start another format from it: "leftoff init {name} --from {id}"': (
        "从它开始另一种格式：“leftoff init {name} --from {id}”"
    ),
    "both sides changed words that no field holds; ours stay, theirs are in merges.jsonl": (
        "双方都修改了不属于任何字段的文字；保留我方的，对方的在 merges.jsonl 中"
    ),
    "both sides changed {where}": "双方都修改了 {where}",
    "call it from an agent's session or from a terminal": "请在代理的会话或终端中调用",
    "cannot be merged as text; our version was kept": "无法按文本合并；已保留我方版本",
    "checkpoint name": "断点名称",
    "choose a version by hand": "请手动选择一个版本",
    "choose one of: en, zh": "可选值：en、zh",
    "choose one of: {words}": "可选值：{words}",
    "complete them first, or leave --complete out": "请先完成它们，或去掉 --complete",
    "completion needs a shell: {names}": "completion 需要指定 shell：{names}",
    "continue from here": "从这里继续",
    "copy back what is kept at {paths}": "把保存在 {paths} 的内容复制回来",
    "do it": "执行",
    "files changed while the command ran, so this evidence is stale already": (
        "命令运行期间文件有改动，因此这份证据已经过期"
    ),
    "generate {path} again": "重新生成 {path}",
    "give --project an existing folder": "请为 --project 给出存在的文件夹",
    "give a number of tokens": "请给出 token 数",
    "give both, or neither": "两个都给，或都不给",
    "give it a NAME": "请给出 NAME",
    "give it one with done_when, or complete it without --verify": (
        "请用 done_when 指定，或不带 --verify 完成它"
    ),
    "give it: --outcome TEXT, or write it into ## Completion": (
        "请用 --outcome TEXT 给出，或写入 ## Completion"
    ),
    "give it: --what TEXT": "请给出：--what TEXT",
    "give one of them": "只给其中一个",
    'continue from it: "leftoff fork {id} NEWNAME"': "从它继续：“leftoff fork {id} NEWNAME”",
    "change to one that exists": "请转到存在的文件夹",
    "ignore what it makes in git": "请让 git 忽略它生成的内容",
    "is generated, and was left as it is on our side": "是生成的文件，已保留我方版本",
    "is not an INDEX of checkpoints": "不是断点的 INDEX",
    "is out of date": "已过期",
    'it ends with its last step: "leftoff done {id} --complete"': (
        "它随最后一步结束：“leftoff done {id} --complete”"
    ),
    'it ends with its status: "leftoff update {id} --status=complete"': (
        "它随状态结束：“leftoff update {id} --status=complete”"
    ),
    "it has: {reason}": "现有：{reason}",
    "it is kept in the trash": "它保存在回收站中",
    "it stays where it is": "它会留在原处",
    "it was left as it is; the older one is {path}": "它保持原样；较早的是 {path}",
    "keep {id}, the newest, current; make active: {names}": (
        "保留最新的 {id} 为当前断点；改为 active：{names}"
    ),
    "last committed by {name}": "最后由 {name} 提交",
    "leave --complete out": "请去掉 --complete",
    "leave --current out": "请去掉 --current",
    "leave @REV out": "请去掉 @REV",
    "leave NAME or the other option out": "请去掉 NAME 或另一个选项",
    "leave NAME out for one": "准备项目时请去掉 NAME",
    "leave it out": "请去掉它",
    "leftoff failed: {kind}: {text}": "leftoff 出错：{kind}: {text}",
    "leftoff update {name} --resolve {choice}, or =theirs": (
        "leftoff update {name} --resolve {choice}，或 =theirs"
    ),
    "merged as text, and is still broken: {reason}": "已按文本合并，但仍然损坏：{reason}",
    "merged as text, with conflict markers: {reason}": "已按文本合并，带有冲突标记：{reason}",
    "name it, and leave --continue out": "请给出名称，并去掉 --continue",
    "name one: leftoff done {name}": "请指定一个：leftoff done {name}",
    "name those that matter: --artifact": "用 --artifact 指明重要的文件",
    "names go with --compare": "名称须与 --compare 一起使用",
    "no checkpoint has an open action": "没有断点有未完成的行动",
    "no command here has that id; nothing was approved": "这里没有此 id 的命令；没有批准任何命令",
    "no longer lists what is there": "所列内容与实际不符",
    "it would have no owner: no agent and no terminal started this process": (
        "这里没有谁能领取它：此进程之上既没有代理也没有终端"
    ),
    "nothing named {name} was put aside": "没有搁置过名为 {name} 的内容",
    "nothing: the work is complete": "没有了：工作已完成",
    "only a Markdown checkpoint can be current": "只有 Markdown 断点才能成为当前断点",
    "only a person may approve a command, and no person at a terminal is calling; nothing was "
    "approved": "只有人才能批准命令，而调用者不是终端前的人；没有批准任何命令",
    "only a person may approve a command, and this runs under {agent}; nothing was approved": (
        "只有人才能批准命令，而现在由 {agent} 运行；没有批准任何命令"
    ),
    "to continue from it: leftoff fork {name} NEWNAME": "要从它继续：leftoff fork {name} NEWNAME",
    "ours is a {ours} document, theirs a {theirs} one": "我方是 {ours} 文档，对方是 {theirs} 文档",
    "package.json has no object of scripts": "package.json 的 scripts 不是对象",
    "plan {id} is out of date: something changed since, or it was already carried out": (
        "计划 {id} 已过期：此后情况有变化，或它已经执行过"
    ),
    "please report this with the log {part}": "请附上日志报告此问题：{part}",
    "put {path} into the trash": "把 {path} 移入回收站",
    "put {path}, which names no thread, into the trash": "把未指向任何线程的 {path} 移入回收站",
    "repair it by hand": "请手动修复",
    "repair the file by hand": "请手动修复该文件",
    'run "leftoff help" to see all commands': "运行 “leftoff help” 查看所有命令",
    'run "leftoff index"': "请运行 “leftoff index”",
    "run it again": "请再运行一次",
    "run it inside one": "请在 git 仓库中运行",
    "say in a sentence how it ended": "用一句话说明结果",
    'say what is true now: "leftoff update {id} --KEY=VALUE"': (
        "直接写明现状：“leftoff update {id} --KEY=VALUE”"
    ),
    'say where: [health] url = "https://..." in the settings': (
        '请在设置中写明地址：[health] url = "https://..."'
    ),
    'see "git log" for the commits': "提交见 “git log”",
    'see "leftoff status"': "见 “leftoff status”",
    "one cannot be read: leftoff validate says why": "有一个无法读取：leftoff validate 会说明原因",
    "see --help for an example": "示例见 --help",
    "see --help for the options": "选项见 --help",
    "see --help for what it takes": "可用参数见 --help",
    "see the folders {path} and {other}": "见文件夹 {path} 和 {other}",
    'see what would be done now: "leftoff doctor --fix"': (
        "查看现在将要做的：“leftoff doctor --fix”"
    ),
    "check that it is running, then try again": "请确认服务在运行，然后重试",
    "resolve the marked lines by hand": "请手动处理带标记的行",
    "show the full checkpoint": "显示完整断点",
    "skill name": "技能名称",
    'skill_state has no key "{key}"': "skill_state 没有键 “{key}”",
    "register leftoff's merge driver in this clone's git configuration": (
        "在此克隆的配置中向 git 注册 leftoff 的合并驱动"
    ),
    "texts need quotes: --key:json='\"x\"'": "文本需要引号：--key:json='\"x\"'",
    "the brief is about {tokens} tokens, {bytes} bytes": "简报约 {tokens} 个 token，{bytes} 字节",
    "the command that checks this action came with the repository, or was edited; nothing was "
    "run and nothing was changed": (
        "检查这个行动的命令来自仓库，或被改过；没有运行也没有改动任何内容"
    ),
    "the command was ended after {n} s (see --timeout)": "命令在 {n} 秒后被终止（见 --timeout）",
    "the document may have changed since: look at the list again": "文档可能已改动：请重新查看列表",
    "the previous documents are kept in the trash": "原来的文档保存在回收站中",
    "the previous index is kept in the trash": "原来的索引保存在回收站中",
    "preparing the project and starting a checkpoint are two steps": "准备项目与开始断点是两个步骤",
    'there is no checkpoint "{name}", and a new one cannot start like this: {reason}': (
        "没有断点 “{name}”，也不能这样新建：{reason}"
    ),
    "the value is not JSON: {reason}": "该值不是 JSON：{reason}",
    "the working folder is gone": "工作文件夹已不存在",
    'there is no command "{word}"': "没有命令 “{word}”",
    "there is no folder {path}": "没有文件夹 {path}",
    'there is no language "{word}"': "没有语言 “{word}”",
    "there is nothing to change": "没有要修改的内容",
    "these options describe a checkpoint": "这些选项用于描述断点",
    "this is not a git repository": "这不是 git 仓库",
    "this project is not a git repository": "这个项目不是 git 仓库",
    "tree draws all checkpoints": "tree 会画出所有断点",
    'unexpected argument "{word}"': "多余的参数 “{word}”",
    "unknown option {name}": "未知选项 {name}",
    "what must stay takes about {tokens} tokens more than the budget of {budget}": (
        "必须保留的内容比预算 {budget} 多出约 {tokens} 个 token"
    ),
    'when the merge is done, run "leftoff index"': "合并完成后请运行 “leftoff index”",
    "write --compare NAME NAME2": "请写成 --compare NAME NAME2",
    "write --resolve PATH=ours or PATH=theirs": "请写成 --resolve PATH=ours 或 PATH=theirs",
    "write 90s, 15m or 1h": "请写成 90s、15m 或 1h",
    "write NAME@COMMIT, as in NAME@HEAD~1": "请写成 NAME@COMMIT，例如 NAME@HEAD~1",
    "write it as 2026-01-31T12:00:00Z": "请写成 2026-01-31T12:00:00Z",
    "write linear:PLAT-4471:source": "请写成 linear:PLAT-4471:source",
    'write to your own checkpoint and point to the other with "--depends_on=..."': (
        "请写入你自己的断点，并用 “--depends_on=...” 指向另一个"
    ),
    "write {name} alone": "请单独写 {name}",
    "write {name} {value}": "请写成 {name} {value}",
    "write --{word}": "请写成 --{word}",
    "write {name}=VALUE, {again}+=VALUE or {more}:json=VALUE": (
        "请写成 {name}=VALUE、{again}+=VALUE 或 {more}:json=VALUE"
    ),
    "{id} cannot be written": "{id} 无法写入",
    "{id} has active descendants: {names}": "{id} 还有活动的后代：{names}",
    "{id} has no outcome yet": "{id} 还没有结果",
    "{id} is a {format} document": "{id} 是 {format} 文档",
    "{id} is a {format} document; archive is for Markdown ones": (
        "{id} 是 {format} 文档；archive 只用于 Markdown 断点"
    ),
    "{id} is a {format} document; only Markdown checkpoints have deltas": (
        "{id} 是 {format} 文档；只有 Markdown 断点才有增量"
    ),
    "{id} is archived": "{id} 已归档",
    "{id} is already archived, with another outcome": "{id} 已归档，且结果与此不同",
    "{id} is already archived, without that learning": "{id} 已归档，其中没有这条心得",
    "every action of {id} is done; all that is left is to archive it": (
        "{id} 的所有行动都已完成；只剩归档"
    ),
    "leftoff archive {id} --outcome TEXT": "请运行 leftoff archive {id} --outcome TEXT",
    "a project has one file of this format: choose another format": (
        "一个项目只有一个这种格式的文件：请选择其他格式"
    ),
    'give its whole name: "leftoff list" shows all': ("请给出完整名称：leftoff list 可列出全部"),
    "{id} was the current checkpoint; none is current now": "{id} 原是当前断点；现在没有当前断点",
    '{id}: a decision waits for a person: "{text}" Continue from here, restart, or show the full '
    "checkpoint?": "{id}：有一个决定等人来做：“{text}”。从这里继续、重新开始，还是显示完整断点？",
    "{id}: it is {status}. Continue from here, restart, or show the full checkpoint?": (
        "{id}：状态为 {status}。从这里继续、重新开始，还是显示完整断点？"
    ),
    "{id}: not touched for {days} days. Continue from here, restart, or show the full "
    "checkpoint?": "{id}：已有 {days} 天没有人动过。从这里继续、重新开始，还是显示完整断点？",
    "{name} belongs to another skill than {owner}": "{name} 不属于技能 {owner}",
    '{name} cannot be "{value}"': "{name} 不能是 “{value}”",
    "give a number from {least} to {most}": "请给出 {least} 到 {most} 之间的数字",
    "give another {option}": "请换一个 {option}",
    "{name} is missing": "缺少 {name}",
    "{name} needs a value": "{name} 需要一个值",
    "{name} takes no value": "{name} 不带值",
    "{n} checkpoints have open actions": "{n} 个断点有未完成的行动",
    "{n} command(s) came with this repository and would run on this machine when an action is "
    "verified. Approve which? (nothing: none)": (
        "有 {n} 个命令来自这个仓库，验证行动时会在本机运行。批准哪些？（留空：都不批准）"
    ),
    '"{text}" names no file': "“{text}” 不是文件路径",
    "{n} more files changed than a delta can list": "另有 {n} 个文件有改动，超出一条增量所列的数量",
    "other actions of {id} are still open: {n}": "{id} 还有 {n} 个未完成的行动",
    "{path} changed in the meantime": "{path} 在此期间已改动",
    "{path} exists": "{path} 已存在",
    '{path} has the id "{id}"; nothing was written': "{path} 的 id 就是 “{id}”；没有写入任何内容",
    "{path} exists; nothing was written": "{path} 已存在；没有写入任何内容",
    "{path} is not in the commit {commit}": "提交 {commit} 中没有 {path}",
    "{reason}: a fresh start": "{reason}：全新开始",
    "{reason}; this file has no effect": "{reason}；该文件的内容未生效",
    "this looks like it holds a secret; it was written as given": (
        "这里看起来含有密钥，已按原样写入"
    ),
    "if it is one, remove it from the document and replace the secret itself": (
        "如果确实是密钥，请从文档中删去，并更换该密钥"
    ),
    "no thread is current here": "这里没有当前线程",
    "name one; leftoff thread shows all": "请指定一个；leftoff thread 会列出全部",
    "leftoff session list shows them": "leftoff session list 会列出它们",
    "there is nothing to note": "没有要记下的内容",
    "give -m, --outcome, --task, --decision or --next": (
        "请给出 -m、--outcome、--task、--decision 或 --next"
    ),
    "no session is calling": "没有会话发起调用",
    "name one with --session AGENT/ID": "请用 --session AGENT/ID 指定",
    "a note has at most {n} characters": "一条记录最多 {n} 个字符",
    "save a checkpoint instead": "请改为保存断点",
    "ID shows one session": "ID 只显示一个会话",
    "leave ID or the other option out": "请去掉 ID 或另一个选项",
    "ID and --session both name a session": "ID 和 --session 都指定了会话",
    "leave one of them out": "请去掉其中一个",
    "no agent session is known in this project": "这个项目没有已知的代理会话",
    "there is no record of the session {id}": "没有会话 {id} 的任何记录",
    "leftoff session list --all shows every one": "leftoff session list --all 显示全部",
    "leftoff session list --everywhere shows those of all projects": (
        "leftoff session list --everywhere 显示所有项目的会话"
    ),
    "its transcript has no whole line yet": "它的会话记录还没有一行完整内容",
    "unreadable lines of its transcript, left out: {n}": ("其会话记录有 {n} 行无法读取，已略过"),
    "unreadable lines of its journal, left out: {n}": ("其日志有 {n} 行无法读取，已略过"),
    "{verb} {action} does not take {option}": "{verb} {action} 不接受 {option}",
    "see --help": "见 --help",
    "--everywhere cannot be used with --brief, --since or --all": (
        "--everywhere 不能与 --brief、--since 或 --all 同时使用"
    ),
    "leave the other options out": "请去掉其他选项",
    "without --write it is printed": "不带 --write 则打印出来",
    "{path} is not permanent: {reason}": "{path} 不会长久存在：{reason}",
    "no client's settings can name {path}: it is not UTF-8 text": (
        "客户端的设置无法写出 {path}：它不是 UTF-8 文本"
    ),
    "set LEFTOFF_STATE to a folder whose path is": (
        "请把 LEFTOFF_STATE 设为路径是 UTF-8 文本的文件夹"
    ),
    "install leftoff in a folder whose path is": "请把 leftoff 安装到路径是 UTF-8 文本的文件夹",
    'install leftoff permanently, for example with "uv tool install" or "pipx install"': (
        "请长期安装 leftoff，例如用 “uv tool install” 或 “pipx install”"
    ),
    "Write this? {paths}": "写入吗？{paths}",
    "write it": "写入",
    "{name} was not set up: {reason}": "{name} 未设置：{reason}",
    "fix that, then run it again": "请改正后再运行",
    "still calls leftoff: {reason}": "仍在调用 leftoff：{reason}",
}
