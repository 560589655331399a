"""Chinese for what the page says: texts of templates, then messages."""

TEXTS: dict[str, str] = {}

MESSAGES: dict[str, str] = {}
