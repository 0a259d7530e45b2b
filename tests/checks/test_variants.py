"""What is right raises no alarm: classes of many dialects, random programs, kinks, cancellation."""

import math

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from slips import build
from variants import VARIANTS

import glassgrad as gg
from glassgrad.checks.grader import check


def test_there_are_enough():
    assert len(VARIANTS) >= 20


@pytest.mark.parametrize("name", VARIANTS)
def test_variant_passes(name):
    report = check(VARIANTS[name]())
    assert report.passed, str(report)
    assert report.checks > 30


def test_our_own_value_passes_without_a_note():
    report = check(gg.Value)
    assert (report.problems, report.notes) == ((), ())


def test_micrograd_like_class_passes_with_notes():
    report = check(build("as it is"))
    said = " ".join(note.what for note in report.notes)
    assert report.passed
    assert "A second backward() compounds" in said
    assert "raises RecursionError" in said
    assert str(report).startswith("Value (your class, <as it is>): 3 fragile, ")


RIGHT = build("as it is")
UNARY = ("tanh", "sigmoid", "exp", "relu", "cube")
numbers = st.floats(-3, 3).filter(lambda x: abs(x) > 1e-3)


@st.composite
def programs(draw):
    """A list of steps, each on earlier values; and the numbers of the leaves."""
    leaves = draw(st.lists(numbers, min_size=1, max_size=3))
    steps = draw(
        st.lists(
            st.tuples(st.sampled_from((*UNARY, "+", "*", "-", "/", "**")), st.integers(0, 20),
                      st.integers(0, 20)),
            min_size=1, max_size=8,
        )
    )  # fmt: skip
    return leaves, steps


def run(cls, program):
    leaves, steps = program
    values = [cls(number) for number in leaves]
    for name, first, second in steps:
        a, b = values[first % len(values)], values[second % len(values)]
        match name:
            case "+":
                out = a + b
            case "*":
                out = a * b
            case "-":
                out = a - b
            case "/":
                out = a / b if abs(b.data) > 1e-2 else a + b
            case "**":
                out = a**2
            case _:
                out = getattr(a, name)() if abs(a.data) < 5 and hasattr(a, name) else a * b
        values.append(out if abs(out.data) < 1e6 else a * 0.5)
    return values[-1]


@settings(max_examples=60, deadline=None)
@given(program=programs())
def test_random_right_programs_raise_no_alarm(program):
    for cls in (RIGHT, gg.Value):
        report = check(run(cls, program))
        assert report.problems == (), str(report)


@pytest.mark.parametrize("number", [0.0, 1e-9, -1e-9, 1e-7])
def test_kinks_raise_no_alarm(number):
    assert check(RIGHT(number).relu()).problems == ()
    assert check(abs(gg.Value(number)) * 2.0).problems == ()


def test_cancellation_raises_no_alarm():
    x = RIGHT(1.0)
    assert check((x + 1e8) - 1e8).problems == ()


@pytest.mark.parametrize("number", [1e-300, 1e300, math.inf, math.nan])
def test_extreme_numbers_raise_no_alarm(number):
    x = RIGHT(number)
    assert check(x * x + x).problems == ()
