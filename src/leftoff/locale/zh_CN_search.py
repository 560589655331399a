"""Chinese for what `search` and its index say: texts of views, then messages."""

TEXTS: dict[str, str] = {
    "({n} more: --limit {all})": "（还有 {n} 条：--limit {all}）",
    "Nothing was found here.": "本项目中没有找到。",
    "Nothing was found.": "没有找到。",
    "checkpoint": "断点",
    "command": "命令",
    "decision": "决定",
    "file": "文件",
    "history": "历史",
    "learning": "心得",
    "message": "消息",
    "{path}: {n} transcripts and documents": "{path}：{n} 份会话记录和文档",
}

MESSAGES: dict[str, str] = {
    "--check writes nothing": "--check 不写入任何内容",
    "--decisions and --kind both say what to look at": "--decisions 与 --kind 都指定了要查的种类",
    "Search sessions, checkpoints, learnings and archived threads.": (
        "搜索会话、断点、心得和已归档的线程。"
    ),
    "a newer leftoff made it": "它由更新版本的 leftoff 生成",
    "a search takes at most {number} characters": "搜索最多 {number} 个字符",
    "another process is writing the search index": "另一个进程正在写搜索索引",
    "another program changed it": "它被别的程序改动过",
    'give one or more words; -word excludes a word, "two words" is a phrase': (
        '请给出一个或多个词；-词 表示排除，"两个 词" 表示相邻'
    ),
    "in all projects of this machine": "在本机所有项目中",
    "it is damaged": "它已损坏",
    "it is not an index of leftoff's": "它不是 leftoff 的索引",
    "leave --check or --rebuild out": "去掉 --check 或 --rebuild",
    "search for fewer words": "请减少搜索词",
    "rebuild the search index of this machine": "重新生成本机的搜索索引",
    "only this thread or checkpoint": "仅此线程或断点",
    "only what is from T (or 2d, 12h) on": "仅不早于 T 的内容（或 2d、12h）",
    "only what was decided": "仅决定",
    "only {kinds}": "仅 {kinds}",
    'run "leftoff index --rebuild"': "运行 “leftoff index --rebuild”",
    "its folder cannot be written": "其文件夹不可写",
    "the disk is full": "磁盘已满",
    "make the folder writable, or set LEFTOFF_STATE to one that is": (
        "请使该文件夹可写，或将 LEFTOFF_STATE 设为一个可写的文件夹"
    ),
    "searches work without it": "没有它也能继续搜索",
    "show at most N (default: {number})": "最多显示 N 条（默认：{number}）",
    "the search index cannot be written: {reason}": "无法写入搜索索引：{reason}",
    "the search index cannot be used ({reason}); everything was read instead": (
        "搜索索引无法使用（{reason}）；已改为通读全部内容"
    ),
    "there is no word to search for": "没有可搜索的词",
    "try again later": "请稍后再试",
    """words, '"a phrase"', begin*, 'this -not'""": """词、'"短语"'、词首*、'词 -排除'""",
}
