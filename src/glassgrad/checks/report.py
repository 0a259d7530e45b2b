"""What a check found, as plain data that prints itself.

In flow `Problem`s and a graph; out flow text for terminals, HTML for notebooks and a picture in
which the wrong edges are red.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Literal, NamedTuple, TypeAlias

from glassgrad.graphs.model import Graph
from glassgrad.graphs.numbers import counted

if TYPE_CHECKING:
    import graphviz

Severity: TypeAlias = Literal["wrong gradient", "missing", "fragile", "style"]

FAILING: frozenset[Severity] = frozenset({"wrong gradient", "missing"})
"""What has to be repaired; everything else is good to know."""

_COUNTED: Mapping[Severity, str] = {
    "wrong gradient": "wrong",
    "missing": "missing",
    "fragile": "fragile",
    "style": "of style",
}
_WIDTH = 66  # the column of line numbers
_MARKS = {True: "✗", False: "!"}


class Place(NamedTuple):
    """Where in the user's source."""

    line: int | None
    """The line of the cell or the file, from 1; None where the source is unknown."""

    text: str
    """What stands there, without indentation; ``""`` where the source is unknown."""

    file: str = ""
    """``"cell 4"``, or the name of the file."""


NOWHERE = Place(None, "")


@dataclass(frozen=True, slots=True)
class Problem:
    """One thing that is wrong, missing, fragile or a matter of style.

    Parameters
    ----------
    what : str
        What is wrong, in one sentence without a full stop.
    severity : {"wrong gradient", "missing", "fragile", "style"}
        The first two fail a check.
    where : Place
        The line of the user's source.
    trial : str
        What was computed to find out, such as ``"x.tanh() * x at x = 0.5"``; ``""`` if nothing.
    expected, got : str
        The right answer and the user's.
    slip : str
        The likely slip, and what to do.
    """

    what: str
    severity: Severity = "wrong gradient"
    where: Place = NOWHERE
    trial: str = ""
    expected: str = ""
    got: str = ""
    slip: str = ""

    @property
    def fails(self) -> bool:
        """Whether a check with this problem is not passed."""
        return self.severity in FAILING

    @property
    def evidence(self) -> str:
        """The trial and both answers, in one line."""
        answers = f"expected {self.expected}, got {self.got}" if self.expected else self.got
        return f"{self.trial}:  {answers}" if self.trial and answers else self.trial or answers

    def text(self, home: str = "") -> str:
        """Return it as lines of text; the file is named where it is not `home`.

        Examples
        --------
        >>> print(Problem("It is off", got="3", where=Place(7, "", "cell 2")).text("cell 2"))
        ✗ It is off                                                         line 7
            3
        """
        line = "" if self.where.line is None else f"line {self.where.line}"
        if line and self.where.file not in home:
            line = f"{self.where.file}, {line}"
        head = f"{_MARKS[self.fails]} {self.what}"
        first = f"{head.ljust(_WIDTH)}  {line}".rstrip()
        return "\n".join([first, *(f"    {text}" for text in (self.evidence, self.slip) if text)])

    def __str__(self) -> str:
        return self.text()


@dataclass(frozen=True, slots=True, repr=False)
class Report:
    """The answer of ``gg.check``: prints as text, and shows itself in a notebook with a picture.

    Parameters
    ----------
    subject : str
        What was checked: ``"Value (your class, cell 4)"``.
    findings : tuple of Problem
        Everything that was found.
    checks : int
        How many checks were passed.
    graph : Graph or None
        The graph of the first trial that failed, or the graph that was checked.
    marks : mapping of int to str
        Which of its edges (by index) are wrong, and the two numbers.
    unchecked : tuple of str
        What the class does not have, or what could not be run again.

    Examples
    --------
    >>> import glassgrad as gg
    >>> from glassgrad.checks.grader import check
    >>> report = check(gg.Value)
    >>> report.passed, report.problems, report.notes
    (True, (), ())
    """

    subject: str
    findings: tuple[Problem, ...] = ()
    checks: int = 0
    graph: Graph | None = None
    marks: Mapping[int, str] = field(default_factory=dict)
    unchecked: tuple[str, ...] = ()

    @property
    def problems(self) -> tuple[Problem, ...]:
        """What has to be repaired."""
        return tuple(problem for problem in self.findings if problem.fails)

    @property
    def notes(self) -> tuple[Problem, ...]:
        """What is good to know: fragile places and matters of style."""
        return tuple(problem for problem in self.findings if not problem.fails)

    @property
    def passed(self) -> bool:
        """Whether nothing has to be repaired."""
        return not self.problems

    @property
    def summary(self) -> str:
        """The first line: what was checked, and how much of what was found."""
        counts = [_count(self.findings, severity) for severity in _COUNTED]
        parts = [*filter(None, counts), f"{counted(self.checks, 'check')} passed"]
        return f"{self.subject}: {', '.join(parts)}"

    def __str__(self) -> str:
        ordered = [*self.problems, *self.notes]
        blocks = [self.summary, *(problem.text(self.subject) for problem in ordered)]
        if self.unchecked:
            blocks.append(f"Not checked: {', '.join(self.unchecked)}.")
        return "\n\n".join(blocks)

    __repr__ = __str__

    def to_dot(self) -> graphviz.Digraph | None:
        """Return the picture, wrong edges in red with both numbers; None where there is no graph.

        Examples
        --------
        >>> import glassgrad as gg
        >>> from glassgrad.checks.grader import check
        >>> a = gg.Value(2.0)
        >>> check(a * a).to_dot().source.startswith("digraph")
        True
        """
        if self.graph is None:
            return None
        from glassgrad.render.dot import to_dot

        return to_dot(self.graph, wrong=self.marks)

    def _repr_mimebundle_(self, include: object = None, exclude: object = None) -> dict[str, str]:
        from glassgrad.checks.html import report_html

        return {"text/plain": str(self), "text/html": report_html(self)}


def _count(findings: tuple[Problem, ...], severity: Severity) -> str:
    count = sum(problem.severity == severity for problem in findings)
    if not count:
        return ""
    word = _COUNTED[severity]
    return (
        f"{counted(count, 'gradient')} {word}"
        if severity == "wrong gradient"
        else f"{count} {word}"
    )
