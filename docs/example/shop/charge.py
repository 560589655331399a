"""Charging a card in the sandbox."""


def charge(card: str, cents: int) -> bool:
    """Whether the card was charged; the sandbox declines every card that ends in 0."""
    return cents > 0 and not card.endswith("0")
