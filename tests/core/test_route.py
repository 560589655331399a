"""Which verb a sentence means."""

from __future__ import annotations

import pytest

from leftoff.core.route import route
from leftoff.errors import NotFound


@pytest.mark.parametrize(
    ("said", "verb"), [("leftoff next", "next"), ("/leftoff-next", "next"), ("leftoff", "status")]
)
def test_what_follows_our_name_is_the_verb(said, verb):
    assert route(said)[0] == verb


def test_a_word_that_only_begins_with_our_name_is_no_call():
    with pytest.raises(NotFound, match='"leftoffs" matches no verb'):
        route("leftoffs")
