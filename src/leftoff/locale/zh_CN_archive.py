"""Chinese for what is said of the archive: texts of views, then messages."""

TEXTS: dict[str, str] = {}

MESSAGES: dict[str, str] = {}
