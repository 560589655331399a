"""Chinese for charts, for the pages with figures, and for what sessions cost."""

TEXTS: dict[str, str] = {
    "({n} more: --from {at})": "（还有 {n} 个：--from {at}）",
    "All checkpoints": "所有断点",
    "All prompts ({n})": "全部提示词（{n}）",
    "Began": "开始",
    "By": "按",
    "By agent": "按代理",
    "By day": "按日期",
    "By model": "按模型",
    "By project": "按项目",
    "Checkpoint": "断点",
    "Choose more days or all projects above.": "请在上方选择更多天数或所有项目。",
    "Choose “all” above to see every one.": "在上方选择“全部”可看到所有断点。",
    "Choose “any” above to see more.": "在上方选择“任意”可看到更多。",
    "Context use": "上下文用量",
    "Conversation": "对话",
    "Cost": "费用",
    "Cost per day": "每日费用",
    "Cost: as the clients recorded it, else by public list prices of {date}.": (
        "费用：以客户端记录为准，没有则按 {date} 的公开标价。"
    ),
    "Cost: as the clients recorded it.": "费用：以客户端记录为准。",
    "Cost: by public list prices of {date}, whatever your plan is.": (
        "费用：按 {date} 的公开标价，不考虑你的套餐。"
    ),
    "Cost: by the prices in your settings.": "费用：按你设置中的价格。",
    "Cost: what clients recorded; else “about”, by public list prices of {date}, whatever your "
    "plan is. Models without a known price are not counted; [prices] in your settings names "
    "others.": (
        "费用：以客户端记录为准；标“约”的按 {date} 的公开标价计算，不考虑你的套餐。"
        "价格未知的模型不计入；可在设置的 [prices] 中补充。"
    ),
    "Day": "日期",
    "Days": "天数",
    "Ended": "结束",
    "Fewer words find more; begin* finds words that begin so; “all projects” looks everywhere.": (
        "词越少，找到的越多；词首* 匹配以此开头的词；“所有项目”会到处查找。"
    ),
    "Hooks": "钩子",
    "Hours": "小时",
    "Its client may have deleted it. What hooks recorded is shown above.": (
        "可能已被客户端删除。钩子记录的内容见上方。"
    ),
    "Kind": "种类",
    "Lineage": "谱系",
    "Marks": "标记",
    "Model": "模型",
    "More turns": "更多回合",
    "No session matches these filters.": "没有符合条件的会话。",
    "No agent session in this period.": "这些天没有代理会话。",
    "No such checkpoint here.": "这里没有这样的断点。",
    "Picture": "图",
    "Save one, and fork it when work splits:": "先保存一个，工作分叉时再派生：",
    "Search everything": "搜索全部内容",
    "Search what sessions, checkpoints and archived pages say.": (
        "搜索会话、断点和归档页面中的内容。"
    ),
    "Sessions appear here when a coding agent has worked. Hooks show more:": (
        "编码代理工作过后，会话会出现在这里。装上钩子可了解更多："
    ),
    "Sessions over time": "会话时间线",
    "Show": "显示",
    "Since": "起始",
    "Statistics": "统计",
    "The transcript of this session is not there.": "找不到这个会话的记录。",
    "The values as a table": "以表格显示数值",
    "Time": "时间",
    "Tokens per day": "每日 token",
    "Trend": "趋势",
    "User": "用户",
    "Verdict": "结论",
    "What failed and was not repaired": "失败且未修复的调用",
    "Where": "范围",
    "Words to look for": "要查找的词",
    'Words, "a phrase", begin*, -without': '词、"短语"、词首*、-排除',
    "Work with a coding agent in this folder, or look at all projects above. Hooks show more:": (
        "请在此文件夹中使用编码代理，或在上方查看所有项目。装上钩子可了解更多："
    ),
    "You": "你",
    "about {amount}": "约 {amount}",
    "all projects": "所有项目",
    "answers, in their order": "按先后排列的回答",
    "any": "任意",
    "any time": "任意时间",
    "compaction": "压缩",
    "continues {id}": "接续 {id}",
    "crash": "崩溃",
    "earlier": "更早",
    "ended by {reason}": "结束方式：{reason}",
    "failed": "失败",
    "finished": "已结束",
    "later": "更晚",
    "live": "实时",
    "more than {amount}": "超过 {amount}",
    "open": "进行中",
    "others": "其他",
    "save": "保存",
    "this project": "本项目",
    "to the end": "到末尾",
    "window {n}": "窗口 {n}",
    "{first} to {last} of {n}": "第 {first} 至 {last} 个，共 {n} 个",
    "{n} answer(s), {peak} tokens at most": "{n} 个回答，最多 {peak} 个 token",
    "{n} checkpoint(s)": "{n} 个断点",
    "{n} compaction(s)": "{n} 次压缩",
    "{n} day(s), {total} in all": "{n} 天，共 {total}",
    "{n} found": "找到 {n} 条",
    "{n} more": "另有 {n} 个",
    "{n} more are not drawn": "另有 {n} 个未画出",
    "{n} more characters": "另有 {n} 个字符",
    "not drawn: {n} more session(s)": "另有 {n} 个会话未画出",
    "{n} tokens": "{n} 个 token",
    "{n} tokens are of models without a known price: [prices] in your settings": (
        "{n} 个 token 属于价格未知的模型：可在设置的 [prices] 中补充"
    ),
    "{runs} runs took {ms} ms, the longest {worst} ms": (
        "运行 {runs} 次，共 {ms} 毫秒，最长 {worst} 毫秒"
    ),
}

MESSAGES: dict[str, str] = {
    "--format, --out, --from, --limit and --line are about one session": (
        "--format、--out、--from、--limit 和 --line 针对单个会话"
    ),
    "--from and --limit show a part of a conversation": "--from 和 --limit 显示对话的一部分",
    "export ID: the part with line N of the transcript": "export ID：记录中第 N 行所在的部分",
    "known: {names}; the first two are needed": "已知：{names}；前两项必填",
    "leave --format, --out and --write out": "去掉 --format、--out 和 --write",
    "list, export ID: at most N": "list、export ID：最多 N 个",
    "list, export ID: skip the first N": "list、export ID：略过前 N 个",
    "list: only {states}": "list：仅 {states}",
    "prices of a project cannot be set": "不能在项目中设置价格",
    "prices.{model} must be dollars for a million tokens": (
        "prices.{model} 必须是每百万 token 的美元价格"
    ),
    "prices.{model} must say what it costs": "prices.{model} 必须写明价格",
    "stats: a line for each day, agent, project or model; everything: all four": (
        "stats：按日期、代理、项目或模型各一行；everything：四种都要"
    ),
}
