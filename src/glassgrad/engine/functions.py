"""The functions of the table for the module: ``gg.tanh(x)`` for a Value or a plain number.

They ask the Value for its method, so that a method you assigned or overrode is the one that runs.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from types import MappingProxyType
from typing import TypeAlias

from glassgrad.engine.methods import at, constant, method_names
from glassgrad.engine.operators import number
from glassgrad.engine.ops import PRIMITIVES, Primitive
from glassgrad.engine.value import Value


def _plain(name: str, x: object) -> float:
    plain = number(x)
    if plain is None:
        more = f" For an array write [{name}(x) for x in ...]." if hasattr(x, "__array__") else ""
        raise TypeError(f"{name} needs Values or numbers; got {x!r}.{more}")
    return plain


def _unary(primitive: Primitive) -> Callable[[Value | float], Value | float]:
    def function(x: Value | float) -> Value | float:
        if isinstance(x, Value):
            result: Value = getattr(x, name)()
            return result
        return primitive.forward.evaluate(x=_plain(name, x))

    (name,) = method_names(primitive)
    return function


def _binary(primitive: Primitive) -> Callable[[Value | float, Value | float], Value | float]:
    def function(x: Value | float, y: Value | float) -> Value | float:
        result: Value
        if isinstance(x, Value):
            result = getattr(x, name)(y)
            return result
        if isinstance(y, Value):
            result = getattr(y, reflected)(x)
            return result
        return primitive.forward.evaluate(x=_plain(shown, x), y=_plain(shown, y))

    shown = primitive.name
    name, reflected = method_names(primitive)
    return function


def _wide(primitive: Primitive) -> Callable[..., Value | float]:
    def function(*operands: Value | float) -> Value | float:
        first = next((x for x in operands if isinstance(x, Value)), None)
        if first is None:
            return at(primitive, *(_plain(primitive.name, x) for x in operands))[0]
        x, *others = operands
        start = x if isinstance(x, Value) else constant(type(first), _plain(primitive.name, x))
        result: Value = getattr(start, primitive.name)(*others)
        return result

    return function


def _variadic(primitive: Primitive) -> Callable[[Iterable[Value | float]], Value | float]:
    def function(values: Iterable[Value | float]) -> Value | float:
        return wide(*values)

    wide = _wide(primitive)
    return function


_Function: TypeAlias = Callable[..., "Value | float"]
_MAKERS: Mapping[int, Callable[[Primitive], _Function]] = {1: _unary, 2: _binary, 3: _wide}


def _function(primitive: Primitive) -> Callable[..., Value | float]:
    function = (_variadic if primitive.variadic else _MAKERS[primitive.arity])(primitive)
    function.__name__ = function.__qualname__ = primitive.name
    function.__doc__ = (
        f"Return ``{primitive.forward.source}``; {primitive.says}.\n\n"
        "A Value gives a Value, plain numbers give a float."
    )
    return function


FUNCTIONS: Mapping[str, Callable[..., Value | float]] = MappingProxyType(
    {name: _function(primitive) for name, primitive in PRIMITIVES.items()}
)
"""One function per row, by name."""
