"""Paths in texts that travel between machines: the project's folder and the home folder are named.

What one machine calls `/home/ann/shop/src/a.py` is `${leftoff:project}/src/a.py` on its way, and
the reader's own path where it arrives. Pure.
"""

from __future__ import annotations

PROJECT, HOME = "project", "home"
_MARK = "${leftoff:"
_ESCAPED = "${leftoff::"
# `/home/ann/shop` stands neither in `/mnt/home/ann/shop` nor in `/home/ann/shop2`, `shop.git`
_BEFORE, _BEHIND = r"(?<![\w/.~-])", r"(?![\w-]|\.\w)"


def portable(text: str, root: str, home: str) -> str:
    """The text with this machine's two folders named instead of written out."""
    text = text.replace(_MARK, _ESCAPED)
    for folder, name in ((root, PROJECT), (home, HOME)):
        plain = folder.rstrip("/")
        if plain and plain in text:
            import re  # only for a text that names a folder of this machine

            token = f"{_MARK}{name}}}"
            found = _BEFORE + re.escape(plain) + _BEHIND
            text = re.sub(found, lambda _, token=token: token, text)  # type: ignore[misc]
    return text


def local(text: str, root: str, home: str) -> str:
    """The same text with the folders of the machine that reads it."""
    if _MARK not in text:
        return text
    for folder, name in ((root, PROJECT), (home, HOME)):
        text = text.replace(f"{_MARK}{name}}}", folder.rstrip("/") or folder)
    return text.replace(_ESCAPED, _MARK)
