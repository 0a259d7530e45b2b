"""``draw_dot`` and ``trace``, as the lecture defines them, for any class of Value.

In flows a root object; out flow a `graphviz.Digraph`, and the sets of the user's own objects.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import graphviz

from glassgrad.graphs import adapters
from glassgrad.graphs.model import Graph
from glassgrad.graphs.names import callers_names
from glassgrad.graphs.read import adapter_of
from glassgrad.graphs.read import graph as read_graph
from glassgrad.render.dot import to_dot


def draw_dot(root: object, format: str = "svg", rankdir: str = "LR") -> graphviz.Digraph:
    """Draw the graph of a Value.

    Parameters
    ----------
    root : object
        Anything that ``gg.graph`` reads, or a `Graph`.
    format : str, optional
        What ``render()`` and ``pipe()`` make: ``"svg"``, ``"png"``, ``"pdf"`` ...
    rankdir : {"LR", "TB"}, optional
        From left to right, or from top to bottom.

    Returns
    -------
    graphviz.Digraph
        Shows itself in a notebook.  ``.source`` is the DOT text, ``.render("name")`` writes a file.

    Raises
    ------
    TypeError
        When `root` has no graph.
    ValueError
        When `format` or `rankdir` is not known.

    Examples
    --------
    >>> import glassgrad as gg
    >>> a = gg.Value(2.0)
    >>> picture = gg.draw_dot(a * a)
    >>> picture.format, "a * a" in picture.source
    ('svg', True)
    """
    graph = root if isinstance(root, Graph) else read_graph(root, callers_names())
    picture = to_dot(graph, rankdir=rankdir)
    picture.format = format
    return picture


def trace(root: object) -> tuple[set[Any], set[tuple[Any, Any]]]:
    """Collect the objects behind a Value.

    A plain number in an expression of ours is a Value here, as it is in ``_prev``.

    Parameters
    ----------
    root : object
        A Value of any class whose objects can be in a set.

    Returns
    -------
    nodes : set
        The objects: `root` and everything it was computed from.
    edges : set of tuple
        A pair (operand, result) for each operand of each result.

    Raises
    ------
    TypeError
        When `root` has no graph, or its class cannot be hashed.

    Examples
    --------
    >>> import glassgrad as gg
    >>> a, b = gg.Value(2.0), gg.Value(-3.0)
    >>> nodes, edges = gg.trace(a * b)
    >>> len(nodes), sorted(operand.data for operand, _ in edges)
    (3, [-3.0, 2.0])
    """
    adapter_of(root)
    _check_hash(root)
    nodes, edges, waiting = {root}, set(), [root]
    while waiting:
        result = waiting.pop()
        for operand in _operands(result):
            _check_hash(operand)
            edges.add((operand, result))
            if operand not in nodes:
                nodes.add(operand)
                waiting.append(operand)
    return nodes, edges


def _check_hash(value: object) -> None:
    kind = type(value)
    if kind.__hash__ is None:
        raise TypeError(
            f"A {kind.__name__} cannot be in a set, because the class defines __eq__ without "
            "__hash__: add `__hash__ = object.__hash__` to it, or use gg.graph(value).nodes."
        )


def _operands(value: object) -> Iterable[object]:
    kept = getattr(value, "_prev", None)
    if isinstance(kept, Iterable):
        return kept
    adapter = adapters.find(value)
    operands = adapter.record(value).operands if adapter else ()
    return [operand for operand in operands if adapters.find(operand)]
