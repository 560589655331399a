"""Chinese for what `save` says: texts of views, then messages."""

TEXTS: dict[str, str] = {}

MESSAGES: dict[str, str] = {}
