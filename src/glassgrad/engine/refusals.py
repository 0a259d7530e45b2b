"""What `Value` says to those who give it something else: what came, and what to write instead."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from glassgrad.engine.operators import Operators, number


def real_number(data: object) -> float:
    """Return `data` as a float, or raise one sentence that says what to write instead."""
    if getattr(data, "shape", None) == () and hasattr(data, "item"):
        data = data.item()  # an array of one number without axes, NumPy's bool
    plain = number(data)
    if plain is not None:
        return plain
    if isinstance(data, str):
        raise TypeError(
            f"Value needs a number; got the string {data!r}. "
            f"If it is text with a number in it, write Value(float({data!r}))."
        )
    if isinstance(data, Operators):
        raise TypeError(
            f"Value needs a number; got the Value {data!r}. Use it as it is, "
            "or write Value(v.data) for a new leaf with the same number."
        )
    if isinstance(data, complex):
        raise TypeError(
            f"Value needs a real number; got the complex number {data!r}. "
            "Write one Value for its real part and one for its imaginary part."
        )
    if isinstance(data, list | tuple) or hasattr(data, "__array__"):
        raise TypeError(
            f"Value needs one number; got {type(data).__name__} {data!r}. "
            "Write [Value(x) for x in ...] for a Value of each."
        )
    if hasattr(data, "__float__"):  # Decimal, which Python does not mix with floats either
        raise TypeError(
            f"Value needs a number that mixes with floats; got {data!r}. Write Value(float(x))."
        )
    raise TypeError(
        f"Value needs a number; got {data!r}. Write the number itself, such as Value(2.0)."
    )


def checked_operands(children: Iterable[Any]) -> tuple[Any, ...]:
    """Return `children` as a tuple, or raise one sentence unless all are Values."""
    if isinstance(children, Operators):
        raise TypeError(
            f"The operands of a Value are given as a tuple; got the Value {children!r}. "
            "Write a comma: Value(data, (v,))."
        )
    children = tuple(children)
    for child in children:
        if not isinstance(child, Operators):
            raise TypeError(
                f"The operands of a Value are Values; got {child!r}. "
                f"Wrap it first: Value({child!r})."
            )
    return children
