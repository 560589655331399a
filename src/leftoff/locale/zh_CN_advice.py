"""Chinese: what leftoff itself advises. Apart, since other advice is a document's own words."""

MESSAGES = {
    "All {n} queued actions have already landed: bring this checkpoint up to date.": (
        "排队的 {n} 个行动均已合入：请更新断点。"
    ),
    "Blocked on your decision: {text}": "等待你的决定：{text}",
    "Blocked: it needs recovery": "受阻：需要恢复",
    "Blocked: {text}": "受阻：{text}",
    "Decide, then resume.": "先做决定，再继续。",
    "Decide. Proposed: {text}": "请做决定。建议：{text}",
    "Failed: it needs recovery": "失败：需要恢复",
    "Failed: {text}": "失败：{text}",
    "Find out why, and recover.": "查明原因，然后恢复。",
    "No next action is queued: review the checkpoint.": "没有排队的下一步行动：请查看断点。",
    "Over budget ({spent} of {budget}). {text}": "超出预算（{spent}，预算 {budget}）。{text}",
    "The one queued action has already landed: bring this checkpoint up to date.": (
        "排队的唯一行动已合入：请更新断点。"
    ),
}
