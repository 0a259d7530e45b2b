"""The exam of a class: trials in, findings out.

It keeps what one grading has learned so far: which methods are to blame already, so that one slip
is not reported again by everything that is built upon it; and whether to walk the graph ourselves,
because the class's own driver is wrong.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from math import isnan

from glassgrad.checks.failures import explain, takes
from glassgrad.checks.guard import Ran
from glassgrad.checks.learner import Learner, Trial
from glassgrad.checks.operations import Operation
from glassgrad.checks.report import NOWHERE, Place, Problem
from glassgrad.checks.source import Written, lookup, rule_of, sentence
from glassgrad.engine.ops import PRIMITIVES
from glassgrad.graphs.numbers import plain
from glassgrad.graphs.recognise import agree

NAMES = ("x", "y")
"""What the operands are called in sentences."""


class Exam:
    """One grading of one class.

    Parameters
    ----------
    learner : Learner
        The class.
    """

    def __init__(self, learner: Learner) -> None:
        self.learner = learner
        self.findings: list[Problem] = []
        self.unchecked: list[str] = []
        self.absent: set[str] = set()  # how Python complains about operators that are missing
        self.skipped: set[Operation] = set()  # a class need not have these
        self.passed = 0
        self.blamed: set[str] = set()  # methods
        self.walk = False  # ourselves, instead of the class's own driver
        self.can_walk = False
        self.confused = False  # it takes values that hold the same number for one
        self.failed: Trial | None = None  # the first program that went wrong

    def trial(
        self, program: Callable[..., object], at: Sequence[float], names: Sequence[str] = NAMES
    ) -> Trial:
        """Run a program, with the driver that can be relied upon."""
        return Trial(self.learner, program, at, names, walk=self.walk)

    def find(self, problem: Problem, trial: Trial | None = None, *, blame: str = "") -> None:
        """Note a problem, the trial that showed it and the method that is to blame."""
        self.findings.append(problem)
        if blame:
            self.blamed.add(blame)
        if problem.fails and self.failed is None and trial is not None and trial.made:
            self.failed = trial

    def told(self, problem: Problem) -> bool:
        """Whether the same line was found to raise the same, on the way of something else."""
        return any(p.where == problem.where and p.slip == problem.slip for p in self.findings)

    def explained(self, trial: Trial, method: str = "") -> bool:
        """Whether something that ran, could not be called or is missing is to blame already."""
        words = str(trial.error or "")
        if any(complaint in words for complaint in self.absent):
            return True
        ran = {name for name in self.blamed if name in trial.called or f"{name}()" in words}
        return bool(ran - {method})

    # -- where -----------------------------------------------------------------------------------

    def written(self, method: str) -> Written | None:
        """Return a method as it is written."""
        return lookup(self.learner.cls, method)

    def rule(self, operation: Operation, slot: int) -> tuple[Place, bool]:
        """Return where the rule for one operand is, and whether it replaces the gradient there."""
        learner, row = self.learner, PRIMITIVES.get(operation.primitive)
        words = [row.op, row.name, row.op.casefold(), row.symbol] if row else [operation.method]
        return rule_of(learner.cls, learner.grad_name, operation.method, slot, words)

    def place(self, method: str) -> Place:
        """Return where a method makes its result."""
        written = self.written(method)
        return written.result() if written else NOWHERE

    def line(self, ran: Ran, fallback: Place) -> Place:
        """Return the innermost of the learner's own lines that was active when something raised."""
        files = {
            written.file
            for name in (*vars(self.learner.cls), self.learner.driver_name)
            if (written := self.written(name)) is not None
        }
        for file, number in reversed(ran.lines):
            if file in files:
                return Written.line(file, number)
        return fallback

    # -- sentences -------------------------------------------------------------------------------

    def words(self, method: str, arity: int = 2) -> dict[str, str]:
        """Return what the sentence of a failure may name."""
        return {
            "method": f"`{method}`",
            "cls": self.learner.name,
            "data": self.learner.data_name,
            "grad": self.learner.grad_name,
            "takes": takes(arity),
        }

    def failure(self, ran: Ran, method: str, arity: int = 2) -> str:
        """Return the likely slip behind what a run raised."""
        return explain(ran.error, self.words(method, arity)) if ran.error else ""

    def say(self, template: str, place: Place, operation: Operation, slot: int) -> str:
        """Fill in the sentence of a slip."""
        text = operation.written("self", "other")
        sides = text.split(" ")
        return sentence(
            template,
            place,
            f"the rule of {operation.method}",
            method=f"`{operation.method}`",
            name=NAMES[slot],
            swapped=f"self {sides[1]} other" if len(sides) == 3 else text,
        )


def numbers(names: Sequence[str], at: Sequence[float]) -> str:
    """Write where a program was tried.

    Examples
    --------
    >>> numbers(("x", "y"), (2.0, -3.0))
    'x = 2, y = -3'
    """
    return ", ".join(f"{name} = {plain(number)}" for name, number in zip(names, at, strict=False))


def gradients(names: Sequence[str], grads: Sequence[float]) -> str:
    """Write gradients.

    Examples
    --------
    >>> gradients(("x",), (0.5,))
    'x.grad 0.5'
    """
    pairs = zip(names, grads, strict=False)
    return ", ".join(f"{name}.grad {'no number' if isnan(g) else plain(g)}" for name, g in pairs)


def differing(
    names: Sequence[str], expected: Sequence[float], got: Sequence[float]
) -> tuple[str, str]:
    """Write expected and got, for those gradients only that differ.

    Examples
    --------
    >>> differing(("x", "y"), (1.0, 2.0), (1.0, -2.0))
    ('y.grad 2', '-2')
    """
    wrong = [i for i, (e, g) in enumerate(zip(expected, got, strict=True)) if not agree(e, g)]
    chosen = [names[i] for i in wrong]
    right = gradients(chosen, [expected[i] for i in wrong])
    answer = gradients(chosen, [got[i] for i in wrong])
    return right, answer if len(wrong) > 1 else answer.partition(".grad ")[2] or answer
