"""Copies of graphs, for ``copy`` and ``pickle``, without recursion and with all sharing kept.

Python's own way would copy a value by copying its operands first, one call inside the other, and
stop at a chain of a thousand.  Here the values of a graph are listed in topological order, so each
one finds its operands already made.
"""

from __future__ import annotations

from collections.abc import Callable
from types import CellType, FunctionType
from typing import TYPE_CHECKING, Any

from glassgrad.engine.backward import topological_order
from glassgrad.engine.methods import HAND, leaf

if TYPE_CHECKING:
    from glassgrad.engine.value import Value


def shallow(value: Value) -> Value:
    """Return a new Value made from the same operands by the same operation."""
    return _filled(value, value._a, value._b)


def deep(value: Value, memo: dict[int, Any]) -> Value:
    """Return a copy of the whole graph below `value`; a backward pass on it fills the copy.

    The rule of an operation of the user's own is a function that mentions its operands by name;
    the copy's rule mentions the copies.
    """
    for original in topological_order(value):
        if id(original) not in memo:
            wide = isinstance(original._a, tuple)
            a = tuple(memo[id(v)] for v in original._a) if wide else _twin(original._a, memo)
            memo[id(original)] = _filled(original, a, _twin(original._b, memo))
    for original in topological_order(value):
        copied = memo[id(original)]
        rule = original._more().get("_backward")
        if rule is not None and copied._more().get("_backward") is rule:
            copied._extra["_backward"] = _rebound(rule, memo)
    copy: Value = memo[id(value)]
    return copy


def _twin(value: Value | None, memo: dict[int, Any]) -> Value | None:
    return None if value is None else memo[id(value)]


def _filled(value: Value, a: object, b: object) -> Value:
    copy: Value = leaf(type(value), value.data)
    copy.grad = value.grad
    copy._form = value._form
    copy._a, copy._b = a, b
    copy._slope_a = value._slope_a
    copy._slope_b = getattr(value, "_slope_b", None)
    _dress(copy, dict(value._more()), dict(getattr(value, "__dict__", {})))
    return copy


def _dress(value: Value, extra: dict[str, Any], attributes: dict[str, Any]) -> None:
    if extra:
        value._extra = extra
    if attributes:  # those of a subclass
        vars(value).update(attributes)


def _rebound(rule: Callable[[], None], memo: dict[int, Any]) -> Callable[[], None]:
    """Return the same function with the Values it closes over replaced by their copies."""
    if not isinstance(rule, FunctionType) or rule.__closure__ is None:
        return rule
    cells = tuple(
        CellType(memo.get(id(cell.cell_contents), cell.cell_contents)) for cell in rule.__closure__
    )
    return FunctionType(rule.__code__, rule.__globals__, rule.__name__, rule.__defaults__, cells)


def reduced(value: Value) -> tuple[Callable[..., Value], tuple[Any, ...]]:
    """Return what pickle stores: the leaves as objects of their own, the rest as one flat list."""
    if value._form is HAND and value._a is None:
        attributes = dict(getattr(value, "__dict__", {}))
        return _leaf, (type(value), value.data, value.grad, dict(value._more()), attributes)
    order = topological_order(value)
    place = {id(member): position for position, member in enumerate(order)}
    rows: list[Any] = []
    for member in order:
        if member._a is None:
            rows.append(member)
            continue
        wide = isinstance(member._a, tuple)
        a = tuple(place[id(v)] for v in member._a) if wide else place[id(member._a)]
        b = None if member._b is None else place[id(member._b)]
        form = None if member._form is HAND else member._form
        slopes = (member._slope_a, getattr(member, "_slope_b", None))
        extra, attributes = dict(member._more()), dict(getattr(member, "__dict__", {}))
        kind, data, grad = type(member), member.data, member.grad
        rows.append((kind, data, grad, form, a, b, slopes, extra, attributes))
    return _unpacked, (rows,)


def _leaf(
    kind: type[Value], data: float, grad: float, extra: dict[str, Any], attributes: dict[str, Any]
) -> Value:
    value: Value = leaf(kind, data)
    value.grad = grad
    _dress(value, extra, attributes)
    return value


def _unpacked(rows: list[Any]) -> Value:
    made: list[Value] = []
    for row in rows:
        if not isinstance(row, tuple):
            made.append(row)
            continue
        kind, data, grad, form, a, b, slopes, extra, attributes = row
        value = _leaf(kind, data, grad, extra, attributes)
        value._form = HAND if form is None else form
        value._a = tuple(made[i] for i in a) if isinstance(a, tuple) else made[a]
        value._b = None if b is None else made[b]
        value._slope_a, value._slope_b = slopes
        made.append(value)
    return made[-1]
