"""Reads our own `Value`, and lends the engine's table to this room.

The only file of ``graphs`` that knows the engine.  It asks for operands and slopes in the way that
leaves the object alone: plain numbers stay plain, nothing becomes a Value by being looked at.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any, cast

from glassgrad.engine.memory import pause_gc, undisturbed
from glassgrad.engine.methods import at
from glassgrad.engine.notes import Note, notes
from glassgrad.engine.ops import PRIMITIVES, Primitive
from glassgrad.engine.reading import operands_as_written, primitive_of, slopes
from glassgrad.engine.real import FAST
from glassgrad.engine.scope import is_parameter, scope_of
from glassgrad.engine.value import Value
from glassgrad.graphs.adapters import LECTURE, Record

__all__ = [
    "ADAPTER",
    "PRIMITIVES",
    "Native",
    "Primitive",
    "at",
    "fast",
    "for_arrays",
    "pause_gc",
    "undisturbed",
]

_CELL = "ipykernel"  # in the file names that notebooks give their cells


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
        row, below = primitive_of(value), operands_as_written(value)
        return Record(
            value._op,
            value.label,
            value.data,
            value.grad,
            below,
            True,
            row.name if row else None,
            row.symbol if row else "",
            slopes(value),
            None if row else value._backward,
            LECTURE,
            0.0,
            _remarks(value),
            _again(row, below) if row else None,
            scope_of(value),
            is_parameter(value),
        )


ADAPTER = Native()


def _remarks(value: Value) -> tuple[tuple[str, str], ...]:
    return tuple((note.what, _place(note)) for note in notes(value))


def _place(note: Note) -> str:
    """Say where something happened: a line of the cell, or of a file."""
    if note.filename.startswith("<") or _CELL in note.filename:
        return f"line {note.line}"
    return f"line {note.line} of {Path(note.filename).name}"


def _again(row: Primitive, below: tuple[Any, ...]) -> float | None:
    """Return what an operation gives for the numbers that its operands hold now."""
    numbers = [item.data if isinstance(item, Value) else item for item in below]
    if not all(type(number) is float for number in numbers):
        return None
    if row.variadic:
        return at(row, *numbers)[0]
    try:
        return fast(row)[0](*numbers)
    except (ArithmeticError, ValueError):
        return at(row, *numbers)[0]


_FAST: dict[str, tuple[Callable[..., float], Callable[..., tuple[float, ...]]]] = {}


def fast(row: Primitive) -> tuple[Callable[..., float], Callable[..., tuple[float, ...]]]:
    """Return a row as two functions: the result, and the slopes, which also want the result.

    They may raise where Python's arithmetic does; `Expression.evaluate` answers there.

    Examples
    --------
    >>> value, slopes = fast(PRIMITIVES["mul"])
    >>> value(2.0, 3.0), slopes(6.0, 2.0, 3.0)
    (6.0, (3.0, 2.0))
    """
    found = _FAST.get(row.name)
    if found is None:
        names = ", ".join(row.variables)
        partials = "".join(f"{partial.code}, " for partial in row.partials)
        world = {**FAST, "__builtins__": {}}
        found = _FAST[row.name] = (
            eval(f"lambda {names}: {row.forward.code}", world),
            eval(f"lambda out, {names}: ({partials})", world),
        )
    return found


def for_arrays(row: Primitive) -> tuple[Callable[..., Any], tuple[Callable[..., Any], ...]]:
    """Return a row for NumPy arrays: the result, and each slope, which wants the result last.

    Examples
    --------
    >>> import numpy as np
    >>> value, (first, second) = for_arrays(PRIMITIVES["mul"])
    >>> value(np.array([2.0, 4.0]), 3.0)
    array([ 6., 12.])
    """
    from glassgrad.engine.replay.numpy_functions import NAMESPACE  # imports NumPy
    from glassgrad.engine.replay.rules import Rules

    rules = Rules(NAMESPACE)
    slopes = tuple(rules.slope(row, position) for position in range(row.arity))
    return rules.forward(row), slopes
