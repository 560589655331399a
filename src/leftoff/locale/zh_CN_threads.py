"""Chinese for what `threads` says: texts of views, then messages."""

TEXTS: dict[str, str] = {}

MESSAGES: dict[str, str] = {}
