"""Chinese: the first minute: what `leftoff` says where nobody saved, the demo, help, completion."""

TEXTS = {
    "Agents": "代理",
    "Documents": "文档",
    "Every day": "日常",
    "New here? leftoff demo": "第一次使用？请运行 leftoff demo",
    "Others": "其他",
    "Threads and sessions": "线程与会话",
    "Upkeep": "维护",
    "{answer} is none of these: type a number, or Enter alone to leave it": (
        "{answer} 不在其中：请输入编号，或直接按 Enter 放弃"
    ),
    "{answer} is neither: type y or n": "{answer} 不是有效的回答：请输入 y 或 n",
    "(Enter runs each command, Ctrl-C quits)": "（按 Enter 运行每条命令，Ctrl-C 退出）",
    "A colleague merges #42, deletes the branch and a file. The thread does not know:": (
        "同事合并了 #42，删掉了分支和一个文件。没有人告诉这个线程："
    ),
    "A new session of any agent starts with this: what holds, and what does not.": (
        "任何代理的新会话都以此开始：什么成立，什么不成立。"
    ),
    "All of this was real, and is gone again. Now run leftoff in one of your repositories.": (
        "以上全部真实运行，现已清除。请在你自己的仓库中运行 leftoff。"
    ),
    "Amounts are integers in cents": "金额一律为以分计的整数",
    "And this is how it all fits together.": "最后看看它们之间的关系。",
    "Another idea branches off, and keeps everything that still holds.": (
        "另一个想法分出自己的路，并沿用仍然成立的内容。"
    ),
    "Build the retry page": "制作重试页面",
    "Cards are charged in the sandbox.": "沙盒中已能刷卡收款。",
    "Claude Code is killed in the middle of an edit. Its cut-off transcript is enough:": (
        "Claude Code 在编辑途中被强制终止。被截断的会话记录已经足够："
    ),
    "Mail the receipt": "用邮件发送收据",
    "Merge the retry page (#42)": "合并重试页面 (#42)",
    "Record where it stands, and which command proves that a step is done.": (
        "记下进展，以及用哪条命令证明一步已完成。"
    ),
    "Number the invoices": "为发票编号",
    "Payments": "支付",
    "So what is next? What has already landed is skipped.": (
        "那么下一步是什么？已经合入的会跳过。"
    ),
    "The page is written and committed. It counts as done because its check passes.": (
        "页面已写好并提交。检查通过，因此算完成。"
    ),
    "You start a piece of work. A thread carries it across sessions and agents.": (
        "你开始一项工作。线程让它跨越会话和代理延续。"
    ),
    "leftoff in one minute": "一分钟了解 leftoff",
    "Before that": "在此之前",
    "By hand": "手动",
    "Changed": "改动",
    "From now on": "从现在起",
    "Continue anywhere": "在任何地方继续",
    "Continue there": "在原处继续",
    "Left for you": "留给你的",
    "No checkpoints here yet, and no agent session worked in this project.": (
        "这里还没有断点，也没有代理会话在这个项目中工作过。"
    ),
    "Nothing is open here: {n} archived, see leftoff list.": (
        "这里没有进行中的断点：已归档 {n} 个，见 leftoff list。"
    ),
    "Other projects": "其他项目",
    "Said last": "最后说",
    "See all of it": "查看全部",
    "See how it works": "看看它如何工作",
    "Uncommitted": "未提交",
    "What sessions did here: leftoff status; to draft a checkpoint of it: leftoff recover": (
        "各会话在这里做过的工作：leftoff status；为其起草断点：leftoff recover"
    ),
    "Where you left off": "你上次停在这里",
    "With your agents": "配合你的代理",
    "leftoff setup: every new session starts with this, checked": (
        "leftoff setup：每个新会话都会以此开始，并经过核查"
    ),
    "leftoff setup: sessions are recorded and start with a brief": (
        "leftoff setup：记录会话，并让新会话以简报开始"
    ),
    'leftoff save "what you are doing, and what is next"': (
        'leftoff save "正在做什么，下一步是什么"'
    ),
    "nothing": "无",
    "still running": "仍在运行",
    "{command}, then leftoff resume": "{command}，然后 leftoff resume",
    "{files} and {n} more": "{files} 等，另有 {n} 个",
}

MESSAGES = {
    "Print a completion script for your shell: commands, options and names.": (
        "输出补全脚本，让 shell 补全命令、选项和名称。"
    ),
    "See it in action: work, crash, drift and resume, in a folder that is gone afterwards.": (
        "看它如何工作：工作、崩溃、偏离、继续，全在一个用完即删的文件夹里。"
    ),
    "install git": "请安装 git",
    "please report this": "请报告此问题",
    "set TMPDIR to a folder that can be written": "把 TMPDIR 设为可写的文件夹",
    "the demo cannot make a temporary folder: {reason}": "演示无法创建临时文件夹：{reason}",
    "the demo needs git, which is not installed": "演示需要 git，但没有安装",
    'the demo stopped: "{command}" ended with {code}: {said}': (
        "演示中止：“{command}” 以 {code} 结束：{said}"
    ),
    "wait for Enter before each command": "每条命令前等待 Enter",
}
