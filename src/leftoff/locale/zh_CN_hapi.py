"""Chinese for what `hapi` says: texts of views, then messages."""

TEXTS: dict[str, str] = {}

MESSAGES: dict[str, str] = {}
