"""Where the picture of a product lies."""


def path_of(product: str) -> str:
    """Two letters make a folder, so that none grows too large."""
    return f"pictures/{product[:2]}/{product}.jpg"
