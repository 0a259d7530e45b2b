"""Habits of a class: a second ``backward()``, depth, the edges of domains, names.

In flows an exam whose operations and driver are known; onto its list go findings that mostly do not
fail: what works in the lecture and breaks later.
"""

from __future__ import annotations

import ast
from collections import Counter
from collections.abc import Iterator
from typing import Any

from glassgrad.checks.edges import edges
from glassgrad.checks.exam import Exam, gradients
from glassgrad.checks.guard import run
from glassgrad.checks.learner import Trial, attribute_names
from glassgrad.checks.operations import Operation
from glassgrad.checks.programs import DOUBLINGS
from glassgrad.checks.report import NOWHERE, Place, Problem
from glassgrad.checks.source import Written, owner
from glassgrad.engine.ops import PRIMITIVES
from glassgrad.graphs.numbers import plain
from glassgrad.graphs.recognise import agree

DEPTH = 3_000
_PER_VALUE = 400  # lines that a walk may take for each value


def habits(exam: Exam, operations: list[Operation]) -> None:
    """Look at everything, with a driver that can be relied upon."""
    for look in (_leaf, _sum, _second, _depth, _paths, _start):
        look(exam)
    edges(exam, operations)


def _leaf(exam: Exam) -> None:
    """Check that a leaf, its own result, gets gradient 1."""
    trial = Trial(exam.learner, lambda x: x, (2.0,))
    if trial.error or trial.grads == (1.0,):
        exam.passed += not trial.error
        return
    name = exam.learner.driver_name
    exam.find(
        Problem(
            f"{name}() of a value that was not computed does not give it gradient 1",
            "fragile",
            _driver(exam),
            trial="x at x = 2",
            expected="x.grad 1",
            got=plain(trial.grads[0]),
            slip="d(x)/d(x) is 1, with or without operands.",
        )
    )


def _sum(exam: Exam) -> None:
    """Check Python's own sum, which starts with the number 0 on the left."""
    trial = Trial(exam.learner, lambda *v: sum(v), (2.0, -3.0, 0.5))
    if exam.explained(trial) or not hasattr(exam.learner.cls, "__radd__"):
        return
    if trial.error is None and trial.made and all(g == 1 for g in trial.grads):
        exam.passed += 1
        return
    ran = trial.forward if trial.forward.error else trial.backward
    exam.find(
        Problem(
            "sum([x, y, z]) does not work",
            "wrong gradient",
            exam.place("__radd__"),
            trial="sum([x, y, z]) at x = 2, y = -3, z = 0.5",
            expected="1, 1 and 1",
            got=ran.complaint if ran and ran.error else gradients("xyz", trial.grads),
            slip="sum starts with 0 + x: __radd__ has to take the number 0.",
        ),
        trial,
    )


def _second(exam: Exam) -> None:
    """Check that a second backward adds the same once more."""
    learner = exam.learner
    trial = Trial(learner, lambda x: x * x * x, (3.0,))
    if trial.error or exam.blamed:
        return
    again = run(lambda: learner.drive(trial.root))
    total = learner.grad(trial.leaves[0])
    if again.error is None and (agree(total, 54.0) or agree(total, 27.0)):
        exam.passed += 1
        return
    exam.find(
        Problem(
            f"A second {learner.driver_name}() compounds: it passes on what the first one left",
            "fragile",
            _driver(exam),
            trial="x * x * x at x = 3, twice",
            expected="x.grad 54 (27 if it starts anew)",
            got=again.complaint or plain(total),
            slip="Set the gradients of the whole graph to 0 before each call, not only the leaf's.",
        )
    )


def _depth(exam: Exam) -> None:
    """Check a chain of 3,000 sums."""
    trial = _chain(exam, DEPTH)
    if exam.explained(trial):
        return
    if trial.error is None:
        exam.passed += trial.grads == (DEPTH + 1.0,)
    elif isinstance(trial.error, RecursionError):
        exam.find(_recursion(exam, trial))
    else:
        ran = trial.forward if trial.forward.error else trial.backward
        name = exam.learner.driver_name
        exam.find(
            Problem(
                f"{name}() is slow: {DEPTH:,} sums in a chain take over {_PER_VALUE} steps each"
                if ran is None or ran.endless
                else f"A chain of {DEPTH:,} sums {ran.complaint}",
                "fragile",
                _driver(exam),
                slip="Keep visited values in a set, by identity: a list is searched each time.",
            )
        )


def _recursion(exam: Exam, trial: Trial) -> Problem:
    """Say at which depth a driver gives up: how often its busiest line was active by then."""
    ran = trial.backward or trial.forward
    depth = round(Counter(ran.lines).most_common(1)[0][1], -1)
    name, code = exam.learner.driver_name, exam.learner.code
    inner = [getattr(rule, "name", "") for rule in Written(code).rules()] if code else []
    itself = next(filter(None, inner), name)
    return Problem(
        f"{name}() recurses: a chain of about {depth} operations raises RecursionError",
        "fragile",
        _driver(exam),
        slip=f"Keep your own stack instead of calling {itself} from itself.",
    )


def _chain(exam: Exam, length: int) -> Trial:
    def program(x: Any) -> Any:
        total = x
        for _ in range(length):
            total = total + x
        return total

    return Trial(exam.learner, program, (1.0,), steps=_PER_VALUE * (length + 10))


def _paths(exam: Exam) -> None:
    """Check thirty doublings: 31 values, and a thousand million paths."""

    def program(x: Any) -> Any:
        for _ in range(DOUBLINGS):
            x = x + x
        return x

    trial = Trial(exam.learner, program, (1.0,), steps=_PER_VALUE * 3 * DOUBLINGS)
    if trial.backward is None or not trial.backward.endless:
        exam.passed += trial.error is None
        return
    exam.find(
        Problem(
            f"{exam.learner.driver_name}() walks every path: {DOUBLINGS} doublings take "
            f"2**{DOUBLINGS} steps",
            "fragile",
            _driver(exam),
            slip="Sort the graph first and run each value's rule once, with its whole gradient.",
        )
    )


def _start(exam: Exam) -> None:
    """Check that gradients start at 0, also where they are overwritten later."""
    first = exam.learner.first_grad
    if first == 0:
        exam.passed += 1
        return
    written = exam.written("__init__")
    exam.find(
        Problem(
            f"A new {exam.learner.name} has gradient {plain(first)} before anything has arrived",
            "style",
            written.head() if written else NOWHERE,
            slip=f"Start with `self.{exam.learner.grad_name} = 0.0`.",
        )
    )


# -- names ---------------------------------------------------------------------------------------

_PYTHON_2 = {"__div__": "__truediv__", "__rdiv__": "__rtruediv__", "__idiv__": "__itruediv__"}


def names(exam: Exam) -> None:
    """Find methods under names that Python never calls."""
    for name in vars(exam.learner.cls):
        inner = name[2:-2] if name.startswith("__") and name.endswith("__") else ""
        row = PRIMITIVES.get(inner.lower())
        better = _PYTHON_2.get(name, "")
        is_function = row is not None and row.arity == 1 and inner not in ("abs", "neg")
        if not better and is_function and not hasattr(exam.learner.cls, inner):
            better = inner
        if better and not hasattr(exam.learner.cls, better):
            written = exam.written(name)
            exam.find(
                Problem(
                    f"Python never calls {name}",
                    "style",
                    written.head() if written else NOWHERE,
                    slip=f"Call it {better}" + ("." if better in _PYTHON_2.values() else
                    f", and use it as x.{better}(): names with two underscores are Python's own."),
                )
            )  # fmt: skip


def _driver(exam: Exam) -> Place:
    return Written(exam.learner.code).head() if exam.learner.code else NOWHERE


def own_methods(exam: Exam) -> Iterator[str]:
    """Return operations of self alone that the table does not know.

    A method that defines a local rule is one, also if it does not work; another one is run, and
    counts if it makes a new value and leaves the old one as it was.
    """
    cls, learner = exam.learner.cls, exam.learner
    for method, item in vars(cls).items():
        code = getattr(item, "__code__", None)
        if code is None or method.startswith("_") or method.lower() in PRIMITIVES:
            continue
        if code.co_argcount != 1 or method == learner.driver_name:
            continue
        written = exam.written(method)
        defines = written and any(_writes(rule, learner.grad_name) for rule in written.rules())
        makes = {cls.__name__, "__class__"} & {*code.co_names, *code.co_freevars}
        if defines or (makes and _makes_new(exam, method)):
            yield method


def _writes(rule: ast.AST, attribute: str) -> bool:
    """Whether a rule writes an attribute of something else than the value that is walked from."""
    return any(
        isinstance(node, ast.Assign | ast.AugAssign) and owner(node, attribute)
        for node in ast.walk(rule)
    )


def _makes_new(exam: Exam, method: str) -> bool:
    leaf = exam.learner.make(0.5)
    before = {name: getattr(leaf, name, None) for name in attribute_names(leaf)}
    made = run(getattr(leaf, method)).result
    same = all(getattr(leaf, name, None) is held for name, held in before.items())
    return isinstance(made, exam.learner.cls) and made is not leaf and same
