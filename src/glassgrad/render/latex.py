r"""A graph as LaTeX: one equation per value, its rule from the table with the names put in.

In flows a graph; out flows an ``align*`` of the package amsmath, for ``\input`` into a document.
The front end copies the same text (``js/copy.ts``).  Names that are no plain identifiers are
written v0, v1 …, so that nothing of the user's can be a command.
"""

from __future__ import annotations

import keyword
import re
from collections.abc import Container

from glassgrad.graphs.fold import Part, nearest
from glassgrad.graphs.formula import decimal, filled, rule_of
from glassgrad.graphs.model import Graph
from glassgrad.render.dot import LIMIT

_RESERVED = frozenset({*keyword.kwlist, "Value", "math"})  # as in a copy as Python


def to_latex(graph: Graph, *, limit: int = LIMIT) -> str:
    r"""Return a graph as equations in LaTeX.

    Parameters
    ----------
    graph : Graph
        The graph.
    limit : int, optional
        How many values to write, those nearest the root; a comment says what is missing.

    Examples
    --------
    >>> import glassgrad as gg
    >>> a = gg.Value(3.0)
    >>> b = a / 2
    >>> print(to_latex(gg.graph(b)), end="")
    \begin{align*}
    a &= 3 \\
    b &= \frac{a}{2} = 1.5
    \end{align*}
    """
    part = nearest(graph, limit)
    own = identifiers(part)
    taken = set(own)
    names = {node: _italic(name, taken) for node, name in zip(part.nodes, own, strict=True)}
    constant = [kind == "constant" for kind in graph.node_columns.kind]
    data = graph.node_columns.data

    def term(node: int) -> str:
        if not constant[node]:
            return names[node]
        return re.sub(r".*(-|cdot).*", r"(\g<0>)", decimal(data[node]))

    rows = []
    for node, hidden in zip(part.nodes, part.hidden, strict=True):
        if constant[node]:
            continue
        rule, operands = rule_of(graph, node), [] if hidden else _operands(graph, node)
        made = ""
        if rule and len(operands) == len(rule.variables):
            terms = dict(zip(rule.variables, map(term, operands), strict=True))
            made = f"{filled(rule.latex, terms)} = "
        rows.append(f"{names[node]} &= {made}{decimal(data[node])}")
    text = " \\\\\n".join(rows)
    said = f"% {part.remark}\n" if part.remark else ""
    return f"{said}\\begin{{align*}}\n{text}\n\\end{{align*}}\n"


def _operands(graph: Graph, node: int) -> list[int]:
    """Return the operands of a node, each as often as it is used; none where the order is open."""
    columns, below = graph.edge_columns, graph.operand_edges(node)
    used = [columns.source[edge] for edge in below for _ in range(columns.count[edge])]
    # of sums and products any order is right
    is_known = len(used) < 2 or graph.node_columns.symbol[node] in "+×"
    return used if is_known or all(columns.operand[edge] is not None for edge in below) else []


def identifiers(part: Part) -> list[str]:
    """Return for each value a name that no other has: the user's where it is an identifier.

    Examples
    --------
    >>> import glassgrad as gg
    >>> a = gg.Value(2.0)
    >>> identifiers(nearest(gg.graph(a * a + a), 10))
    ['a', 'v1', 'v2']
    """
    taken, own = set(_RESERVED), []
    for node in part.nodes:
        label = part.graph.node_columns.label[node]
        is_free = re.fullmatch(r"[a-z_]\w*", label, re.ASCII | re.IGNORECASE) and label not in taken
        own.append(label if is_free else "")
        taken.add(own[-1])
    names = []
    for node, name in zip(part.nodes, own, strict=True):
        free = name or f"v{node}"
        while not name and free in taken:
            free += "_"
        taken.add(free)
        names.append(free)
    return names


def _italic(name: str, names: Container[str]) -> str:
    """Set x1 with an index and a word in upright letters, as x_1 where there is an x1 too."""
    found = re.fullmatch(r"([a-z])(?:_?([0-9]+))?", name, re.IGNORECASE | re.ASCII)
    if found is None or ("_" in name and name.replace("_", "") in names):
        return "\\mathrm{" + name.replace("_", "\\_") + "}"
    letter, index = found.groups()
    return f"{letter}_{{{index}}}" if index else letter
