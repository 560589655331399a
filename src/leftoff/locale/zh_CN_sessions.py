"""Chinese: what is said of sessions, by `session`, `budget` and `status`."""

TEXTS = {
    "(a dry run: nothing was written)": "（试运行：没有写入任何内容）",
    "(more: leftoff session list --all)": "（更多：leftoff session list --all）",
    "(nobody calls from a session: the newest one of this project)": (
        "（不是从会话中调用：显示这个项目最新的会话）"
    ),
    "(the session that calls)": "（发起调用的会话）",
    "({n} older: leftoff session list --all)": "（另有 {n} 个较早的：leftoff session list --all）",
    "About": "内容",
    "Agent": "代理",
    "All {n} entries of the to-do list are done: a good moment to {how}": (
        "待办列表的 {n} 项已全部完成，正是好时机：{how}"
    ),
    "Clean up with: leftoff session reconcile": "清理：leftoff session reconcile",
    "Commits": "提交数",
    "Compactions": "压缩",
    "Context": "上下文",
    "Delegate: give searches and long outputs to subagents.": "请委派：把搜索和长输出交给子代理。",
    "Duration": "时长",
    "Events": "事件",
    "Failed": "失败",
    "Failed calls": "失败的调用",
    "Files changed": "改动的文件",
    "Forecast": "预测",
    "Headroom": "余量",
    "In use": "已用",
    "Key decisions": "关键决定",
    "Last session": "上一个会话",
    "Last sessions here": "此处最近的会话",
    "Level": "级别",
    "Lines left out": "略过的行",
    "Models": "模型",
    "Next steps": "下一步",
    "No session needs to be cleaned up.": "没有需要清理的会话。",
    "No session of an agent in the last days.": "最近几天没有代理会话。",
    "No session of an agent is known in this project.": "这个项目没有已知的代理会话。",
    "No session of an agent is known on this machine.": "本机没有已知的代理会话。",
    "Open": "未完成",
    "Outcomes and tasks in progress": "目标与进行中的任务",
    "Project": "项目",
    "Prompts": "提示词",
    "Recent sessions": "近期会话",
    "Save first (leftoff update NAME), then delegate or begin a new session.": (
        "先保存（leftoff update NAME），再委派或开始新会话。"
    ),
    "Seen": "最近活动",
    "Session": "会话",
    "Sessions": "会话数",
    "Stale sessions": "失联的会话",
    "State": "状态",
    "Subagents": "子代理",
    "Tasks": "任务",
    "Tasks done": "完成的任务",
    "The conversation was compacted, and its summary was not shown to leftoff.": (
        "对话已被压缩，leftoff 没有看到它的摘要。"
    ),
    "There is room.": "还有余地。",
    "Thread {id}": "线程 {id}",
    "Tokens": "token",
    "Tools": "工具",
    "What": "指标",
    "What was decided and comes next: leftoff resume": "已做的决定和下一步：leftoff resume",
    "Where it stopped": "停在哪里",
    "Window": "窗口",
    "about {turns_left} turns left, {turns_to_critical} until critical": (
        "大约还剩 {turns_left} 个回合，{turns_to_critical} 个回合后危急"
    ),
    "active": "进行中",
    "agent": "代理",
    "all": "全部",
    "an estimate by the bytes of the transcript": "按会话记录字节数的估计",
    "archived": "已归档",
    "by the model's name": "据模型名称",
    "by the usage in the transcript": "据会话记录中的用量",
    "by your settings": "据你的设置",
    "critical": "危急",
    "day": "日期",
    "healthy": "良好",
    "its process is gone": "进程已不在",
    "its transcript is not there": "找不到它的会话记录",
    "last failure: {text}": "最后的失败：{text}",
    "model": "模型",
    "more was in use than the smaller window holds": "用量已超过较小的窗口",
    "near": "接近上限",
    "next: {text}": "下一步：{text}",
    "none": "无",
    "noted for {agent} {id}": "已为 {agent} {id} 记下",
    "nothing was counted or noted": "没有统计或记录",
    "of the estimate": "估计所用",
    "open task: {text}": "未完成的任务：{text}",
    "over": "超出预算",
    "project": "项目",
    "recent": "近期",
    "stale": "失联",
    "the client says so": "客户端给出",
    "as the client told at the last event": "客户端在最近一次事件中给出",
    "nothing was measured yet": "尚未测量",
    "the default": "默认值",
    "unlimited": "无上限",
    "updated {path}": "已更新 {path}",
    "warning": "警告",
    "warning {warn:g} %, critical {critical:g} %": "警告 {warn:g} %，危急 {critical:g} %",
    "within": "在预算内",
    "{agent} {id}: ended ({reason}), last seen {hours} h ago, {tokens} tokens, {files} file(s)": (
        "{agent} {id}：已结束（{reason}），{hours} 小时前活动，{tokens} 个 token，{files} 个文件"
    ),
    "{agent} {id}: no sign for {hours} h (a crash, a lost network, a closed terminal?)": (
        "{agent} {id}：已 {hours} 小时没有动静（崩溃、断网、终端已关闭？）"
    ),
    "{age} ago": "{age}前",
    "{completed} done, {open} open": "{completed} 个完成，{open} 个未完成",
    "{now} now, {peak} at most": "现在 {now}，最多 {peak}",
    "{n} by counted git commit commands; git could not be asked": (
        "{n} 个，按 git commit 命令计数；无法询问 git"
    ),
    "{n} by git log ({counted} git commit commands)": (
        "{n} 个，据 git log（git commit 命令 {counted} 次）"
    ),
    "{n} min": "{n} 分钟",
    "{n} stale: no sign for more than an hour (a crash, a lost network or a closed "
    "terminal); leftoff session reconcile": (
        "{n} 个失联：超过一小时没有动静（崩溃、断网或终端已关闭）；leftoff session reconcile"
    ),
    "{n} tokens per turn": "每回合 {n} 个 token",
    "{n} uncommitted file(s)": "{n} 个文件未提交",
    "{percent:g} % after {ahead} turns": "{ahead} 个回合之后 {percent:g} %",
}
