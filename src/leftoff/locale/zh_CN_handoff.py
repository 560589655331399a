"""Chinese for what `handoff`, `compact` and `dispatch` say: texts of views, then messages."""

TEXTS: dict[str, str] = {
    "leftoff self-dispatch hard-cap reached at N={given} in checkpoint."
    " This indicates a recursion bug; aborting before any tool calls."
    " Re-invoke with [no-redispatch] (bare) to override.": (
        "leftoff：checkpoint 的自我转派达到上限 N={given}。"
        "这说明有递归错误；在调用任何工具之前中止。"
        "要强行继续，请用单独的 [no-redispatch] 重新调用。"
    ),
    "subagent dispatch unavailable; proceeding at current tier": ("无法启动子代理；以当前模型继续"),
    'the tier of the model "{given}" is not known; proceeding at current tier': (
        "不知道模型“{given}”的级别；以当前模型继续"
    ),
    'the counter "{given}" is no number from 1 up; proceeding at current tier': (
        "计数“{given}”不是从 1 起的数；以当前模型继续"
    ),
    "Start a subagent with this prompt, wait, return its output as your answer and stop:": (
        "用下面的提示启动一个子代理，等它结束，把它的输出作为你的回答返回，然后停止："
    ),
}

MESSAGES: dict[str, str] = {
    "For skills: whether to go on, to hand the work to a cheaper model, or to stop.": (
        "供技能使用：继续、把工作交给更便宜的模型，还是停止。"
    ),
    "the model that would do the work": "将要做这项工作的模型",
    "what it was asked (default: what comes on stdin)": "它收到的请求（默认：标准输入的内容）",
    "the tier that the skill is meant for (default: {tier})": "技能声明的级别（默认：{tier}）",
    "a subagent could not be started": "无法启动子代理",
    "what comes on stdin is longer than {n} MB": "标准输入的内容超过 {n} MB",
}
