"""The wire, version 1: a graph as JSON, for the widget and for pages without a kernel.

In flows a `Graph`; out flow two dictionaries of plain JSON.  ``graph`` is the structure and
travels once; ``numbers`` are what a backward pass changes and travel again.  ``js/contract.ts``
reads both, and the files in ``tests/wire`` hold the two sides to one format.

Non-finite numbers, which JSON lacks, are the strings ``"NaN"``, ``"Infinity"`` and
``"-Infinity"``.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from math import isfinite, isnan
from typing import Any, TypeAlias

from glassgrad.engine.expression import Expression
from glassgrad.graphs.fold import Part, nearest
from glassgrad.graphs.folding import Folding, flows, picture
from glassgrad.graphs.formula import Rule, rule_of
from glassgrad.graphs.groups import Group
from glassgrad.graphs.leftover import left_over
from glassgrad.graphs.model import Graph
from glassgrad.graphs.numbers import typeset
from glassgrad.notebook.code import Code, code_json

FORMAT, VERSION = "glassgrad", 1

LIMIT = 1000
"""So many values are drawn at most: the ones nearest the root."""

Json: TypeAlias = "dict[str, Any]"


_NOWHERE: Mapping[int, int] = {}


def encode(
    graph: Graph,
    *,
    title: str | None = None,
    code: Code | None = None,
    limit: int = LIMIT,
    cells: Mapping[int, int] = _NOWHERE,
    folding: Folding | None = None,
) -> Json:
    """Return structure and numbers of a graph.

    Parameters
    ----------
    graph : Graph
        The graph.
    title : str, optional
        Its name; by default that of its root.
    code : Code, optional
        The source text beside it.
    limit : int, optional
        The most values to send; the ones nearest the root are kept, and a notice says so.
    cells : mapping of int to int, optional
        By node: the number of the cell that left a gradient which is not of this graph.
    folding : Folding, optional
        Which cards to draw in place of the values; then `limit` says nothing.

    Returns
    -------
    dict
        ``{"graph": ..., "numbers": ...}``, ready for ``json.dumps(..., allow_nan=False)``.

    Examples
    --------
    >>> import glassgrad as gg
    >>> a = gg.Value(2.0)
    >>> b = a * a
    >>> wire = encode(gg.graph(b))
    >>> wire["graph"]["edges"]["source"], wire["numbers"]["slope"]
    ([0, 0], [2.0, 2.0])
    """
    if cells:
        said = dict(zip(left_over(graph), left_over(graph, cells), strict=True))
        messages = tuple(said.get(message, message) for message in graph.messages)
        graph = replace(graph, messages=messages)
    if folding:
        return _folded(graph, title, code, cells, folding)
    part = nearest(graph, limit)
    return {"graph": _structure(part, title, code), "numbers": _numbers(part, cells)}


def numbers(graph: Graph, *, limit: int = LIMIT) -> Json:
    """Return only what changes when backward runs.

    Examples
    --------
    >>> import glassgrad as gg
    >>> a = gg.Value(2.0)
    >>> b = a * float("inf")
    >>> numbers(gg.graph(b))["data"]
    [2.0, 'Infinity', 'Infinity']
    """
    return _numbers(nearest(graph, limit), _NOWHERE)


def to_json(graph: Graph) -> str:
    """Return structure and numbers as JSON text.

    Examples
    --------
    >>> import glassgrad as gg
    >>> json.loads(to_json(gg.graph(gg.Value(2.0), {})))["graph"]["title"]
    '2'
    """
    return json.dumps(encode(graph), allow_nan=False)


# -- folded ---------------------------------------------------------------------------------------


def _folded(
    graph: Graph, title: str | None, code: Code | None, cells: Mapping[int, int], folding: Folding
) -> Json:
    """Return the same of the picture's cards: their ids are those of their last values."""
    drawn = nearest(picture(folding, graph), len(folding.cards))
    structure = _structure(drawn, title, None)
    groups = [(at, card) for at, card in enumerate(folding.cards) if isinstance(card, Group)]
    structure |= {
        "total": len(graph),
        "operations": graph.operations,
        "notice": folding.notice,
        "nodes": structure["nodes"] | {"id": folding.ids},
        "folds": {
            "opened": [[group.name, group.label] for group in folding.opened],
            "groups": [
                [at, group.name, folding.says(at), len(group.nodes)] for at, group in groups
            ],
        },
    }
    for at, group in groups:
        if folding.says(at):
            structure["nodes"]["label"][at] = group.label
    if code:
        whole = nearest(graph, len(graph))
        structure["code"] = code_json(code, whole, dict(enumerate(folding.card_of)))
    own = {card: at for at, card in enumerate(folding.cards) if isinstance(card, int)}
    numbers = _numbers(drawn, {own[node]: cell for node, cell in cells.items() if node in own})
    sent = [[at, encoded(flow)] for at, flow in flows(folding, graph).items()]
    numbers["notes"] |= {"flows": sent}
    return {"graph": structure, "numbers": numbers}


# -- numbers --------------------------------------------------------------------------------------


def _numbers(part: Part, cells: Mapping[int, int]) -> Json:
    graph, ran = part.graph, part.graph.ran
    data, grad, slope = graph.node_columns.data, graph.node_columns.grad, graph.edge_columns.slope
    return {
        "ran": ran,
        "data": [encoded(data[node]) for node in part.nodes],
        # before backward has run, a gradient that is where it started says nothing
        "grad": [
            encoded(grad[node] if ran or grad[node] != graph.start else None) for node in part.nodes
        ],
        "slope": [encoded(slope[edge]) for edge in part.edges],
        "notes": _notes(part, cells),
    }


def _notes(part: Part, cells: Mapping[int, int]) -> Json:
    """Return what is unusual: rows of an index and what is said there."""
    graph, wrong = part.graph, part.graph.wrong_edges()
    nodes = [[at, " ".join(graph.notes(node))] for at, node in enumerate(part.nodes)]
    edges = [
        [at, wrong[edge], " ".join(graph.edge_notes(edge))]
        for at, edge in enumerate(part.edges)
        if edge in wrong
    ]
    left = [[at, cells[node]] for at, node in enumerate(part.nodes) if node in cells]
    return {"nodes": [row for row in nodes if row[1]], "edges": edges, "cells": left}


def encoded(number: float | None) -> float | str | None:
    """Return a number as it travels, None for one that is not there.

    Examples
    --------
    >>> encoded(2.5), encoded(float("-inf"))
    (2.5, '-Infinity')
    """
    if number is None or isfinite(number):
        return number
    return "NaN" if isnan(number) else "Infinity" if number > 0 else "-Infinity"


# -- structure ------------------------------------------------------------------------------------


def _structure(part: Part, title: str | None, code: Code | None) -> Json:
    graph = part.graph
    index = {node: position for position, node in enumerate(part.nodes)}
    columns, edges = graph.node_columns, graph.edge_columns
    sources = [columns.source[node] for node in part.nodes]
    rules = [rule_of(graph, node) for node in part.nodes]
    known = {rule.key: rule for rule in rules if rule}
    return {
        "format": FORMAT,
        "version": VERSION,
        "root": index[graph.root.id],
        "title": graph.root.label if title is None else title,
        "total": len(graph),
        "operations": graph.operations,
        "notice": part.notice,
        "messages": list(graph.messages),
        "nodes": {
            "id": list(part.nodes),
            "label": _pick(columns.label, part.nodes),
            "op": _pick(columns.op, part.nodes),
            "symbol": _pick(columns.symbol, part.nodes),
            "kind": _pick(columns.kind, part.nodes),
            "rule": [rule.key if rule else None for rule in rules],
            "line": [source.line if source else None for source in sources],
            "text": [source.text if source else None for source in sources],
            "hidden": list(part.hidden),
        },
        "edges": {
            "source": [index[edges.source[edge]] for edge in part.edges],
            "target": [index[edges.target[edge]] for edge in part.edges],
            "operand": _pick(edges.operand, part.edges),
            "count": _pick(edges.count, part.edges),
        },
        "rules": {key: _described(rule) for key, rule in known.items()},
        "code": code_json(code, part) if code else None,
    }


def _pick(column: Sequence[Any], rows: Iterable[int]) -> list[Any]:
    return [column[row] for row in rows]


# -- rules ----------------------------------------------------------------------------------------


def _described(rule: Rule) -> Json:
    row = rule.row
    partials = [row.partial(position) for position in range(len(rule.variables))]
    forward = _formula(row.forward, rule.given)
    if row.variadic:  # each operand has a variable of its own
        listed = ", ".join("{" + name + "}" for name in rule.variables)
        forward = {"text": f"{row.name}({listed})", "expr": [row.name, *rule.variables]}
    return {
        "symbol": rule.symbol,
        "says": row.says,
        "variables": list(rule.variables),
        "forward": forward,
        "latex": rule.latex,
        "partials": [_formula(partial, rule.given) for partial in partials],
    }


def _formula(formula: Expression, given: Mapping[str, float]) -> Json:
    text = formula.text
    for variable, number in given.items():
        filling = typeset(number) if number >= 0 else f"({typeset(number)})"
        text = text.replace("{" + variable + "}", filling)
    return {"text": text, "expr": _filled(formula.json, given)}


def _filled(expression: Any, given: Mapping[str, float]) -> Any:
    """Put the given numbers in the places of their variables."""
    if isinstance(expression, list):
        name, *arguments = expression
        return [name, *(_filled(argument, given) for argument in arguments)]
    if isinstance(expression, str):
        return given.get(expression, expression)
    return encoded(expression)
