"""Chinese for what `recover` says: texts of views, then messages."""

TEXTS: dict[str, str] = {}

MESSAGES: dict[str, str] = {}
