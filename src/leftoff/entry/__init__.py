"""Ways in: parse, call a command, render its Result, ask. No logic."""
