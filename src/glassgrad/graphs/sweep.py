"""A quick walk over the values behind a root, which takes along what can be taken in passing.

In flows the root of a large graph; out flow its values in no particular order, with one column for
each thing about them.  Nothing is compared or judged on the way: that is done with whole columns
later (see `glassgrad.graphs.snapshot`).  So the walk takes about as long as a class's own walk in
``backward()``, and most of that is the time it takes to fetch the objects from memory.
"""

from __future__ import annotations

import gc
from collections.abc import Callable, Iterator
from functools import lru_cache
from itertools import chain, repeat
from operator import countOf
from types import CodeType, FunctionType
from typing import Any, NamedTuple

from glassgrad.graphs.adapters import find
from glassgrad.graphs.adapters.closures import respelled
from glassgrad.graphs.adapters.dialect import Dialect

FEWEST = 1024
"""Below so many values there is nothing to gain."""

_PIECE = 1_500  # values: about what fits into a processor's cache
_WIDTH = 7  # things that are taken down about each value


class Piece(NamedTuple):
    """What a walk took along of some values, one column for each thing about them."""

    values: list[Any]
    """The values."""

    data: list[Any]
    """What stands where each number should be."""

    grad: list[Any]
    """What stands where each gradient should be."""

    op: list[Any]
    """What each calls its operation."""

    first: list[Any]
    """One of the operands that each keeps; None for a leaf."""

    second: list[Any]
    """The other one; None where there is none."""

    code: list[CodeType]
    """The code of the rule of each that has operands."""

    inside: list[Any]
    """What the cells of these rules hold, one rule's after the other's."""


class Sweep(NamedTuple):
    """A walk over a large graph that has begun."""

    dialect: Dialect
    """How the class spells things."""

    pieces: Iterator[Piece]
    """What is met, the root first.

    The walk goes on when the next piece is asked for, and raises where it meets what has no column.
    """


def sweep(root: object) -> Sweep | None:
    """Begin to walk over a large graph of one class, if its values have the usual form.

    That is: each result keeps one or two operands in a container of one sort, and its rule is a
    function that took objects along.

    Returns
    -------
    Sweep or None
        None where the graph is small, or has another form.

    Examples
    --------
    >>> sweep(3) is None
    True
    """
    kind = type(root)
    if kind.__eq__ is not object.__eq__ or kind.__hash__ is not object.__hash__:
        return None  # values are kept in a set, and nobody's code may run
    dialect = find(root)
    if not isinstance(dialect, Dialect) or not dialect.is_usual:
        return None
    s = dialect.spelling
    walk = _walker(dialect.names.operands, dialect.names.rule, s.data, s.grad, s.op)
    pieces = map(_piece, walk(root))
    try:
        first = next(pieces)
    except Exception:  # whatever looking at somebody's object may raise
        return None
    return Sweep(dialect, chain((first,), pieces)) if len(first.values) >= FEWEST else None


def _piece(rows: list[Any]) -> Piece:
    values, data, grad, op, rules, first, second = (rows[at::_WIDTH] for at in range(_WIDTH))
    rules = [rule for rule in rules if rule is not None]
    if countOf(map(type, rules), FunctionType) != len(rules):
        raise TypeError
    # Python visits what objects refer to ten times as fast as anybody may ask for it, in tuples
    # from the end; another order would show, since each rule knows its value in one known place
    closures = [rule.__closure__ for rule in reversed(rules)]
    cells = gc.get_referents(*closures)
    cells.reverse()
    inside = gc.get_referents(*cells)
    if len(inside) != len(cells):
        raise ValueError  # one was never filled
    return Piece(values, data, grad, op, first, second, [rule.__code__ for rule in rules], inside)


@lru_cache(maxsize=64)
def _walker(
    operands: str, rule: str, data: str, grad: str, op: str
) -> Callable[[Any], Iterator[list[Any]]]:
    """Return the walk for a class that calls its attributes so.

    It has them in its code: asking for an attribute whose name stands in a variable would take as
    long as all the rest of the walk.
    """
    called = {"_prev": operands, "_backward": rule, "data": data, "grad": grad, "_op": op}
    return respelled(_walk, called)


def _walk(root: Any) -> Iterator[list[Any]]:
    """Yield what is to be known of some values, row by row.

    All rows are in one list: several would take a third more time.
    """
    kind, box = type(root), type(root._prev)
    if box is not set and box is not tuple and box is not list:
        raise TypeError
    seen, waiting = {root}, [root]
    add, put, take = seen.add, waiting.append, waiting.pop
    while waiting:
        rows: list[Any] = []
        for _ in repeat(None, _PIECE):
            item = take()
            operands = item._prev
            if type(item) is not kind or type(operands) is not box:
                raise TypeError
            size = len(operands)
            if size:
                if size == 2:
                    x, y = operands
                    if x not in seen:
                        add(x)
                        put(x)
                    if y not in seen:
                        add(y)
                        put(y)
                else:
                    (x,) = operands  # raises where there are more
                    y = None
                    if x not in seen:
                        add(x)
                        put(x)
                rows += item, item.data, item.grad, item._op, item._backward, x, y
            else:
                rows += item, item.data, item.grad, item._op, None, None, None
            if not waiting:
                break
        yield rows
