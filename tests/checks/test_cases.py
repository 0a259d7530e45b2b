"""Known cases: programs that classes get wrong, with the right numbers and the usual wrong ones.

The ids are those of the collection that the project started from; the numbers were found in closed
form and agree with PyTorch.
"""

import inspect
import math
from collections.abc import Callable
from typing import NamedTuple

import numpy as np
import pytest
from slips import SLIPS, build

import glassgrad as gg


class Case(NamedTuple):
    f: Callable
    at: tuple[float, ...]
    value: float
    grads: tuple[float, ...]


def exp(x):
    return x.exp()


def tanh(x):
    return x.tanh()


CASES = {
    "c001": Case(lambda a: a + a, (3.0,), 6.0, (2.0,)),
    "c003": Case(
        lambda a, b: ((a + b) + a * b) + (a + b) * (a * b), (2.0, 3.0), 41.0, (25.0, 19.0)
    ),
    "c004": Case(lambda a: (a + a) + (a + a), (1.0,), 4.0, (4.0,)),
    "c005": Case(lambda a, b, c: a * b + c, (2.0, -3.0, 10.0), 4.0, (-3.0, 2.0, 1.0)),
    "c006": Case(lambda x, k: (x * k + x) * (x * k), (3.0, 2.0), 54.0, (36.0, 45.0)),
    "c009": Case(lambda x: x * x * x, (3.0,), 27.0, (27.0,)),
    "c020": Case(lambda a: a**3, (2.0,), 8.0, (12.0,)),
    "c032": Case(lambda x: (x + 1e8) - 1e8, (1.0,), 1.0, (1.0,)),
    "c033": Case(
        lambda w, x, t: (w * x - t) ** 2 * 0.5, (0.34, 1.0, -0.4344), 0.29984768,
        (0.7744, 0.263296, -0.7744),
    ),
    "c035": Case(lambda v: 3 + v, (3.0,), 6.0, (1.0,)),
    "c037": Case(lambda v: 6.0 / v, (2.0,), 3.0, (-1.5,)),
    "c038": Case(lambda v: -v, (2.0,), -2.0, (-1.0,)),
    "c041": Case(lambda x: tanh(x) * x, (0.5,), 0.2310585786300049, (0.8553410237429735,)),
    "c042": Case(tanh, (0.5,), 0.46211715726000974, (0.7864477329659274,)),
    "c043": Case(lambda v: v * 3, (2.0,), 6.0, (3.0,)),
    "c044": Case(lambda a, b: a / b, (6.0, 4.0), 1.5, (0.25, -0.375)),
    "c055": Case(lambda v: v / 4, (6.0,), 1.5, (0.25,)),
    "c065": Case(lambda b, a: b * a, (3.0, 2.0), 6.0, (2.0, 3.0)),
}  # fmt: skip
RIGHT = build("as it is")


def by_name(name):
    return next(slip for slip in SLIPS if slip.name == name).build()


@pytest.mark.parametrize("cls", [gg.Value, RIGHT], ids=["ours", "a learner's"])
@pytest.mark.parametrize("name", CASES)
def test_right_numbers_are_measured_and_raise_no_alarm(name, cls):
    f, at, value, grads = CASES[name]
    leaves = [cls(number) for number in at]
    root = f(*leaves)
    assert root.data == pytest.approx(value)
    assert gg.check(root).problems == ()
    measured = gg.gradcheck(f, *at, cls=cls)
    assert measured.passed
    rows = {row.name: row for row in measured.rows}
    found = [rows[name] for name in inspect.signature(f).parameters]
    assert [row.gradient for row in found] == pytest.approx(list(grads))
    assert [row.measured for row in found] == pytest.approx(list(grads))


@pytest.mark.parametrize(
    ("slip", "trial", "expected", "got"),
    [
        ("naive recursion", "y = x * k; (y + x) * y", "x.grad 36, k.grad 45",
         "x.grad 66, k.grad 90"),
        ("tanh squares the whole", "x.tanh() at x = 0.5", "x.grad 0.7864", "0.2893"),
        ("not reversed", "(a * b + c) * f", "a.grad 6, b.grad -4, c.grad -2", "a.grad 0, b.grad 0"),
        ("add assigns other", "x + x at x = 2", "x.grad 2", "1"),
    ],
)  # fmt: skip
def test_usual_wrong_numbers_are_reported(slip, trial, expected, got):
    (problem,) = gg.check(by_name(slip)).problems
    assert problem.trial.startswith(trial)
    assert (problem.expected, problem.got[: len(got)]) == (expected, got)


def test_c009_second_backward_is_a_note():
    (note,) = [n for n in gg.check(RIGHT).notes if "second" in n.what]
    assert (note.trial, note.got) == ("x * x * x at x = 3, twice", "72")


def test_c010_gradients_of_an_earlier_backward_do_not_count():
    w, x = RIGHT(1.0), RIGHT(2.0)
    for _ in range(3):
        loss = w * x
        loss.backward()
    assert gg.check(loss).passed
    assert w.grad == 6.0


def test_c013_deep_chain():
    x = gg.Value(1.0)
    total = x
    for _ in range(3000):
        total = total + x
    assert gg.check(total).passed
    assert gg.gradcheck(total, names={"x": x}).rows[0].gradient == 3001.0


def test_c015_thirty_doublings():
    x = RIGHT(1.0)
    y = x
    for _ in range(30):
        y = y + y
    assert gg.check(y).passed
    assert gg.gradcheck(y, names={"x": x}).rows[0].measured == 2.0**30


EDGES = [
    ("c019", "exp of 1000 raises OverflowError"),
    ("c023", "(-8) ** (1/3) is complex"),
    ("c024", "0 ** 0 raises ZeroDivisionError"),
    ("c026", "1 / 0 raises ZeroDivisionError"),
    ("c027", "log of 0 raises ValueError; log of -1 raises ValueError"),
]


@pytest.mark.parametrize("said", [said for _, said in EDGES], ids=[name for name, _ in EDGES])
def test_edges_are_a_note(said):
    report = gg.check(RIGHT)
    assert report.passed
    assert said in " ".join(note.got for note in report.notes)


def test_c049_numpy_exponent_is_a_note():
    assert np.int64(3) == 3  # it has to be imported, or nobody could use it
    assert "x ** np.int64(3) raises AssertionError" in str(gg.check(RIGHT))


def test_c021_and_c037_what_a_class_does_not_have_is_listed():
    report = gg.check(RIGHT)
    assert "2 ** x" in report.unchecked
    assert "x ** y" in report.unchecked


def test_c030_kink_inside_the_step():
    x = RIGHT(1e-9)
    assert gg.check(x.relu()).problems == ()
    assert gg.gradcheck(x.relu()).passed


def test_c053_value_in_value_is_a_matter_of_style():
    report = gg.check(RIGHT(RIGHT(2.0)) * 2.0)
    assert report.passed
    assert any("is itself a Value" in note.what for note in report.notes)


def test_c060_equality_without_hash():
    cls = by_name("equality without hash")
    (problem,) = gg.check(cls(2.0) * cls(3.0)).problems
    assert "__hash__" in problem.slip


def test_c028_first_number_that_is_not_finite_raises_no_alarm():
    x = gg.Value(0.0)
    y = x.log() * 0.0 + x
    assert math.isnan(y.data)
    assert gg.check(y).problems == ()
