"""``gg.check``, which tells whether a class is right, or a graph.

In flows a class, or a result of one; out flows a `Report`.  A class is graded on the exercise's
requirements and far beyond; a result is checked value by value.  Nothing of the user's is changed.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterator
from typing import Any

from glassgrad.checks import driver as walking
from glassgrad.checks import habits, identity
from glassgrad.checks.exam import Exam
from glassgrad.checks.learner import Learner, Trial, UnusableError
from glassgrad.checks.local import alone
from glassgrad.checks.operations import OPERATORS, Operation, functions, own_function
from glassgrad.checks.picture import picture
from glassgrad.checks.programs import PROGRAMS
from glassgrad.checks.report import Problem, Report
from glassgrad.checks.reuse import reused
from glassgrad.checks.roots import check_root
from glassgrad.checks.source import lookup
from glassgrad.graphs.surroundings import Surroundings

_BASIC = ("{x} + {y}", "{x} * {y}")
_NONLINEAR = frozenset({"tanh", "relu", "exp", "sigmoid", "log", "sin", "cos", "sqrt", "softplus"})


def check(cls_or_root: Any, *, backward: Callable[[Any], object] | None = None) -> Report:
    """Check a Value class, or the graph behind a result.

    Parameters
    ----------
    cls_or_root : type or object
        A class: every operator and function it has is tried, alone and on operands that are used
        again; so are ``backward()``, its order and its depth.  Or a result: each operation's
        slopes are measured and compared, and ``backward()`` with our own walk.
    backward : callable, optional
        The function that runs backward from a root, where the class has no method for it.

    Returns
    -------
    Report
        ``.passed``, ``.problems`` and ``.notes``; print it, or let a notebook show it.

    Raises
    ------
    TypeError
        When `cls_or_root` is neither a class nor something that has a graph.

    Examples
    --------
    >>> import glassgrad as gg
    >>> class Slippery(gg.Value):
    ...     def tanh(self):
    ...         return gg.Value.tanh(self) * -1
    >>> report = check(Slippery)
    >>> report.passed, report.problems[0].what
    (False, 'x.tanh() has the wrong result')
    """
    if not isinstance(cls_or_root, type):
        return check_root(cls_or_root, backward)
    with Surroundings([backward], [cls_or_root]).as_before():  # a class may count its objects
        return _check_class(cls_or_root, backward)


def _check_class(cls: type, backward: Callable[[Any], object] | None) -> Report:
    try:
        learner = Learner(cls, backward)
    except UnusableError as reason:
        slip = (
            f"A check makes objects as {cls.__name__}(2.0): the number comes first, it is "
            "kept in an attribute, and everything else has a default."
        )
        problem = Problem(str(reason), "missing", _home(cls), slip=slip)
        return Report(_subject(cls), (problem,))
    return _grade(Exam(learner))


def _grade(exam: Exam) -> Report:
    learner = exam.learner
    operations = list(_present(exam))
    if not learner.grad_name:
        exam.find(
            Problem(
                f"A {learner.name} has no gradient",
                "missing",
                _home(learner.cls),
                slip="Give it one where it is made: `self.grad = 0.0`.",
            )
        )
    elif not learner.drives:
        exam.find(
            Problem(
                f"{learner.name} has no backward()",
                "missing",
                slip="Sort the graph, give the result gradient 1, and call every rule in order; "
                "a function can be handed over as check(cls, backward=function).",
            )
        )
    if learner.grad_name:
        _calculate(exam, operations)
    habits.names(exam)
    graph, marks = picture(exam)
    return Report(
        _subject(learner.cls),
        tuple(exam.findings),
        exam.passed,
        graph,
        marks,
        tuple(dict.fromkeys(exam.unchecked)),
    )


def _calculate(exam: Exam, operations: list[Operation]) -> None:
    """Try everything: sums and products first, the driver with them, then all the rest."""
    learner = exam.learner
    first = PROGRAMS[2]
    trial = Trial(learner, first.run, first.at, first.names, walk=True)
    exam.can_walk = trial.error is None and trial.walked and any(trial.grads)
    if learner.drives:
        walking.seeded(exam)
    if learner.drives and not exam.can_walk and not walking.works(exam):
        exam.unchecked.append("everything that needs backward()")
        return
    exam.confused = learner.drives and identity.confuses(exam)
    basics = [operation for operation in operations if operation.text in _BASIC]
    exam.walk = exam.can_walk
    if exam.walk or learner.drives:
        _rules(exam, basics)
    exam.walk = False
    reliable = learner.drives and walking.drives(exam)
    if not reliable and not exam.can_walk:
        exam.unchecked.append("everything that needs backward()")
        return
    exam.walk = not reliable
    rest = [operation for operation in operations if operation not in basics]
    _rules(exam, sorted(rest, key=lambda operation: _depth(exam, operation)))
    if reliable:
        habits.habits(exam, operations)


def _rules(exam: Exam, operations: list[Operation]) -> None:
    for operation in operations:
        if operation.method not in exam.blamed:
            alone(exam, operation)
    for operation in operations:
        known = operation.method in exam.blamed or operation in exam.skipped
        if not known and not exam.confused:
            reused(exam, operation)


def _depth(exam: Exam, operation: Operation) -> int:
    """Return how many methods an operation is built upon."""
    methods = {item.method for item in OPERATORS}
    return len(
        Trial(exam.learner, operation.apply, operation.points[0], walk=True).called & methods
    )


def _present(exam: Exam) -> Iterator[Operation]:
    """Return the operations that the class has; note what is missing."""
    cls = exam.learner.cls
    missing: dict[str, Operation] = {}
    for operation in OPERATORS:
        if getattr(cls, operation.method, None) is not None:
            yield operation
        else:
            missing.setdefault(operation.method, operation)
    for operation in missing.values():
        if operation.required:
            exam.find(_missing(exam, operation))
            exam.absent.add(_COMPLAINTS[operation.primitive])
        else:
            exam.unchecked.append(operation.written("x", "y"))
    found = list(functions(cls, lambda name: _insists(cls, name)))
    yield from found
    yield from map(own_function, habits.own_methods(exam))
    if not _NONLINEAR & {operation.primitive for operation in found}:
        exam.find(
            Problem(
                f"{exam.learner.name} has no tanh() and no other function that bends",
                "missing",
                slip="A network of sums and products alone is a polynomial: add tanh().",
            )
        )


def _missing(exam: Exam, operation: Operation) -> Problem:
    text = operation.written("x", "y")
    return Problem(
        f"{text} does not work: {exam.learner.name} has no {operation.method}",
        "missing",
        slip=_HOW[operation.method],
    )


_COMPLAINTS = {"add": "for +:", "sub": "for -:", "mul": "for *:", "neg": "unary -:"}
_FROM_THE_START = "Make a new value that keeps both operands, and give it its rule."
_HOW = {
    "__add__": _FROM_THE_START,
    "__mul__": _FROM_THE_START,
    "__sub__": "It can be built from what is there: self + (-other).",
    "__neg__": "It can be built from what is there: self * -1.",
    "__radd__": "It can be built from what is there: self + other.",
    "__rmul__": "It can be built from what is there: self * other.",
}


def _insists(cls: type, name: str) -> int:
    """Return how many arguments a method insists on, the object itself not counted."""
    try:
        parameters = list(inspect.signature(getattr(cls, name)).parameters.values())[1:]
    except (TypeError, ValueError):
        return -1
    return sum(p.default is p.empty and p.kind <= 1 for p in parameters)


def _subject(cls: type) -> str:
    if cls.__module__.startswith("glassgrad."):
        return f"{cls.__name__} (glassgrad's own)"
    place = _home(cls)
    return f"{cls.__name__} (your class{', ' if place.file else ''}{place.file})"


def _home(cls: type) -> Any:
    from glassgrad.checks.report import NOWHERE

    written = lookup(cls, "__init__")
    return written.head() if written else NOWHERE
