"""``gg.gradcheck``: gradients by the chain rule beside slopes by measurement.

In flows a function of Values, or a result; out flows a `GradCheck`: a row per value, which a
terminal prints as a table and a notebook shows with the V-shaped plot of error against step.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from html import escape
from math import isnan, nan
from typing import Any

from glassgrad.checks.curve import Point, curve_svg, points
from glassgrad.checks.html import STYLE
from glassgrad.checks.learner import Learner, UnusableError
from glassgrad.checks.numeric import Slope
from glassgrad.checks.replay import Replays
from glassgrad.checks.rerun import Rerun
from glassgrad.graphs import adapters
from glassgrad.graphs.assemble import assemble
from glassgrad.graphs.collect import Collected, collect
from glassgrad.graphs.model import Graph
from glassgrad.graphs.names import callers_names, lookup
from glassgrad.graphs.numbers import counted, plain
from glassgrad.graphs.read import adapter_of
from glassgrad.graphs.steps import steps
from glassgrad.graphs.surroundings import untouched

MOST = 100
"""So many values are measured at most, leaves first; each costs some thirty runs of the graph."""

_CURVES = 12  # leaves with a plot
_HEADS = ("", "data", "gradient", "measured", "uncertain by", "how", "")


@dataclass(frozen=True, slots=True)
class Row:
    """One value of a gradient check.

    Parameters
    ----------
    name : str
        What it is called.
    data : float
        Its number.
    gradient : float or None
        By the chain rule, from the local slopes of the class; None where one is unknown.
    measured : float
        By complex step or by differences; nan where the graph cannot be run again.
    error : float
        How far `measured` may be off.
    how : str
        How it was measured.
    agrees : bool or None
        Whether the two are the same as far as the measurement can tell; None where either is
        unknown.
    """

    name: str
    data: float
    gradient: float | None
    measured: float
    error: float
    how: str
    agrees: bool | None

    @property
    def cells(self) -> tuple[str, ...]:
        """The row as text."""
        gradient = "unknown" if self.gradient is None else plain(self.gradient)
        measured = "not measured" if isnan(self.measured) else plain(self.measured)
        error = f"{self.error:.0e}" if self.error else "0"
        mark = {True: "✓", False: "✗", None: "?"}[self.agrees]
        return (self.name, plain(self.data), gradient, measured, error, self.how, mark)


@dataclass(frozen=True, slots=True, repr=False)
class GradCheck:
    """The answer of ``gg.gradcheck``.

    Parameters
    ----------
    title : str
        The root's name.
    rows : tuple of Row
        The values, leaves first.
    curves : mapping of str to tuple of Point
        For each leaf, the errors of difference quotients against their steps.
    total : int
        How many values the graph has.
    """

    title: str
    rows: tuple[Row, ...]
    curves: Mapping[str, tuple[Point, ...]] = field(default_factory=dict)
    total: int = 0

    @property
    def passed(self) -> bool:
        """Whether no gradient disagrees with its measurement."""
        return all(row.agrees is not False for row in self.rows)

    @property
    def summary(self) -> str:
        """One sentence."""
        wrong = [row.name for row in self.rows if row.agrees is False]
        compared = sum(row.agrees is not None for row in self.rows)
        count = f"{counted(compared, 'gradient')} (of {counted(self.total, 'value')})"
        if wrong:
            return f"{self.title}: {len(wrong)} of {count} disagree: {', '.join(wrong[:5])}."
        return f"{self.title}: {count} compared, all agree with what was measured."

    def __str__(self) -> str:
        table = [_HEADS, *(row.cells for row in self.rows)]
        widths = [max(map(len, column)) for column in zip(*table, strict=True)]
        lines = (
            "  ".join(cell.ljust(width) for cell, width in zip(line, widths, strict=True)).rstrip()
            for line in table
        )
        return "\n".join([*lines, "", self.summary])

    __repr__ = __str__

    def to_svg(self, name: str = "") -> str:
        """Return the plot of error against step for one leaf, the first if none is named.

        Raises
        ------
        KeyError
            When there is no curve of that name.

        Examples
        --------
        >>> import glassgrad as gg
        >>> gradcheck(lambda a, b: a * b, 2.0, 3.0).to_svg("b").startswith("<svg")
        True
        """
        chosen = name or next(iter(self.curves), "")
        return curve_svg(chosen, self.curves[chosen])

    def _repr_mimebundle_(self, include: object = None, exclude: object = None) -> dict[str, str]:
        return {"text/plain": str(self), "text/html": self._html()}

    def _html(self) -> str:
        head = "".join(f"<th>{escape(word)}</th>" for word in _HEADS)
        body = "".join(
            f"<tr>{''.join(f'<td>{escape(cell)}</td>' for cell in row.cells)}</tr>"
            for row in self.rows
        )
        plot = self.to_svg() if self.curves else ""
        # the plot is drawn in the colour of the text, on the page's own ground
        plot = plot.replace("<svg ", '<svg style="background:none" ', 1)
        return (
            f'<div class="gg-check"><style>{STYLE}</style><table><thead><tr>{head}</tr></thead>'
            f"<tbody>{body}</tbody></table><p>{escape(self.summary)}</p>{plot}</div>"
        )


def gradcheck(
    f_or_root: Any,
    *at: float,
    cls: type | None = None,
    names: Mapping[str, object] | None = None,
) -> GradCheck:
    """Compare gradients by the chain rule with slopes that are measured.

    Parameters
    ----------
    f_or_root : callable or object
        A function of Values, or a result that was computed from Values of any class.
    *at : float
        The numbers of the function's arguments.
    cls : type, optional
        The class that the function is tried with; glassgrad's Value by default.
    names : mapping of str to object, optional
        What the values of a result are called; by default the variables where this is called.

    Returns
    -------
    GradCheck
        A row for each value, leaves first.

    Raises
    ------
    TypeError
        When there is nothing to differentiate.

    Examples
    --------
    >>> result = gradcheck(lambda a, b: a * b + a, 2.0, -3.0)
    >>> [(row.name, row.gradient, row.measured, row.how) for row in result.rows[:2]]
    [('a', -2.0, -2.0, 'complex step'), ('b', 2.0, 2.0, 'complex step')]
    >>> result.passed
    True
    """
    root = f_or_root
    if callable(root) and adapters.find(root) is None:
        root, names = _called(root, at, cls)
    elif at:
        raise TypeError(
            "A result has its numbers already; give gradcheck the function to try others: "
            "gg.gradcheck(f, 2.0, -3.0)."
        )
    adapter_of(root)
    collected = collect(root)
    items = [o for n, o in enumerate(collected.objects) if n not in collected.constants]
    with untouched(items):
        name_of = lookup(callers_names() if names is None else names)
        return _checked(collected, assemble(collected, name_of, lambda _: None), type(root))


def _called(
    f: Callable[..., Any], at: Sequence[float], cls: type | None
) -> tuple[Any, Mapping[str, object]]:
    """Call a function with Values, and tell what they are called."""
    from glassgrad.engine.value import Value

    try:
        parameters = list(inspect.signature(f).parameters)
    except (TypeError, ValueError):
        parameters = []
    if not at:
        raise TypeError(
            "gradcheck of a function needs the numbers to try it with: gg.gradcheck(f, 2.0, -3.0)."
        )
    leaves = [(cls or Value)(number) for number in at]
    named = dict(zip(parameters, leaves, strict=False)) if len(parameters) >= len(at) else {}
    return f(*leaves), named


def _checked(collected: Collected, graph: Graph, cls: type) -> GradCheck:
    data = list(graph.node_columns.data)
    try:
        make: Callable[[float], object] = Learner(cls).make
    except UnusableError:
        make = cls
    replays = Replays(collected, data, make)
    made = [replays.of(node) for node in range(len(graph))]
    stuck = [n for n, r in enumerate(collected.records) if r.operands and made[n] is None]
    rerun = Rerun(made, data)
    gradients = {step.node: step.gradient for step in steps(graph).backward}
    chosen = list(_chosen(graph, collected))[:MOST]
    blocked = _above(graph, stuck)
    rows = tuple(_row(graph, node, gradients[node], rerun, node in blocked) for node in chosen)
    leaves = [n for n in chosen if graph.node_columns.kind[n] != "result" and n not in blocked]
    curves = {
        graph.node_columns.label[node]: points(
            lambda number, node=node: rerun.root(node, number), data[node], gradient  # type: ignore[misc]
        )
        for node in leaves[:_CURVES]
        if (gradient := gradients[node]) is not None
    }  # fmt: skip
    return GradCheck(graph.root.label, rows, curves, len(graph))


def _chosen(graph: Graph, collected: Collected) -> Iterator[int]:
    """Return what to measure: leaves first, then results from the root down."""
    kinds = graph.node_columns.kind
    own = [n for n in range(len(graph)) if n not in collected.constants]
    yield from (n for n in own if kinds[n] != "result")
    yield from (n for n in reversed(own) if kinds[n] == "result")


def _above(graph: Graph, stuck: Sequence[int]) -> set[int]:
    """Return the values whose way to the root leads through one that cannot be run again."""
    blocked = set[int]()
    marked = set(stuck)
    for node in reversed(range(len(graph))):
        if node in marked or node in blocked:
            blocked |= {graph.edge_columns.source[edge] for edge in graph.operand_edges(node)}
    return blocked


def _row(graph: Graph, node: int, gradient: float | None, rerun: Rerun, blocked: bool) -> Row:
    columns = graph.node_columns
    if blocked:
        slope, how = Slope(nan, nan, nan, nan), "an operation cannot be run again"
    else:
        slope, how = rerun.slope(node)
    agrees = None if gradient is None or blocked else slope.accepts(gradient)
    return Row(
        columns.label[node], columns.data[node], gradient, slope.value, slope.error, how, agrees
    )
