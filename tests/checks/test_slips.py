"""Every slip is found, named and located; nothing that is right raises an alarm."""

import pytest
from slips import SLIPS

from glassgrad.checks.grader import check


def test_there_are_enough():
    assert len(SLIPS) >= 40
    assert len({slip.name for slip in SLIPS}) == len(SLIPS)


@pytest.mark.parametrize("slip", SLIPS, ids=lambda slip: slip.name)
def test_slip_is_diagnosed(slip):
    report = check(slip.build())
    assert not report.passed
    assert len(report.problems) == 1, str(report)
    problem = report.problems[0]
    assert slip.what in problem.what, str(report)
    assert slip.says in problem.slip, str(report)
    assert slip.line.rstrip(" #") in problem.where.text, str(report)
