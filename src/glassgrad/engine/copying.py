"""Copies of graphs, for ``copy`` and ``pickle``, without recursion and with all sharing kept.

Python's own way would copy a value by copying its operands first, one call inside the other, and
stop at a chain of a thousand.  Here the values of a graph are listed in topological order, so each
one finds its operands already made.
"""

from __future__ import annotations

from contextlib import suppress
from copy import deepcopy
from functools import partial
from math import isfinite
from operator import is_
from types import CellType, FunctionType, MethodType
from typing import TYPE_CHECKING, Any

from glassgrad.engine.backward import Extremes, topological_order
from glassgrad.engine.methods import HAND, leaf
from glassgrad.engine.operators import Operators

if TYPE_CHECKING:
    from glassgrad.engine.value import Value


def shallow(value: Value) -> Value:
    """Return a new Value made from the same operands by the same operation."""
    return _filled(value, value._a, value._b)


def deep(value: Value, memo: dict[int, Any]) -> Value:
    """Return a copy of the whole graph below `value`; a backward pass on it fills the copy.

    The rule of an operation of the user's own is a function that mentions its operands by name;
    the copy's rule mentions the copies.  Gradients that are Values are copied too.
    """
    made: list[Value] = []
    waiting = [value]
    for root in waiting:  # grows while it is walked
        if id(root) in memo:
            continue
        for original in topological_order(root, known=memo):
            wide = isinstance(original._a, tuple)
            a = tuple(memo[id(v)] for v in original._a) if wide else _twin(original._a, memo)
            memo[id(original)] = _filled(original, a, _twin(original._b, memo))
            made.append(original)
            if isinstance(original.grad, Operators):
                waiting.append(original.grad)
    for original in made:
        _follow(memo[id(original)], original, memo)
    copy: Value = memo[id(value)]
    return copy


def _follow(copied: Value, original: Value, memo: dict[int, Any]) -> None:
    """Let what a copy has beside its operands mention copies too."""
    if isinstance(original.grad, Operators):
        copied.grad = memo[id(original.grad)]
    rule = original._more().get("_backward")
    if rule is not None:
        copied._extra["_backward"] = _rebound(rule, memo)
    attributes = getattr(original, "__dict__", None)  # those of a subclass
    if attributes:
        vars(copied).update(deepcopy(attributes, memo))


def _twin(value: Value | None, memo: dict[int, Any]) -> Value | None:
    return None if value is None else memo[id(value)]


def _filled(value: Value, a: object, b: object) -> Value:
    copy: Value = leaf(type(value), value.data)
    copy.grad = value.grad
    copy._form = value._form
    copy._a, copy._b = a, b
    copy._slope_a = value._slope_a
    copy._slope_b = getattr(value, "_slope_b", None)
    extra, attributes = value._more(), getattr(value, "__dict__", None)
    if extra:
        copy._extra = dict(extra)
    if attributes:  # those of a subclass
        vars(copy).update(attributes)
    return copy


def _rebound(item: Any, memo: dict[int, Any]) -> Any:
    """Return a rule with the Values that it mentions replaced by their copies.

    It may mention them in a closure, as defaults, as arguments of a partial, as the object of a
    method, or inside a list, tuple or dictionary in one of these places.
    """
    if id(item) in memo:
        return memo[id(item)]
    kind = type(item)
    if kind is FunctionType:
        return _function(item, memo)
    if kind is MethodType:
        return MethodType(item.__func__, _rebound(item.__self__, memo))
    if kind is partial:
        arguments = (_rebound(part, memo) for part in item.args)
        return partial(_rebound(item.func, memo), *arguments, **_rebound(item.keywords, memo))
    parts = list(item.values()) if kind is dict else item if kind in (list, tuple) else ()
    twins = [_rebound(part, memo) for part in parts]
    if all(map(is_, twins, parts)):  # nothing of the graph is in there
        return item
    return dict(zip(item, twins, strict=True)) if kind is dict else kind(twins)


def _function(rule: FunctionType, memo: dict[int, Any]) -> FunctionType:
    if not (rule.__closure__ or rule.__defaults__ or rule.__kwdefaults__):
        return rule
    cells = tuple(CellType() for _ in rule.__closure__ or ())
    twin = FunctionType(rule.__code__, rule.__globals__, rule.__name__, None, cells)
    memo[id(rule)] = twin  # first: a function may mention itself
    twin.__defaults__ = _rebound(rule.__defaults__, memo)
    twin.__kwdefaults__ = _rebound(rule.__kwdefaults__, memo)
    for cell, original in zip(cells, rule.__closure__ or (), strict=True):
        with suppress(ValueError):  # a variable that has no value yet
            cell.cell_contents = _rebound(original.cell_contents, memo)
    return twin


def reduced(value: Value) -> tuple[Any, ...]:
    """Return what pickle stores: the leaves as objects of their own, the rest as one flat list.

    Of a gradient that is a Value only the number: its graph mentions the value that holds it.
    Attributes of a subclass may do so too, so they are set when the values are there.
    """
    if value._form is HAND and value._a is None:
        made = _leaf, (type(value), value.data, _number(value), dict(value._more()))
        attributes = getattr(value, "__dict__", None)
        return (*made, attributes) if attributes else made
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
        kind, extra = type(member), dict(member._more())
        rows.append((kind, member.data, _number(member), extra, form, a, b, slopes))
    state = [
        getattr(member, "__dict__", None) if member._a is not None else None for member in order
    ]
    return (_unpacked, (rows,), state, None, None, _dressed) if any(state) else (_unpacked, (rows,))


def _number(value: Value) -> float:
    return value.grad.data if isinstance(value.grad, Operators) else value.grad


def _leaf(kind: type[Value], data: float, grad: float, extra: dict[str, Any]) -> Value:
    value: Value = leaf(kind, data)
    value.grad = grad
    if extra:
        value._extra = extra
    return value


def _unpacked(rows: list[Any]) -> Value:
    made: list[Value] = []
    for row in rows:
        if not isinstance(row, tuple):
            made.append(row)
            continue
        *own, form, a, b, slopes = row
        value = _leaf(*own)
        value._form = HAND if form is None else form
        value._a = tuple(made[i] for i in a) if isinstance(a, tuple) else made[a]
        value._b = None if b is None else made[b]
        value._slope_a, value._slope_b = slopes
        made.append(value)
        if form is None or not _are_finite((value.data, *slopes)):
            Extremes.meet()  # as where it was made
    return made[-1]


def _dressed(root: Value, state: list[dict[str, Any] | None]) -> None:
    """Give the values below `root` the attributes of their subclasses."""
    for value, attributes in zip(topological_order(root), state, strict=True):
        if attributes:
            vars(value).update(attributes)


def _are_finite(numbers: Any) -> bool:
    """Whether all numbers, and numbers in tuples of numbers, are finite."""
    return all(
        number is None or (_are_finite(number) if type(number) is tuple else isfinite(number))
        for number in numbers
    )
