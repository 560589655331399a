"""A query, parsed into words and colours."""

COLOURS = {"red", "green", "blue"}


def parse(query: str) -> tuple[set[str], set[str]]:
    """The words of a query, and the colours among them."""
    words = set(query.lower().split())
    return words - COLOURS, words & COLOURS
