"""Which rule a node follows, as it is written: its row of the table for just these operands.

In flows a node of a graph; out flows a `Rule`, or None where the operation is not known.  The wire
and the renderers take their formulas from here, so that both write one rule in one way.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field

from glassgrad.graphs.adapters.native import PRIMITIVES, Primitive
from glassgrad.graphs.model import Graph
from glassgrad.graphs.numbers import plain
from glassgrad.graphs.recognise import exponent, power_symbol


@dataclass(frozen=True, slots=True)
class Rule:
    """A row of the table, for so many operands.

    Parameters
    ----------
    key : str
        What tells it from other rules: the row's name, and what is special here.
    row : Primitive
        The row.
    symbol : str
        What a picture shows for it.
    variables : tuple of str
        What the formulas call the operands, in order.
    given : mapping of str to float
        Variables that stand for a number instead: the exponent that a class keeps to itself.
    """

    key: str
    row: Primitive
    symbol: str
    variables: tuple[str, ...]
    given: Mapping[str, float] = field(default_factory=dict)

    @property
    def latex(self) -> str:
        """The result in LaTeX, over `variables`."""
        terms = {name: decimal(number) for name, number in self.given.items()}
        if self.row.variadic:
            terms["x"] = ", ".join(self.variables)
        return filled(self.row.forward.latex, terms)


def rule_of(graph: Graph, node: int) -> Rule | None:
    r"""Return the rule of a node, None where it is a leaf or nobody knows its rule.

    Examples
    --------
    >>> import glassgrad as gg
    >>> a = gg.Value(2.0)
    >>> rule_of(gg.graph(a / 3.0), 2).latex
    '\\frac{x}{y}'
    """
    name = graph.node_columns.primitive[node]
    if name is None:
        return None
    row = PRIMITIVES[name]
    operands = sum(graph.edge_columns.count[edge] for edge in graph.operand_edges(node))
    if row.variadic:
        names = tuple(f"x{position}" for position in range(1, operands + 1))
        return Rule(f"{name} {operands}", row, row.symbol, names)
    power = exponent(graph.node_columns.op[node])
    if operands == row.arity or power is None:
        return Rule(name, row, row.symbol, row.variables)
    # x**3 of a class that keeps the exponent to itself: a rule of one operand
    return Rule(f"{name} {power:g}", row, power_symbol(power), ("x",), {"y": power})


def filled(latex: str, terms: Mapping[str, str]) -> str:
    r"""Put terms in the places of variables; the front end does the same (``js/copy.ts``).

    Examples
    --------
    >>> print(filled(r"\frac{x}{\operatorname{exp}\left(y\right)}", {"x": "a", "y": "b"}))
    \frac{a}{\operatorname{exp}\left(b\right)}
    """
    return re.sub(r"\b[xyz]\d*\b", lambda found: terms.get(found[0], found[0]), latex)


def decimal(number: float) -> str:
    r"""Write a number in LaTeX, with six significant digits.

    Examples
    --------
    >>> print(decimal(-1.5e-9), decimal(float("-inf")), decimal(0.1))
    -1.5 \cdot 10^{-9} -\infty 0.1
    """
    mantissa, _, power = plain(number, 6).partition("e")
    written = mantissa.replace("nan", r"\mathrm{nan}").replace("inf", r"\infty")
    return rf"{written} \cdot 10^{{{power}}}" if power else written
