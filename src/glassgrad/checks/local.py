"""Local rules: every operation alone, its result and its slopes.

In flows one operation of a class; onto the exam's list go the problems with it.  What is
right comes from the engine's table; a function that the table does not know is compared with its
own finite differences.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from glassgrad.checks import slips
from glassgrad.checks.exam import NAMES, Exam, differing, gradients, numbers
from glassgrad.checks.learner import Trial
from glassgrad.checks.numeric import Slope, derivative
from glassgrad.checks.operations import Operation
from glassgrad.checks.report import Place, Problem
from glassgrad.checks.slips import Sample
from glassgrad.engine.ops import PRIMITIVES
from glassgrad.graphs.collect import collect
from glassgrad.graphs.numbers import plain
from glassgrad.graphs.recognise import agree

_BUILDS = 24  # identical computations that have to agree
_CLOSE = 1e-3  # a function that differs by less is an approximation, and no slip
_UNSUPPORTED = (TypeError, AssertionError, NotImplementedError, AttributeError)


def alone(exam: Exam, operation: Operation) -> None:
    """Check an operation's result and local slopes, with nothing around it."""
    trials = [exam.trial(operation.apply, point) for point in operation.points]
    first = next((trial for trial in trials if not trial.made or trial.error), trials[0])
    if any(exam.explained(trial, operation.method) for trial in trials):
        return  # by what it is built upon
    if (
        operation.arity == 2
        and operation.method == "__pow__"
        and isinstance(first.forward.error, _UNSUPPORTED)
    ):
        exam.unchecked.append(operation.written(*NAMES))  # a Value as exponent is an extra
        exam.skipped.add(operation)
        return
    problem = _unmade(exam, operation, first)
    if problem and first.forward.error and exam.told(problem):
        exam.blamed.add(operation.method)
        exam.unchecked.append(operation.written(*NAMES))
        return
    problem = problem or _result(exam, operation, trials)
    problem = problem or _raised(exam, operation, first) or _unsteady(exam, operation)
    problem = problem or _slopes(exam, operation, trials) or _forgotten(exam, operation, first)
    if problem:
        exam.find(problem, first, blame=operation.method)
    else:
        exam.passed += 1


def _unmade(exam: Exam, operation: Operation, trial: Trial) -> Problem | None:
    """Return the problem where no new Value comes out."""
    tried = at(operation, trial)
    method, cls = operation.method, exam.learner.name
    text = operation.written(*NAMES)
    if trial.forward.error is not None:
        place = exam.place(method)
        if not isinstance(trial.forward.error, RecursionError):
            place = exam.line(trial.forward, place)
        return Problem(
            f"{text} {trial.forward.complaint}",
            "missing",
            place,
            trial=tried,
            slip=exam.failure(trial.forward, method, len(operation.places)),
        )
    if trial.root is None:
        written = exam.written(method)
        return Problem(
            f"{text} gives None",
            "missing",
            written.head() if written else exam.place(method),
            trial=tried,
            slip=f"`{method}` makes a result and does not hand it out: end it with `return out`.",
        )
    if not trial.made:
        kind = type(trial.root).__name__
        return Problem(
            f"{text} gives a {kind} and not a {cls}",
            "wrong gradient",
            exam.place(method),
            trial=tried,
            slip=f"A {kind} remembers nothing: return a new {cls} with its operands.",
        )
    if any(trial.root is leaf for leaf in trial.leaves):
        return Problem(
            f"{text} changes its operand instead of making a new {cls}",
            "wrong gradient",
            exam.place(method),
            trial=tried,
            slip=f"The old number is lost for the rule: make `out = {cls}(...)` and return that.",
        )
    return None


def _raised(exam: Exam, operation: Operation, trial: Trial) -> Problem | None:
    """Return the problem where the way back raises."""
    if trial.backward is None or trial.backward.error is None:
        return None
    return Problem(
        f"The rule of {operation.written(*NAMES)} {trial.backward.complaint}",
        "wrong gradient",
        exam.line(trial.backward, exam.rule(operation, 0)[0]),
        trial=at(operation, trial),
        slip=exam.failure(trial.backward, operation.method, len(operation.places)),
    )


def _result(exam: Exam, operation: Operation, trials: Sequence[Trial]) -> Problem | None:
    """Return the problem where the number is wrong."""
    row = PRIMITIVES.get(operation.primitive)
    if row is None or operation.loose or not all(trial.made for trial in trials):
        return None
    operands = [operation.operands(trial.at) for trial in trials]
    right = [row.forward.evaluate(**dict(zip(row.variables, o, strict=True))) for o in operands]
    pairs = enumerate(zip(right, trials, strict=True))
    wrong = [n for n, (r, t) in pairs if not abs(r - t.data) <= _CLOSE * max(1.0, abs(r))]
    if not wrong:
        return None
    shown, place = wrong[0], exam.place(operation.method)
    samples = [Sample(o, r, (), ()) for o, r in zip(operands, right, strict=True)]
    reflected = operation.places[0] is not None
    slip = slips.of_result(
        operation.primitive, reflected, samples, [trial.data for trial in trials]
    )
    return Problem(
        f"{operation.written(*NAMES)} has the wrong result",
        "wrong gradient",
        place,
        trial=at(operation, trials[shown]),
        expected=plain(right[shown]),
        got=plain(trials[shown].data),
        slip=exam.say(slip, place, operation, 0),
    )


class _Right(NamedTuple):
    """What the slopes of one trial should be."""

    slopes: tuple[float, ...]
    measured: tuple[Slope, ...]

    def accepts(self, slot: int, slope: float) -> bool:
        if self.measured:
            return self.measured[slot].accepts(slope)
        return agree(self.slopes[slot], slope)


def _right(exam: Exam, operation: Operation, trial: Trial) -> _Right:
    row, point = PRIMITIVES.get(operation.primitive), trial.at
    if row is not None and not operation.loose:
        operands = operation.operands(point)
        at = dict(zip(row.variables, operands, strict=True))
        out = row.forward.evaluate(**at)
        if agree(out, trial.data):
            slots = [slot for slot, place in enumerate(operation.places) if place is None]
            return _Right(tuple(row.partial(slot).evaluate(out=out, **at) for slot in slots), ())
    measured = tuple(measured_slope(exam, operation, point, slot) for slot in range(len(point)))
    return _Right(tuple(slope.value for slope in measured), measured)


def measured_slope(exam: Exam, operation: Operation, point: Sequence[float], slot: int) -> Slope:
    """Measure the slope of the learner's own operation by differences."""

    def f(number: float) -> float:
        moved = [*point[:slot], number, *point[slot + 1 :]]
        return exam.learner.data(operation.apply(*map(exam.learner.make, moved)))

    return derivative(f, point[slot])


def _unsteady(exam: Exam, operation: Operation) -> Problem | None:
    """Return the problem where identical computations differ, as they do by the order of a set."""
    if operation.arity < 2:
        return None
    # all are kept: a set's order follows from addresses, and a freed one would be used again
    trials = [exam.trial(operation.apply, operation.points[0]) for _ in range(_BUILDS)]
    answers = sorted({trial.grads for trial in trials if trial.error is None})
    if len(answers) < 2:
        return None
    return Problem(
        f"{name(operation)} gives different gradients from run to run",
        where=exam.rule(operation, 0)[0],
        trial=at(operation, trials[0]),
        got=" or ".join(gradients(NAMES, answer) for answer in answers[:2]),
        slip="A set has no order: keep operands in a tuple, or let the rule use self and other.",
    )


def _slopes(exam: Exam, operation: Operation, trials: Sequence[Trial]) -> Problem | None:
    """Return the problem where a local slope is wrong."""
    rights = [_right(exam, operation, trial) for trial in trials]
    wrong = [
        (n, slot)
        for slot in range(operation.arity)
        for n, (right, trial) in enumerate(zip(rights, trials, strict=True))
        if trial.grads and not right.accepts(slot, trial.grads[slot])
    ]
    if not wrong:
        return None
    shown, slot = wrong[0]
    samples = [
        Sample(operation.operands(trial.at), trial.data, right.slopes, trial.grads)
        for right, trial in zip(rights, trials, strict=True)
    ]
    position = [n for n, number in enumerate(operation.places) if number is None][slot]
    template = slips.of_slope(operation.primitive, position, slot, samples)
    place, _ = exam.rule(operation, 1 - slot if template == slips.BOTH else slot)
    slip = exam.say(template, place, operation, slot)
    if not any(any(trial.grads) for trial in trials):
        place, slip = detached(exam, operation, trials[shown]) or (place, slip)
    expected, got = differing(NAMES, rights[shown].slopes, trials[shown].grads)
    return Problem(
        f"{name(operation)} sends a wrong gradient to {operand(operation, slot)}",
        "wrong gradient",
        place,
        trial=at(operation, trials[shown]),
        expected=expected,
        got=got,
        slip=slip,
    )


def detached(exam: Exam, operation: Operation, trial: Trial) -> tuple[Place, str] | None:
    """Return where and what to do, if the result remembers none of its operands."""
    collected = collect(trial.root)
    leaves = {id(leaf) for leaf in trial.leaves}
    if any(id(item) in leaves for item in collected.objects):
        return None
    place = exam.place(operation.method)
    return place, (
        f"The result remembers no operands, so the gradient ends there: hand them to "
        f"{exam.learner.name}(...) where `{operation.method}` makes its result."
    )


def _forgotten(exam: Exam, operation: Operation, trial: Trial) -> Problem | None:
    """Return the problem where the result remembers one operand, and not the other."""
    known = {id(item) for item in collect(trial.root).objects}
    lost = [slot for slot, leaf in enumerate(trial.leaves) if id(leaf) not in known]
    if not lost or len(lost) == len(trial.leaves):
        return None
    missing = operand(operation, lost[0])
    return Problem(
        f"{operation.written(*NAMES)} does not remember {missing}",
        where=exam.place(operation.method),
        trial=at(operation, trial),
        slip=f"backward() never comes to what {missing} was computed from: hand both operands to "
        f"{exam.learner.name}(...) where `{operation.method}` makes its result.",
    )


# -- words ---------------------------------------------------------------------------------------


def at(operation: Operation, trial: Trial) -> str:
    """Write what was tried."""
    return f"{operation.written(*NAMES)} at {numbers(NAMES, trial.at)}"


def name(operation: Operation) -> str:
    """Return what to call an operation: its method where that is a name."""
    is_method = not operation.method.startswith("__")
    return operation.method if is_method else operation.written(*NAMES)


def operand(operation: Operation, slot: int) -> str:
    """Return what to call an operand."""
    return NAMES[slot] if operation.arity > 1 else "x"
