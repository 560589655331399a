"""`leftoff mcp`: the commands as tools of the Model Context Protocol. No logic, as in all of entry.

A tool's arguments become the words of a command line, `entry.calls` runs it, and its Result goes
back as data and as text. Only `server`, `stdio` and `http` import the SDK, which is slow to load.
"""
