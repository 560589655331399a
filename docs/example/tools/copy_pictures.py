"""Copies pictures out of the database, a hundred at a time."""

AT_ONCE = 100
