"""One verb, one file. A command gathers facts, calls the pure core, writes, and returns a Result.

A command module defines SUMMARY, `arguments(parser)`, `run(call) -> Result` and `view(data, say)`.
"""
