"""Chinese for what is said of history that is kept by itself: texts of views, then messages."""

TEXTS: dict[str, str] = {
    "Save first (leftoff save): in {ahead} turns the context is {percent:g} % full.": (
        "请先保存（leftoff save）：{ahead} 轮之后上下文将占用 {percent:g} %。"
    ),
}

MESSAGES: dict[str, str] = {
    "also how full it will be in N turns, and whether to save first": (
        "同时显示 N 轮之后的占用，以及是否应先保存"
    ),
    "archive of a project can only be auto = false": "项目的 archive 只能是 auto = false",
    "make room": "请腾出空间",
    "leftoff session archive --all copies them now": "leftoff session archive --all 可立即复制",
    "leftoff session archive --all tries again": "leftoff session archive --all 可重试",
    "your own settings may set the rest": "其余的可在你自己的设置中设定",
    "{key} must be true or false": "{key} 必须为 true 或 false",
    "transcripts not copied yet: {n} ({size}): less than {room} of the disk is free": (
        "{n} 份会话记录（{size}）尚未复制：磁盘可用空间不足 {room}"
    ),
    "transcripts not copied yet: {n} ({size}): the archive has reached archive.max_size": (
        "{n} 份会话记录（{size}）尚未复制：存档已达到 archive.max_size"
    ),
    "transcripts not copied yet: {n} ({size}): the next session continues": (
        "{n} 份会话记录（{size}）尚未复制：下个会话会继续"
    ),
    "transcripts that could not be copied: {n} ({trouble})": "{n} 份会话记录无法复制：{trouble}",
}
