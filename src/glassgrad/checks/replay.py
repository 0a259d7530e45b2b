"""One operation of a graph, run again with other numbers.

In flow what was collected behind a root and the id of one value; out flows a function of its
operands' numbers.  It is the row of the table where name and numbers agree with one, else the
learner's own method, found through the local rule that it made: only so can a function that nobody
has heard of be compared with its own finite differences.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from itertools import permutations
from math import isnan
from types import CodeType
from typing import Any, NamedTuple

from glassgrad.checks.guard import run
from glassgrad.checks.numeric import Slope, derivative
from glassgrad.engine.ops import PRIMITIVES, Primitive
from glassgrad.graphs.collect import Collected
from glassgrad.graphs.recognise import agree, exponent, recognise
from glassgrad.graphs.scalar import scalar

_STEPS = 20_000
_MOST_PERMUTED = 4


class Replay(NamedTuple):
    """One operation that can be run again."""

    forward: Callable[[Sequence[float]], float]
    """From the operands' numbers to the result."""

    operands: tuple[int, ...]
    """The ids of the operands, in its order."""

    row: Primitive | None = None
    """The row of the table, if it is one."""

    constants: tuple[float, ...] = ()
    """What the row needs after the operands: the exponent of ``"**2"``."""

    def slope(self, data: Sequence[float], operand: int) -> Slope:
        """Return the slope against one operand, over all of its uses."""
        numbers = [data[o] for o in self.operands]
        if self.row is not None:
            at = dict(zip(self.row.variables, (*numbers, *self.constants), strict=True))
            out = self.row.forward.evaluate(**at)
            kink = self.row.kink is not None and bool(self.row.kink.evaluate(out=out, **at))
            if not kink:
                exact = sum(
                    self.row.partial(place).evaluate(out=out, **at)
                    for place, o in enumerate(self.operands)
                    if o == operand
                )
                return Slope(exact, 0.0, exact, exact)

        def along(number: float) -> float:
            return self.forward(
                [number if o == operand else n for o, n in zip(self.operands, numbers, strict=True)]
            )

        return derivative(along, data[operand])


class Replays:
    """Finds out how each value of a graph can be run again.

    Parameters
    ----------
    collected : Collected
        What stands behind the root.
    data : sequence of float
        The numbers.
    make : callable
        Makes a leaf of the learner's class.
    """

    def __init__(
        self, collected: Collected, data: Sequence[float], make: Callable[[float], object]
    ) -> None:
        self.collected, self.data, self.make = collected, data, make
        self.ids = {id(item): key for key, item in enumerate(collected.objects)}

    def of(self, node: int) -> Replay | None:
        """Return how to run one value again, or None.

        Examples
        --------
        >>> from glassgrad.engine.value import Value
        >>> from glassgrad.graphs.collect import collect
        >>> a = Value(2.0)
        >>> found = Replays(collect(a * 3), [2.0, 3.0, 6.0], Value).of(2)
        >>> found.row.name, found.forward([5.0, 3.0]), found.slope([2.0, 3.0, 6.0], 0).value
        ('mul', 15.0, 3.0)
        """
        operands = self.collected.operands[node]
        if not operands or None in operands:
            return None
        known = tuple(o for o in operands if o is not None)
        return self._by_table(node, known) or self._by_method(node, known)

    def _by_table(self, node: int, operands: tuple[int, ...]) -> Replay | None:
        record = self.collected.records[node]
        if record.primitive:
            return _row(PRIMITIVES[record.primitive], operands)
        orders = [operands]
        if not record.ordered and len(operands) <= _MOST_PERMUTED:
            orders = list(permutations(operands))
        for order in orders:
            found = recognise(record.op, [self.data[o] for o in order], self.data[node])
            if found:
                power = exponent(record.op) if len(order) == 1 else None
                return _row(PRIMITIVES[found.primitive], order, () if power is None else (power,))
        return None

    def _by_method(self, node: int, operands: tuple[int, ...]) -> Replay | None:
        """Find the method that made the value, and the arguments it was called with."""
        rule = self.collected.records[node].rule
        value = self.collected.objects[node]
        function, arguments = _maker(rule, type(value), value)
        if function is None:
            return None
        left = list(dict.fromkeys(operands))
        places: list[int | None] = []  # for each argument, the operand that it is
        fixed: list[object] = []
        for name, item in arguments:
            key = self.ids.get(id(item)) if name else None
            if key is None and item is _MISSING:
                if not left:
                    return None
                key = left[0]
            if key is not None and key in left:
                left.remove(key)
            places.append(key if key in operands else None)
            fixed.append(item)
        if left or all(place is None for place in places):
            return None
        order = tuple(place for place in places if place is not None)

        def forward(numbers: Sequence[float]) -> float:
            at = iter(numbers)
            given = [
                item if place is None else self.make(next(at))
                for item, place in zip(fixed, places, strict=True)
            ]
            ran = run(lambda: function(*given), _STEPS)
            return scalar(getattr(ran.result, "data", ran.result))[0]

        again = forward([self.data[o] for o in order])
        agreed = agree(again, self.data[node]) and not isnan(again)
        return Replay(forward, order) if agreed else None


_MISSING = object()


def _row(row: Primitive, operands: tuple[int, ...], constants: tuple[float, ...] = ()) -> Replay:
    def forward(numbers: Sequence[float]) -> float:
        if row.variadic:
            return row.forward.evaluate(x=list(numbers))
        return row.forward.evaluate(**dict(zip(row.variables, (*numbers, *constants), strict=True)))

    return Replay(forward, operands, None if row.variadic else row, constants)


def _maker(
    rule: Callable[[], object] | None, cls: type, value: object
) -> tuple[Callable[..., object] | None, list[tuple[str, object]]]:
    """Return the function inside which a rule was defined, and its arguments as the rule has them.

    The qualified name says where: ``Value.tanh.<locals>._backward``.
    """
    path = getattr(rule, "__qualname__", "").split(".<locals>.")
    code: CodeType | None = getattr(rule, "__code__", None)
    if rule is None or code is None or len(path) < 2:
        return None, []
    name = path[-2].rpartition(".")[2]
    found = getattr(cls, name, None) or getattr(rule, "__globals__", {}).get(name)
    maker: CodeType | None = getattr(found, "__code__", None)
    if maker is None or code not in maker.co_consts:
        return None, []
    cells: Mapping[str, Any] = {
        name: cell.cell_contents
        for name, cell in zip(
            code.co_freevars, getattr(rule, "__closure__", None) or (), strict=True
        )
        if _filled(cell)
    }
    # an argument may have been wrapped under its own name; then the cell holds the wrapped one
    arguments = [
        (name, cells.get(name, _MISSING)) for name in maker.co_varnames[: maker.co_argcount]
    ]
    return found, arguments


def _filled(cell: Any) -> bool:
    try:
        return cell.cell_contents is not None
    except ValueError:
        return False


def method_of(rule: object) -> str:
    """Return the name of the function inside which a rule was defined, or ``""``.

    Examples
    --------
    >>> def tanh():
    ...     return lambda: None
    >>> method_of(tanh())
    'tanh'
    """
    path = getattr(rule, "__qualname__", "").split(".<locals>.")
    return path[-2].rpartition(".")[2] if len(path) > 1 else ""
