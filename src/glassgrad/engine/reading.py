"""What a Value was computed from, for those who read graphs: looking changes nothing."""

from __future__ import annotations

from glassgrad.engine.methods import HAND, at
from glassgrad.engine.ops import Primitive
from glassgrad.engine.scope import is_plain_number
from glassgrad.engine.value import Value


def operands(value: Value) -> tuple[Value | float, ...]:
    """Return the operands in order; plain numbers stay the floats they are.

    Examples
    --------
    >>> a = Value(2.0)
    >>> operands(1 - a)
    (1.0, Value(data=2.0, grad=0.0))
    """
    if value._slope_a is None or "c" not in value._form.places:
        return value._unfolded()._operands()
    number: float = value._slope_b
    return (value._a, number) if value._form.places == "vc" else (number, value._a)


def operands_as_written(value: Value) -> tuple[Value | float, ...]:
    """Return `operands`, but plain numbers that have become Values as numbers again.

    Examples
    --------
    >>> a = Value(2.0)
    >>> b = 1 - a
    >>> b._prev  # as micrograd has it: from now on there is a Value for the number
    (Value(data=1.0, grad=0.0), Value(data=2.0, grad=0.0))
    >>> operands_as_written(b)
    (1.0, Value(data=2.0, grad=0.0))
    """
    found = operands(value)
    if value._form is HAND:  # the user gave it these Values
        return found
    return tuple([x.data if isinstance(x, Value) and is_plain_number(x) else x for x in found])


def slopes(value: Value) -> tuple[float, ...] | None:
    """Return the local slopes of the forward pass, one for each of `operands`.

    Returns
    -------
    tuple of float or None
        None for a leaf, and where the rule is the user's own.

    Examples
    --------
    >>> a = Value(2.0)
    >>> slopes(a * 3)
    (3.0, 2.0)
    """
    if value._form is HAND:
        return None
    places = value._unfolded()._form.places
    if places == "*":
        wide: tuple[float, ...] = value._slope_b
        return wide
    if places == "v":
        return (value._slope_a,)
    if places == "vv":
        return (value._slope_a, value._slope_b)
    # the slope against a number is not kept; nothing but a picture ever asks for it
    number, data = value._slope_b, value._a.data
    if places == "vc":
        return (value._slope_a, at(value._form.primitive, data, number)[2])
    return (at(value._form.primitive, number, data)[1], value._slope_a)


def primitive_of(value: Value) -> Primitive | None:
    """Return the row of the table that made `value`; None for a leaf or the user's own operation.

    Examples
    --------
    >>> primitive_of(Value(2.0).tanh()).name
    'tanh'
    """
    return None if value._form is HAND else value._form.primitive
