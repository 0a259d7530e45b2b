"""The operators and functions of `Value`, one for each row of the table.

Their types are written out in ``operators.pyi``; a test holds the two against each other.
"""

from __future__ import annotations

import numbers
from collections.abc import Callable
from typing import Any

from glassgrad.engine.methods import methods
from glassgrad.engine.ops import PRIMITIVES


def number(other: object) -> float | None:
    """Return a plain real number (int, float, bool, Fraction, NumPy scalar) as a float.

    Examples
    --------
    >>> number(True), number("3")
    (1.0, None)
    """
    if type(other) is int or isinstance(other, numbers.Real):  # the second takes ten times as long
        return float(other)
    return None


class Operators:
    """What arithmetic on a `Value` does."""

    __slots__ = ()


for _primitive in PRIMITIVES.values():
    for _name, _method in methods(_primitive, Operators, number).items():
        setattr(Operators, _name, _method)

# NumPy's functions ask an object for the method of their own name
_NUMPY = {
    f"arc{name}": f"a{name}" for name in ("sin", "cos", "tan", "sinh", "cosh", "tanh", "tan2")
}


def _forward(name: str) -> Callable[..., Any]:
    def method(self: Any, *others: object) -> Any:
        return getattr(self, name)(*others)

    method.__doc__ = f"Return what `{name}` does: NumPy's name for it."
    return method


for _name, _own in _NUMPY.items():
    setattr(Operators, _name, _forward(_own))
