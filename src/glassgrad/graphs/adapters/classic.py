"""Reads the class that the lecture writes: ``data, grad, _prev, _op, label, _backward``.

``_prev`` is often a set, which forgets the order of the operands and that one of them was used
twice; some classes leave plain numbers out of it.  The local rule still knows all of this: its
closure holds ``self`` and ``other``.
"""

from __future__ import annotations

from collections.abc import Callable
from numbers import Number, Real
from types import CellType
from typing import cast

from glassgrad.graphs.adapters import Record

OPERANDS = ("_prev", "prev")
"""Where the operands are; the second name is that of a class on its way to the first."""


class Classic:
    """The family of micrograd's Value."""

    def reads(self, value: object) -> bool:
        """Whether it has data and remembers operands.

        Examples
        --------
        >>> from types import SimpleNamespace
        >>> ADAPTER.reads(SimpleNamespace(data=2.0, _prev=set()))
        True
        """
        return (
            not isinstance(value, type) and hasattr(value, "data") and _children(value) is not None
        )

    def record(self, value: object) -> Record:
        """Describe one value.

        Examples
        --------
        >>> from types import SimpleNamespace
        >>> a = SimpleNamespace(data=2.0, _prev=set())
        >>> ADAPTER.record(SimpleNamespace(data=4.0, _prev=(a, a), _op="+")).op
        '+'
        """
        children = _children(value) or ()
        operands, ordered = tuple(children), not isinstance(children, set | frozenset)
        kind, rule, trouble = type(value), _rule(value), ""
        op = _text(getattr(value, "_op", ""))
        if rule is not None and operands:
            known = _operands_of_rule(rule, op, kind)
            numbers = [item for item in known if type(item) is not kind]
            if (numbers or not ordered) and _same_objects(known, (*operands, *numbers)):
                operands, ordered = known, True
            if _belongs_elsewhere(rule, value, operands):
                rule = None
                trouble = (
                    "'s rule belongs to other objects, as after copy.deepcopy: "
                    "its slopes are unknown, and backward() would fill their gradients."
                )
        if not ordered:
            operands, ordered = _settled(operands), len(operands) < 2
        return Record(
            op=op,
            label=_text(getattr(value, "label", "")),
            data=getattr(value, "data", None),
            grad=getattr(value, "grad", None),
            operands=operands,
            ordered=ordered,
            rule=rule if operands and hasattr(value, "grad") else None,
            trouble=trouble,
        )


ADAPTER = Classic()

_Container = set[object] | frozenset[object] | tuple[object, ...] | list[object]


def _children(value: object) -> _Container | None:
    """Return the container of operands; None where there is none."""
    for name in OPERANDS:
        children = getattr(value, name, None)
        if isinstance(children, set | frozenset | tuple | list):
            return children
    return None


def _rule(value: object) -> Callable[[], object] | None:
    rule = getattr(value, "_backward", None)
    return cast(Callable[[], object], rule) if callable(rule) else None


def _text(item: object) -> str:
    """Return a string or a number as text; anything else says nothing."""
    if type(item) is str:  # nearly always, and much faster to see
        return item
    return str(item) if isinstance(item, str | Number) else ""


def _cells(rule: Callable[[], object]) -> dict[str, object]:
    """Return the variables that a rule took along from where it was defined, by name."""
    closure: tuple[CellType, ...] = getattr(rule, "__closure__", None) or ()
    names: tuple[str, ...] = rule.__code__.co_freevars if closure else ()
    cells = {}
    for name, cell in zip(names, closure, strict=True):
        try:
            cells[name] = cell.cell_contents
        except ValueError:  # never assigned
            continue
    return cells


def _operands_of_rule(rule: Callable[[], object], op: str, kind: type) -> tuple[object, ...]:
    """Return ``self`` and ``other``, in this order, as the rule knows them.

    A number that `op` already names, as ``"**2"`` does, is part of the operation.
    """
    cells = _cells(rule)
    known = [cells[name] for name in ("self", "other") if name in cells]
    return tuple(
        item
        for item in known
        if type(item) is kind or (isinstance(item, Real) and str(item) not in op)
    )


def _same_objects(first: tuple[object, ...], second: tuple[object, ...]) -> bool:
    return set(map(id, first)) == set(map(id, second))


def _belongs_elsewhere(
    rule: Callable[[], object], value: object, operands: tuple[object, ...]
) -> bool:
    """Whether a rule knows values of this class, but neither this one nor its operands."""
    here = {id(value), *map(id, operands)}
    known = [item for item in _cells(rule).values() if type(item) is type(value)]
    return bool(known) and not any(id(item) in here for item in known)


def _settled(operands: tuple[object, ...]) -> tuple[object, ...]:
    """Order what has no order by what it says, so that the same program gives the same graph."""
    return tuple(
        sorted(
            operands,
            key=lambda item: (
                _text(getattr(item, "label", "")),
                _text(getattr(item, "_op", "")),
                _text(getattr(item, "data", "")),
            ),
        )
    )
