"""What a widget knows of what it shows: its root, kept or not, and names from an earlier look."""

from __future__ import annotations

import weakref
from collections.abc import Callable
from dataclasses import replace

from glassgrad.graphs.model import Graph
from glassgrad.graphs.remarks import about_numbers


def hold(value: object, weak: bool) -> Callable[[], object]:
    """Return a function that gives the value back, as long as it is there."""
    if weak:
        try:
            return weakref.ref(value)
        except TypeError:  # the class has __slots__ and no place for a weak reference
            pass
    return lambda: value


def is_alike(earlier: Graph, now: Graph) -> bool:
    """Whether two graphs have the same structure."""
    return (
        earlier.node_columns.op == now.node_columns.op
        and earlier.edge_columns.source == now.edge_columns.source
        and earlier.edge_columns.target == now.edge_columns.target
    )


def with_names_of(earlier: Graph, now: Graph) -> Graph:
    """Return the new graph with the names, places and messages of the earlier one.

    They were found when the variables were at hand, and fit as long as the structure is the same.
    What was said of numbers goes where it does not hold of the new ones; the page itself says what
    is left over or stale now, and need not get the structure again for it.
    """
    before = earlier.node_columns
    columns = replace(now.node_columns, label=before.label, source=before.source)
    named = replace(now, node_columns=columns)
    if not earlier.messages:
        return replace(named, messages=())
    gone = {*about_numbers(earlier)} - {*about_numbers(named)}
    return replace(named, messages=tuple(said for said in earlier.messages if said not in gone))
