"""Chinese for the MCP server: texts of views and prompts, then messages."""

TEXTS: dict[str, str] = {
    "(more: call again with cursor {cursor})": "（还有更多：用 cursor {cursor} 再次调用）",
    "A client starts this, and talks to it on stdin and stdout: see docs/mcp.md.": (
        "由客户端启动，经 stdin 和 stdout 通信：见 docs/mcp.md。"
    ),
    "Call resume_work. Read the verdicts first: what is contradicted is not true any more."
    " If it asks something, ask the user. Then say in two sentences where things"
    " stand, and begin with the next action.": (
        "调用 resume_work。先看核对结果：被否定的说法已不成立。"
        "如果它提出问题，请询问用户。然后用两句话说明进展，并从下一个行动开始。"
    ),
    "Call save_checkpoint: where the work stands in a few sentences, every step that is"
    " still open, the decisions that were made, and what stands in the way.": (
        "调用 save_checkpoint：用几句话写明工作进展、所有未完成的步骤、已做的决定以及阻碍。"
    ),
    "It goes on with {to}.": "接手者：{to}。",
    "Leave the work so that another agent or a colleague can go on": (
        "交接工作，让另一个代理或同事能够继续"
    ),
    "Pick up where work was left off": "从上次停下的地方继续",
    "Prepare the work for somebody who knows nothing of this session. Call"
    " save_checkpoint with the intent, where things stand, every open step, decisions"
    " with their reasons, open questions and the files that matter. Then name the"
    " checkpoint to the user: whoever goes on resumes it.": (
        "为对本次会话一无所知的人准备交接。调用 save_checkpoint，写明目标、进展、所有未完成的步骤、"
        "决定及其理由、未决问题和重要文件。然后把断点名称告诉用户：接手者由此继续。"
    ),
    "Save where the work stands": "保存工作进展",
    "The checkpoint is {name}.": "断点是 {name}。",
    "Tokens that a client puts before its model, estimated without a tokenizer.": (
        "客户端放到模型面前的 token 数，不用分词器估算。"
    ),
    "Write this down too: {note}": "同时记下：{note}",
    "about {n}": "约 {n}",
    "instructions": "说明",
    "tool": "工具",
    "what to write down": "要记下的内容",
    "which checkpoint or thread": "哪个断点或线程",
    "who goes on": "由谁继续",
}

MESSAGES: dict[str, str] = {
    '"action" is one of a checkpoint: give "name" too': (
        "“action” 属于某个断点：请同时给出 “name”"
    ),
    '"limit" cannot be {limit}': "“limit” 不能是 {limit}",
    '"{name}" contains a character that no text may have': "“{name}” 含有文本中不允许的字符",
    '"{name}" must be a list of texts': "“{name}” 必须是文本列表",
    '"{name}" must be a whole number, 1 or more': "“{name}” 必须是不小于 1 的整数",
    '"{path}" is not a dotted path': "“{path}” 不是以点分隔的路径",
    '"{path}" is resolved with ours or theirs': "“{path}” 只能以 ours 或 theirs 解决",
    '"{port}" is not a port': "“{port}” 不是端口",
    "Serve the commands as Model Context Protocol tools, for agents without a shell.": (
        "以 Model Context Protocol 的工具提供各命令：供没有 shell 的代理使用。"
    ),
    "a command that checks a step is not written over MCP: it could be run later": (
        "检查步骤的命令不能经 MCP 写入：它以后可能被运行"
    ),
    "about how many tokens it costs": "大约占用多少 token",
    "ask for one checkpoint by its name": "请按名称查询单个断点",
    "at most {most}; the rest by cursor": "最多 {most}；其余用 cursor 获取",
    "cannot listen on port {port}: {reason}": "无法监听端口 {port}：{reason}",
    "choose another port, or 0 for a free one": "请换一个端口，或用 0 选择空闲端口",
    "get_next names both": "get_next 会给出两者",
    "give a number up to 65535, or 0": "请给出不超过 65535 的数字，或 0",
    "give at least {count} characters, or leave it out": "请给出至少 {count} 个字符，或将其省略",
    "correct it, and call again": "请改正后再次调用",
    "give it, and call again": "请给出它，再次调用",
    "give next_cursor as it came, with the same arguments as before": (
        "请原样给出 next_cursor，并使用与之前相同的参数"
    ),
    "give the file the mode 0600": "请将该文件的权限设为 0600",
    'it takes "{name}"': "它接受 “{name}”",
    "it takes: {names}": "它接受：{names}",
    "leave done_when out": "请省略 done_when",
    "leave it out, or open that folder in your client first": (
        "请将其省略，或先在客户端中打开该文件夹"
    ),
    "leave out NUL and halves of characters": "请去掉 NUL 和不完整的字符",
    "leftoff failed: {name}": "leftoff 出错：{name}",
    "list the resources": "请列出资源",
    "list the tools": "请列出工具",
    "minimal: tools that write no document; full: all (default)": (
        "minimal：不写文档的工具；full：全部（默认）"
    ),
    "others can read the token": "其他用户可以读取该令牌",
    "over HTTP on this machine, with a token; 0, or none, is a free port": (
        "经本机 HTTP 提供，需令牌；0 或省略为空闲端口"
    ),
    "pip install 'leftoff[mcp]'": "请运行 pip install 'leftoff[mcp]'",
    "that cursor does not belong to this call": "该 cursor 不属于此次调用",
    "this server may not look at that folder": "此服务器不可查看该文件夹",
    "the extra mcp is not installed ({name} is missing)": "未安装附加组件 mcp（缺少 {name}）",
    'the prompt {name} takes no "{given}"': "提示 {name} 不接受 “{given}”",
    "the server was started with --profile minimal": "服务器以 --profile minimal 启动",
    "the token is too short": "令牌太短",
    'there is no prompt "{name}"': "没有提示 “{name}”",
    'there is no resource "{uri}"': "没有资源 “{uri}”",
    'there is no tool "{name}"': "没有工具 “{name}”",
    "this reply was too long: texts and lists in it are cut": "回复过长：其中的文本和列表已截短",
    "write it as a.b.c": "请写成 a.b.c",
    "write one of 16 or more characters into the file": "请在文件中写入 16 个或更多字符的令牌",
    '{tool} needs "{name}"': "{tool} 需要 “{name}”",
    '{tool} takes no "{name}"': "{tool} 不接受 “{name}”",
    "{variable} is too short to be a secret": "{variable} 太短，不能作为秘密",
}
