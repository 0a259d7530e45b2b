"""Every slip is found, named and located; nothing that is right raises an alarm."""

import pytest
from slips import HELD, SLIPS, build
from variants import VARIANTS

from glassgrad.checks.grader import check


def test_there_are_enough():
    assert len(SLIPS) >= 40
    assert len({slip.name for slip in SLIPS}) == len(SLIPS)


@pytest.mark.parametrize("slip", SLIPS, ids=lambda slip: slip.name)
def test_slip_is_diagnosed(slip):
    _diagnoses(check(slip.build()), slip)


IN_A_SET = [slip for slip in SLIPS if slip.in_a_set and slip.name != "equality without hash"]


@pytest.mark.parametrize("slip", IN_A_SET, ids=lambda slip: slip.name)
def test_slip_is_diagnosed_where_operands_are_kept_in_a_set(slip):
    """The order of a set differs from one object to the next, and so do the wrong gradients."""
    _diagnoses(check(slip.build((HELD, "set(_children)"))), slip)


def test_line_that_always_raises_is_reported_once():
    (slip,) = (slip for slip in SLIPS if slip.name == "equality without hash")
    report = check(slip.build((HELD, "set(_children)")))
    (problem,) = report.problems
    assert problem.what.startswith("x + y raises TypeError (unhashable type")
    assert "__hash__" in problem.slip
    assert problem.where.text == "self._prev = set(_children)"
    assert {"x * y", "x.tanh()"} <= set(report.unchecked)


def test_set_has_no_places():
    (slip,) = (slip for slip in SLIPS if slip.name == "constants are dropped")
    report = check(slip.build((HELD, "set(_children)")))
    assert "keep the operands in a tuple" in report.problems[0].slip


def _diagnoses(report, slip):
    assert not report.passed
    assert len(report.problems) == 1, str(report)
    problem = report.problems[0]
    assert slip.what in problem.what, str(report)
    assert slip.says in problem.slip, str(report)
    assert slip.line.rstrip(" #") in problem.where.text, str(report)


@pytest.mark.parametrize(
    ("old", "new", "what", "says"),
    [
        ("def exp(self):", "def __exp__(self):", "Python never calls __exp__", "x.exp()"),
        ("def __truediv__(", "def __div__(", "Python never calls __div__", "__truediv__"),
    ],
)
def test_name_that_python_never_calls_is_a_matter_of_style(old, new, what, says):
    report = check(build(new, (old, new)))
    (note,) = [note for note in report.notes if note.severity == "style"]
    assert note.what == what
    assert says in note.slip
    assert note.where.text.startswith(new.rstrip("("))


def test_driver_that_walks_every_path_is_fragile():
    report = check(VARIANTS["pairs of a partial and a node"]())
    assert report.passed
    assert any("30 doublings take 2**30 steps" in note.what for note in report.notes)


def test_several_slips_are_reported_each_once():
    first, second = (slip for slip in SLIPS if slip.name in ("tanh assigns", "rsub turned"))
    report = check(build("two slips", *first.changes, *second.changes))
    assert [first.says in p.slip or second.says in p.slip for p in report.problems] == [True, True]
