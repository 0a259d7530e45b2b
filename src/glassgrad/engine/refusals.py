"""What `Value` says to those who give it something else: what came, and what to write instead."""

from __future__ import annotations

from glassgrad.engine.operators import Operators, number


def real_number(data: object) -> float:
    """Return `data` as a float, or raise one sentence that says what to write instead."""
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
    raise TypeError(
        f"Value needs a number; got {data!r}. Write the number itself, such as Value(2.0)."
    )


def check_operands(children: tuple[object, ...]) -> None:
    """Raise one sentence unless all `children` are Values."""
    for child in children:
        if not isinstance(child, Operators):
            raise TypeError(
                f"The operands of a Value are Values; got {child!r}. "
                f"Wrap it first: Value({child!r})."
            )
