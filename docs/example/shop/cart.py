"""The cart: lanterns and how many of each. Amounts are integers in cents."""


def total(cart: dict[str, int], prices: dict[str, int]) -> int:
    """What the cart costs."""
    return sum(count * prices[name] for name, count in cart.items())
