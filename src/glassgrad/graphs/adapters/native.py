"""Reads our own `Value`, and lends the engine's table to this room.

The only file of ``graphs`` that knows the engine.  It asks for operands and slopes in the way that
leaves the object alone: plain numbers stay plain, nothing becomes a Value by being looked at.
"""

from __future__ import annotations

from typing import cast

from glassgrad.engine.ops import PRIMITIVES, Primitive
from glassgrad.engine.value import Value, operands, primitive_of, slopes
from glassgrad.graphs.adapters import Record

__all__ = ["ADAPTER", "PRIMITIVES", "Native", "Primitive"]


class Native:
    """The family of `glassgrad.engine.value.Value` and the classes derived from it."""

    def reads(self, value: object) -> bool:
        """Whether it is one of our Values."""
        return isinstance(value, Value)

    def record(self, value: object) -> Record:
        """Describe one value.

        Examples
        --------
        >>> a = Value(2.0)
        >>> ADAPTER.record(a * 3).operands
        (Value(data=2.0, grad=0.0), 3.0)
        """
        value = cast(Value, value)
        row = primitive_of(value)
        return Record(
            op=value._op,
            label=value.label,
            data=value.data,
            grad=value.grad,
            operands=operands(value),
            primitive=row.name if row else None,
            symbol=row.symbol if row else "",
            slopes=slopes(value),
            rule=None if row else value._backward,
        )


ADAPTER = Native()
