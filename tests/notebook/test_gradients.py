"""The gradients of a cell: what is cleared, what is run, and what is said of it."""

import pytest

from .conftest import LEARNERS_CLASS


def test_no_backward(run):
    ran = run("%%autograd --no-backward\na = Value(2.0)\nb = a * a")
    assert not ran.widgets[0].numbers["ran"]


@pytest.mark.parametrize(
    ("calls", "grad", "told"),
    [
        ("b.backward()", 6.0, "ran b.backward() (line 4), so backward() was not run again."),
        (
            "b.backward()\nb.backward()",
            12.0,
            "ran b.backward() (line 4), then b.backward() (line 5), so "
            "backward() was not run again.",
        ),
        (
            "c = b + a\nb.backward()\nc.backward()",
            13.0,
            "ran b.backward() (line 5), then c.backward() (line 6), so "
            "backward() was not run again.",
        ),
        (
            "for _ in range(3): b.backward()",
            18.0,
            "ran b.backward() (line 4) 3 times, so backward() was not run again.",
        ),
        (
            "b.grad = 1.0\nb._backward()",
            6.0,
            "ran b._backward() (line 5), so backward() was not run again.",
        ),
        (
            "def go(): b.backward()\ngo()",
            6.0,
            "ran b.backward() (line 4), so backward() was not run again.",
        ),
        (
            "getattr(b, 'backward')()",
            6.0,
            "ran backward itself, so it was not run again.",
        ),
    ],
)
def test_a_cell_that_ran_backward_is_not_run_again(run, ip, calls, grad, told):
    ran = run(f"%%autograd\na = Value(3.0)\nb = a * a\n{calls}\nb")
    assert ip.user_ns["a"].grad == grad
    assert ran.widgets[0].graph["messages"] == [f"This cell {told}"]


def test_gradients_from_before_are_cleared_and_it_is_said(run, ip):
    run("a = Value(3.0)\nb = a * a\nb.backward()")
    left = ip.execution_count - 1
    ran = run("%%autograd\nc = a * 2")
    assert ip.user_ns["a"].grad == 2.0
    assert ran.widgets[0].graph["messages"] == [
        f"a.grad still held 6 from cell {left}; all gradients were set to 0 first."
    ]
    ran = run("%%autograd\nb")
    assert ip.user_ns["a"].grad == 6.0
    assert ran.widgets[0].graph["messages"] == [
        "a.grad and b.grad still held gradients from before this cell; "
        "all gradients were set to 0 first."
    ]


def test_an_error_in_the_learners_backward_is_a_sentence_in_the_picture(run):
    run(LEARNERS_CLASS + "    def backward(self):\n        raise RuntimeError('not yet')")
    ran = run("%%autograd\nx = Mine(3.0)\ny = x * x")
    assert ran.result.success
    assert ran.widgets[0].error.startswith("backward() raised RuntimeError: not yet")


TWICE = """
class Twice(Mine):
    def __mul__(self, other):
        out = super().__mul__(other)
        out.__class__ = Twice
        return out
    def backward(self):
        self.grad = 1.0
        for value in (self, self, *self._prev):
            value._backward()
"""


def test_values_are_called_as_the_cell_calls_them(run):
    """What a driver did wrong is told of `x * w`, not of `0.5 * 3`."""
    run(LEARNERS_CLASS + TWICE)
    cell = "x, w, k = Twice(0.5), Twice(3.0), Twice(2.0)\ny = k * (x * w)"
    (widget,) = run(f"%%autograd\n{cell}").widgets
    assert widget.error.startswith("backward() left (x * w).grad at 4, and its rules")
