"""What the code of a local rule tells: its operands in order, and who made it.

In flow functions that somebody's class keeps in its values; out flow the objects they took along
from where they were defined.  ``def _backward(): self.grad += out.grad`` remembers ``self``,
``other`` and ``out``, even where the class itself keeps its operands in a set.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from types import CellType, CodeType, FunctionType
from typing import Any, NamedTuple, cast

SIGNS = {
    "__add__": "+", "__radd__": "+", "__sub__": "-", "__rsub__": "-", "__mul__": "*",
    "__rmul__": "*", "__truediv__": "/", "__rtruediv__": "/", "__pow__": "**", "__rpow__": "**",
    "__neg__": "neg", "__abs__": "abs",
}  # fmt: skip
"""What an operator's method stands for."""

_USUAL = ("self", "other")


class Cells(NamedTuple):
    """Where a rule keeps what it took along: positions in its closure."""

    operands: tuple[int, ...]
    """The parameters of the method that made the rule, in their order."""

    wrapped: int | None
    """The position of ``other``: also a plain number there is an operand."""

    rest: tuple[int, ...]
    """Everything else: the result, and what the method computed on the way."""


_KNOWN: dict[int, tuple[CodeType, Cells]] = {}
_MOST = 4096  # rules remembered; a notebook defines hundreds


def cells_of(function: FunctionType, kind: type) -> Cells:
    """Return where a rule keeps its operands; looked for once for all rules of one text.

    Parameters
    ----------
    function : function
        The rule.
    kind : type
        The class whose method may have made it.

    Examples
    --------
    >>> class Value:
    ...     def __sub__(self, other):
    ...         def rule():
    ...             return other, out, self
    ...         out = None
    ...         return rule
    >>> cells_of(Value() - 1, Value)
    Cells(operands=(2, 0), wrapped=0, rest=(1,))
    """
    code = function.__code__
    known = _KNOWN.get(id(code))
    if known is not None and known[0] is code:
        return known[1]
    names = code.co_freevars
    maker = made_by(function, kind)
    parameters = parameters_of(maker) if maker else _USUAL
    operands = tuple(names.index(name) for name in parameters if name in names)
    found = Cells(
        operands,
        names.index("other") if "other" in names else None,
        tuple(place for place in range(len(names)) if place not in operands),
    )
    if len(_KNOWN) >= _MOST:
        _KNOWN.clear()
    _KNOWN[id(code)] = (code, found)
    return found


def made_by(function: FunctionType, kind: type) -> FunctionType | None:
    """Return the method of `kind`, or else the global function, inside which one was defined."""
    name = maker_name(function)
    places = [*map(vars, kind.__mro__), function.__globals__]
    for maker in (place.get(name) for place in places):
        inside = maker.__code__.co_consts if isinstance(maker, FunctionType) else ()
        if any(item is function.__code__ for item in inside):
            return maker
    return None


def parameters_of(function: FunctionType) -> tuple[str, ...]:
    """Return the names of the positional parameters of a function."""
    return function.__code__.co_varnames[: function.__code__.co_argcount]


def maker_name(function: object) -> str:
    """Return the name of the function inside which another was defined, or ``""``.

    Examples
    --------
    >>> def tanh():
    ...     return lambda: None
    >>> maker_name(tanh())
    'tanh'
    """
    parts = getattr(function, "__qualname__", "").split(".")
    return parts[-3] if len(parts) > 2 and parts[-2] == "<locals>" else ""


def respelled(function: Any, called: Mapping[str, str]) -> FunctionType:
    """Return a function without a closure that calls attributes by other names.

    Examples
    --------
    >>> def operands(value):
    ...     return value._prev
    >>> respelled(operands, {"_prev": "imag"})(2j)
    2.0
    """
    code = function.__code__
    names = tuple(called.get(name, name) for name in code.co_names)
    return FunctionType(code.replace(co_names=names), function.__globals__)


def contents(closure: Sequence[CellType]) -> list[object]:
    """Return what cells hold; None where one was never filled."""
    try:
        return [cell.cell_contents for cell in closure]
    except ValueError:
        return [_content(cell) for cell in closure]


def _content(cell: CellType) -> object:
    try:
        return cast(object, cell.cell_contents)
    except ValueError:
        return None
