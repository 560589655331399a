"""A test with a real client is tried once more when the client itself failed, and the run says so.

Only `ClientFailed` counts: what leftoff does wrong is wrong the first time.
"""

from __future__ import annotations

import pytest
from _pytest.runner import runtestprotocol

from clients.box import ClientFailed

_TRIED_AGAIN = "tried again"


def pytest_runtest_protocol(item: pytest.Item, nextitem: pytest.Item | None) -> bool | None:
    """Runs the tests marked `client`; all others as ever."""
    if item.get_closest_marker("client") is None:
        return None
    hooks = item.ihook
    hooks.pytest_runtest_logstart(nodeid=item.nodeid, location=item.location)
    reports = runtestprotocol(item, log=False, nextitem=nextitem)
    if trouble := next((report for report in reports if _by_the_client(report)), None):
        item._initrequest()  # fixtures anew
        reports = runtestprotocol(item, log=False, nextitem=nextitem)
        for report in reports:
            report.user_properties.append((_TRIED_AGAIN, _why(trouble)))
    for report in reports:
        hooks.pytest_runtest_logreport(report=report)
    hooks.pytest_runtest_logfinish(nodeid=item.nodeid, location=item.location)
    return True


def _by_the_client(report: pytest.TestReport) -> bool:
    """By what was raised: the text of a failure shows lines of the test, which may name it too."""
    raised = _why(report).partition(":")[0]
    return report.failed and raised.rpartition(".")[2] == ClientFailed.__name__


def _why(report: pytest.TestReport) -> str:
    crash = getattr(report.longrepr, "reprcrash", None)
    return (crash.message if crash else report.longreprtext).split("\n")[0]


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """Name the tests that took a second try."""
    again = {
        report.nodeid: why
        for reports in terminalreporter.stats.values()
        for report in reports
        for what, why in getattr(report, "user_properties", ())
        if what == _TRIED_AGAIN
    }
    if again:
        terminalreporter.section(f"{len(again)} tests tried again because a client failed")
        for test, why in sorted(again.items()):
            terminalreporter.line(f"{test}: {why}")
