"""OpenCode: what its plugin gives to which request."""

from __future__ import annotations

from clients import work
from clients.box import Box
from clients.drivers import OPENCODE


def test_the_request_for_the_title_of_a_session_has_nothing_of_ours(box: Box):
    work.prepare(box, OPENCODE)
    work.leave_a_checkpoint(box)
    work.do(box, OPENCODE)
    (title,) = box.model.given("You are a title generator")
    assert "<leftoff id=" not in title.text
    assert box.model.given(work.NEXT)
