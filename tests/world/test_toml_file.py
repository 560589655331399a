"""TOML that anybody may have written costs little, and is an error of ours at worst."""

from __future__ import annotations

import pytest

from leftoff.errors import FormatError
from leftoff.world.toml_file import LARGEST, MOST_DOTS, read_toml

LONG = ".".join(["a"] * (MOST_DOTS + 2))


def said(tmp_path, text):
    path = tmp_path / "some.toml"
    path.write_text(text, encoding="utf-8")
    return read_toml(str(path))


def test_what_is_within_bounds_is_read(tmp_path):
    dots = "." * 2 * MOST_DOTS
    text = f"""one = "{dots}\\"{dots}"  # {dots}
two = '{dots}'
three = \"\"\"{dots}
{dots}\"\"\"
four = '''{dots}
"'''
five.{LONG[: 2 * MOST_DOTS - 1]} = 1
"""
    found = said(tmp_path, text)
    assert [*found] == ["one", "two", "three", "four", "five"]
    assert found["one"] == f'{dots}"{dots}'
    assert said(tmp_path, f"x = [{(1 << 63) - 1}, {1 - (1 << 63)}]\ny = true")


@pytest.mark.parametrize(
    "text",
    [
        f"{LONG} = 1",
        f"[{LONG}]",
        f"x = {{{LONG} = 1}}",
        # texts, and what only looks like one, hide none
        f'x = "a\\"b"  # "\n{LONG} = "c"',
        f'x = ["""\n""", {{{LONG} = 1, b = ""}}]',
        f"x = ['''\n''', {{{LONG} = 1, b = ''}}]",
        f'x = """a"""""\n{LONG} = """""b"""',
        f"x = 'it'  # it's\n{LONG} = 'c'",
        "x = " + "[" * 100_000,
        "# " + "x" * LARGEST,
        f"x = {1 << 63}",
        f"x = [{{a = -{'9' * 400}}}]",
        "x = 0x" + "f" * 400,
    ],
)
def test_more_than_anybody_writes_is_not_read(tmp_path, text):
    with pytest.raises(FormatError, match="too large, or nested too deeply"):
        said(tmp_path, text)


@pytest.mark.parametrize(
    "text",
    [
        "a = ",
        "a = " + "1" * 5000,  # more digits than Python reads
        '"\\' * (LARGEST // 2),
        '"""\n' + '\\"""\n' * (LARGEST // 6),
        'a = """' + "\\" * 1001,
        "'''\n" + "''\n" * 999,
    ],
)
def test_what_is_no_toml_is_an_error_of_ours(tmp_path, text):
    with pytest.raises(FormatError):
        said(tmp_path, text)
