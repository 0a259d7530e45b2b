"""Operations inside small programs: a gradient from above, operands that are used again.

In flows one operation of a class that is right alone; onto the exam's list go the problems that
show only when something is around it.  What is right comes from our own Value, which runs the same
program.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

from glassgrad.checks import slips
from glassgrad.checks.exam import NAMES, Exam, differing, numbers
from glassgrad.checks.learner import Trial
from glassgrad.checks.local import detached, measured_slope, name, operand
from glassgrad.checks.operations import Operation
from glassgrad.checks.report import Place, Problem
from glassgrad.checks.slips import Sample
from glassgrad.engine.value import Value
from glassgrad.graphs.recognise import agree


class Shape(NamedTuple):
    """A program around one operation."""

    text: str
    """How it is written, with ``{f}`` for the operation over x and y."""

    program: Callable[..., Any]
    """A function of the operation and its Values."""

    arity: int = 0
    """How many operands the operation must have; 0 for any."""

    factor: float | None = None
    """The number of one Value more, ``k``."""


_ABOVE = Shape("{f} * k", lambda f, *v: f(*v[:-1]) * v[-1], factor=2.5)
_BELOW = Shape("{f}", lambda f, x, *v: f(x * v[-1], *v[:-1]), factor=1.25)
_BELOW_OTHER = Shape("{f}", lambda f, x, y, k: f(x, y * k), 2, factor=1.25)
_SAME = Shape("{f}", lambda f, x, y: f(x, x), 2)
SHAPES: tuple[Shape, ...] = (
    _ABOVE,
    _BELOW,
    _BELOW_OTHER,
    _SAME,
    Shape("{f} * x", lambda f, *v: f(*v) * v[0]),
    Shape("{f} * y", lambda f, *v: f(*v) * v[1], 2),
    Shape("{f} + {f}", lambda f, *v: f(*v) + f(*v)),
)
"""A gradient from above; operands that were computed; the same operand twice; operands that are
used elsewhere."""


class _Tried(NamedTuple):
    """One operation in one shape: what came out, and what should have."""

    operation: Operation
    shape: Shape
    trial: Trial
    right: tuple[float, ...]
    got: tuple[float, ...]
    names: tuple[str, ...]

    @property
    def text(self) -> str:
        at = numbers(self.names, self.trial.at[: len(self.names)])
        return f"{_written(self.operation, self.shape)} at {at}"

    @property
    def slot(self) -> int:
        """The first operand whose gradient is wrong."""
        pairs = enumerate(zip(self.right, self.got, strict=True))
        wrong = next(n for n, pair in pairs if not _near(*pair))
        return min(wrong, self.operation.arity - 1)


def reused(exam: Exam, operation: Operation) -> None:
    """Check an operation inside small programs, until one goes wrong."""
    for shape in SHAPES:
        if shape.arity not in (0, operation.arity):
            continue
        tried = _try(exam, operation, shape)
        if exam.explained(tried.trial, operation.method):
            continue
        problem = _problem(exam, tried)
        if problem is not None:
            exam.find(problem, tried.trial, blame=operation.method)
            return
        exam.passed += 1


def _try(exam: Exam, operation: Operation, shape: Shape) -> _Tried:
    point = operation.points[0]
    at = (*point[:1], *point[:1]) if shape is _SAME else point
    at = at if shape.factor is None else (*at, shape.factor)
    names = (*NAMES[: operation.arity], *(("k",) if shape.factor else ()))
    trial = exam.trial(lambda *v: shape.program(operation.apply, *v), at, names)
    count = 1 if shape is _SAME else len(at)
    right = expected(exam, operation, shape, at)[:count]
    return _Tried(operation, shape, trial, right, trial.grads[:count], names[:count])


def _problem(exam: Exam, tried: _Tried) -> Problem | None:
    trial, method = tried.trial, tried.operation.method
    ran = trial.forward if trial.forward.error else trial.backward
    if ran is not None and ran.error is not None:
        return Problem(
            f"{_written(tried.operation, tried.shape)} {ran.complaint}",
            where=exam.line(ran, exam.place(method)),
            trial=tried.text,
            slip=exam.failure(ran, method),
        )
    if not trial.made or all(map(_near, tried.right, tried.got)):
        return None
    what, slip, place = _diagnosed(exam, tried)
    wanted, got = differing(tried.names, tried.right, tried.got)
    return Problem(what, where=place, trial=tried.text, expected=wanted, got=got, slip=slip)


def _near(first: float, second: float) -> bool:
    return agree(first, second) or abs(first - second) <= 1e-5 * max(1.0, abs(first))


def expected(
    exam: Exam, operation: Operation, shape: Shape, at: Sequence[float]
) -> tuple[float, ...]:
    """Return the right gradients of a program, computed with our own Value."""
    leaves = [Value(number) for number in at]
    known = operation.primitive and not operation.loose
    f = operation.reference if known else lambda *values: _stand_in(exam, operation, values)
    shape.program(f, *leaves).backward()
    if shape is _SAME:
        return (leaves[0].grad,)
    return tuple(leaf.grad for leaf in leaves)


def _stand_in(exam: Exam, operation: Operation, values: Sequence[Value]) -> Value:
    """Return an operation of our Value that does what the learner's does, with measured slopes."""
    point = [value.data for value in values]
    made = operation.apply(*map(exam.learner.make, point))
    out = Value(exam.learner.data(made), values, operation.method)
    slopes = [measured_slope(exam, operation, point, slot).value for slot in range(len(point))]

    def rule() -> None:
        for value, slope in zip(values, slopes, strict=True):
            value.grad += slope * out.grad

    out._backward = rule
    return out


def _diagnosed(exam: Exam, tried: _Tried) -> tuple[str, str, Place]:
    """Return what is wrong, the likely slip and where."""
    operation, slot = tried.operation, tried.slot
    called, place = name(operation), exam.rule(operation, slot)[0]
    if tried.shape in (_BELOW, _BELOW_OTHER):
        place, slip = detached(exam, operation, tried.trial) or (
            exam.place(operation.method),
            "Its operands are not those that were handed to it: which objects does it remember?",
        )
        return f"{called} ends the way back: nothing arrives before it", slip, place
    if tried.shape is _ABOVE:
        operands = operation.operands(operation.points[0])
        sample = Sample(operands, 0.0, tried.right, tried.got, tried.trial.at[-1])
        template = slips.of_slope(operation.primitive, slot, slot, [sample])
        what = f"{called} does not apply the chain rule to {operand(operation, slot)}"
        return what, exam.say(template, place, operation, slot), place
    return (
        f"{called} loses a contribution when its input is used twice",
        *_lost(exam, tried, place),
    )


def _lost(exam: Exam, tried: _Tried, place: Place) -> tuple[str, Place]:
    """Return why a contribution is lost: it is replaced, or the operands are not told apart."""
    operation, slot = tried.operation, tried.slot
    # where both operands are one object, the statement that comes later is the one that replaces
    slots = range(operation.arity - 1, -1, -1) if tried.shape is _SAME else (slot,)
    for candidate in slots:
        there, replaces = exam.rule(operation, candidate)
        if replaces:
            says = "{line} replaces what was there. Use `+=`."
            return exam.say(says, there, operation, slot), there
    if tried.shape is _SAME:
        says = "A set keeps the object only once here: how does the rule find its operands?"
        return says, place
    says = "{line} should add to what {name}.grad holds already."
    return exam.say(says, place, operation, slot), place


def _written(operation: Operation, shape: Shape) -> str:
    inside = {_SAME: ("x", "x"), _BELOW: ("(x * k)", "y"), _BELOW_OTHER: ("x", "(y * k)")}
    text = operation.written(*inside.get(shape, NAMES))
    atomic = " " not in text and not text.startswith("-")
    alone = shape.text == "{f}"
    return shape.text.replace("{f}", text if atomic or alone else f"({text})")
