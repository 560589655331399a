"""Chinese for what `threads` says: texts of views, then messages."""

TEXTS: dict[str, str] = {
    "Begin no other step: report what is done and what is left, then wait.": (
        "不要开始新的步骤：报告已完成和剩余的内容，然后等待。"
    ),
    "Begin one: leftoff thread enable NAME": "开始一个：leftoff thread enable NAME",
    "Every step of {thread} is done. {mark}": "{thread} 的所有步骤都已完成。{mark}",
    "Go on with step {n} of this run: {text}": "继续本轮的第 {n} 步：{text}",
    "If a person has to decide something: leftoff thread continue off --question TEXT": (
        "如果需要人来决定：leftoff thread continue off --question TEXT"
    ),
    "When it is done: leftoff done {name} {number}": "完成后运行：leftoff done {name} {number}",
    "In this run: {done} done, {left} left.": "本轮：已完成 {done} 步，剩余 {left} 步。",
    "Once that is settled: leftoff thread continue on": "解决之后：leftoff thread continue on",
    "Sessions:": "会话：",
    "Steps: {done} of {total} done": "步骤：已完成 {done}/{total}",
    "The run waits for: {text}": "本轮在等待：{text}",
    "Wait for the person: {why}.": "请等待用户：{why}。",
    "a decision waits for a person: {question}": "有一个决定等用户来做：{question}",
    "started {id}": "已开始 {id}",
    "live on it: {names}": "正在其上运行：{names}",
    "not archived": "未归档",
    "nothing was completed": "没有完成任何步骤",
    "the step failed {n} times": "该步骤失败了 {n} 次",
    "the largest number of steps is reached (maxSteps)": "已达到步数上限（maxSteps）",
    "the thread's budget of tokens is spent": "线程的 token 预算已用完",
    "this client allows no more turns in a row; the next prompt picks it up again": (
        "该客户端不允许连续更多回合；下一个提示词会接着做"
    ),
    "no step was completed since it last continued": "自上次继续以来没有完成任何步骤",
    "the person said stop": "用户要求停止",
    "the turn was interrupted or failed": "该回合被中断或失败",
    "there are no steps": "没有步骤",
    "The run of {thread} stopped: {why}. {done} done, {left} left.": (
        "{thread} 的执行已停止：{why}。已完成 {done} 步，剩余 {left} 步。"
    ),
    "A run is on: {done} done, {left} left, step {n} of {most}": (
        "正在执行：已完成 {done} 步，剩余 {left} 步，第 {n} 步，上限 {most}"
    ),
    "A run ended with its session: {done} done, {left} left": (
        "执行随会话一起结束：已完成 {done} 步，剩余 {left} 步"
    ),
    "{number} is archived: {file}": "{number} 已归档：{file}",
    "{number} was archived: {file}": "{number} 先前已归档：{file}",
    "Not archived yet: {marks}. Worth keeping? leftoff thread archive NUMBER": (
        "尚未归档：{marks}。如果对话值得保留：leftoff thread archive NUMBER"
    ),
    "what is not archived": "尚未归档的会话",
    "autoSave came with the file: it takes effect once auto-on is run here": (
        "autoSave 是随文件而来的：在这台机器上执行 auto-on 之后才生效"
    ),
    "autoContinue came with the file: it takes effect once a person runs continue on here": (
        "autoContinue 是随文件而来的：有人在这台机器上执行 continue on 之后才生效"
    ),
}

MESSAGES: dict[str, str] = {
    "{name}: its conversation is gone; thread.json notes it": (
        "{name}：对话已不存在；已记入 thread.json"
    ),
    "restore the client's transcript and run it again": "恢复客户端的会话记录后再运行一次",
    "{id} has no session that waits to be archived": "{id} 没有等待归档的会话",
    "leftoff thread status shows its sessions": "leftoff thread status 会显示它的会话",
    "{n} sessions of {id} match": "{id} 有 {n} 个会话符合",
    "say which, by its number or its id": "请用编号或 id 指定一个",
    "{id} has no session {word}": "{id} 没有会话 {word}",
    "name the thread behind it": "请在其后指定线程",
    "the session {agent}/{session} is not on {id}": "会话 {agent}/{session} 不在 {id} 上",
    "the session {name} still runs": "会话 {name} 仍在运行",
    "archive it from a later session": "请在之后的会话中归档",
    ".checkpoints/threads/{id}/history has {n} pages of that name": (
        ".checkpoints/threads/{id}/history 已有 {n} 个同名页面"
    ),
    "the list of sessions does not say so yet: {text}": "会话列表尚未更新：{text}",
    "--save-first and --no-save cannot be used together": "--save-first 与 --no-save 不能同时使用",
    "you are already on {id}, so no other thread was started": "你已在 {id} 上，没有开始新的线程",
    "leftoff thread enable --new NAME begins one": (
        "leftoff thread enable --new NAME 会开始一个新线程"
    ),
    "save it, then change": "先保存，再切换",
    "change, and leave it as it is": "直接切换，保持原样",
    "{id} has work since its last save: {files} and {n} more. Save it first?": (
        "{id} 自上次保存后有改动：{files} 以及另外 {n} 个。先保存吗？"
    ),
    "{id} has work since its last save: {files}. Save it first?": (
        "{id} 自上次保存后有改动：{files}。先保存吗？"
    ),
    "say what a person has to know": "请写明用户需要知道什么",
    "--question and --error cannot be used together": "--question 与 --error 不能同时使用",
    "a question stops a run": "提问会停止执行",
    "leave it out, or say continue off": "请去掉它，或使用 continue off",
    "Archive a Markdown checkpoint with its outcome, or the conversation of a past session.": (
        "归档一个 Markdown 断点及其结果，或某个过去会话的对话。"
    ),
    "the checkpoint, or the thread": "断点或线程",
    "instead: a past session, by number or id": "改为：某个过去的会话，按编号或 id",
    "archive needs a checkpoint, or --session": "archive 需要一个断点，或 --session",
    "say which": "请指定",
    "--session archives a conversation, not a checkpoint": "--session 归档的是对话，而不是断点",
    "leave the rest out": "请去掉其余选项",
    "Work across sessions: start a thread, switch to one, archive its conversations.": (
        "跨会话的工作：开始线程、切换线程、归档其对话。"
    ),
    "the percent, number, on/off or session that it takes; then the thread": (
        "所需的百分比、数字、on/off 或会话；然后是线程"
    ),
    "enable: begin another thread": "enable：开始另一个线程",
    "switch: save the old one first": "switch：先保存原来的线程",
    "switch: leave the old one as it is": "switch：原来的线程保持原样",
    "continue off: what a person decides": "continue off：需要用户决定什么",
    "continue off: what failed again": "continue off：什么再次失败",
    "act for this session": "以这个会话的名义执行",
    "switch needs a thread": "switch 需要指定线程",
    "leftoff thread list shows all": "leftoff thread list 会列出全部",
    'continue is on or off, not "{word}"': "continue 只能是 on 或 off，而不是 “{word}”",
    "say one of them": "请选其一",
}
