"""The edges of domains: 1/0, exp(1000), a negative number to a fraction.

In flow the operations of a class; onto the exam's list goes one note, with everything that raises
there, turns complex or loses a slope.  What is right is what our own Value answers, and so PyTorch.
"""

from __future__ import annotations

import operator
import sys
from collections.abc import Callable, Iterator
from math import isfinite, isnan
from numbers import Real
from typing import Any, NamedTuple

from glassgrad.checks.exam import Exam
from glassgrad.checks.operations import Operation
from glassgrad.checks.report import Problem
from glassgrad.engine.functions import FUNCTIONS
from glassgrad.engine.ops import PRIMITIVES
from glassgrad.engine.value import Value
from glassgrad.graphs.numbers import plain
from glassgrad.graphs.recognise import agree


class Edge(NamedTuple):
    """A number at which something special happens."""

    method: str
    primitive: str
    text: str
    apply: Callable[..., Any]
    at: tuple[float, ...]


def _functions(operations: list[Operation]) -> Iterator[Edge]:
    points = {
        "tanh": (400.0, -400.0), "sigmoid": (1000.0, -1000.0), "exp": (1000.0, -1000.0),
        "log": (0.0, -1.0), "sqrt": (0.0, -1.0), "relu": (0.0,), "softplus": (1000.0,),
    }  # fmt: skip
    for operation in operations:
        if not operation.method.startswith("__"):
            for number in points.get(operation.primitive, ()):
                text = f"{operation.method} of {plain(number)}"
                yield Edge(operation.method, operation.primitive, text, operation.apply, (number,))


def _operators() -> Iterator[Edge]:
    yield Edge("__truediv__", "div", "1 / 0", operator.truediv, (1.0, 0.0))
    yield Edge("__abs__", "abs", "abs of 0", abs, (0.0,))
    for base, power, text in (
        (0.0, 0, "0 ** 0"),
        (0.0, 2, "0 ** 2"),
        (-8.0, 1 / 3, "(-8) ** (1/3)"),
    ):
        yield Edge("__pow__", "pow", text, lambda x, power=power: x**power, (base,))
    if "numpy" in sys.modules:
        three = sys.modules["numpy"].int64(3)
        yield Edge("__pow__", "pow", "x ** np.int64(3)", lambda x: x**three, (2.0,))


def edges(exam: Exam, operations: list[Operation]) -> None:
    """Collect the edges where a class raises, turns complex or disagrees with PyTorch."""
    cls, every = exam.learner.cls, (*_functions(operations), *_operators())
    there = [e for e in every if hasattr(cls, e.method) and e.method not in exam.blamed]
    answers = [(edge.text, _answer(exam, edge)) for edge in there]
    odd = [f"{text} {answer}" for text, answer in answers if answer]
    exam.passed += len(answers) - len(odd)
    if odd:
        many = "numbers are" if len(odd) > 1 else "number is"
        exam.find(
            Problem(
                f"{len(odd)} unusual {many} too much for this class",
                "fragile",
                got="; ".join(odd),
                slip="PyTorch answers inf, -inf or nan there and goes on.",
            )
        )


def _answer(exam: Exam, edge: Edge) -> str:
    """Return what is odd about a class's answer, ``""`` where it is PyTorch's."""
    trial = exam.trial(edge.apply, edge.at)
    if trial.error is not None:
        return f"raises {type(trial.error).__name__}"
    held = getattr(trial.root, exam.learner.data_name, None)
    if isinstance(held, complex) and not isinstance(held, Real):
        return "is complex"
    leaves = [Value(number) for number in edge.at]
    # a method may have a name of its own; our function is found by the row
    is_operator = edge.method.startswith("__")
    right: Any = (edge.apply if is_operator else FUNCTIONS[edge.primitive])(*leaves)
    if not agree(right.data, trial.data):
        return f"is {plain(trial.data)}, not {plain(right.data)}"
    right.backward()
    row = PRIMITIVES[edge.primitive]
    for leaf, got in zip(leaves, trial.grads, strict=True):
        at_kink = row.kink is not None and -1 <= got <= 1
        if not at_kink and isnan(got) and isfinite(leaf.grad):
            return f"has slope nan, not {plain(leaf.grad)}"
    return ""
