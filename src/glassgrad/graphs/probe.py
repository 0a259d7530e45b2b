"""What a rule does, measured by running it.

In flow a value, its operands and its local rule; out flow the slopes *as that rule implements
them*, for any operation, known or not.  The rule is run alone: its own gradient 1, those of the
operands 0.  Afterwards every attribute it could have touched holds what it held before, also when
the rule raised half way.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from math import isnan
from types import MemberDescriptorType
from typing import NamedTuple
from weakref import WeakKeyDictionary

from glassgrad.graphs.scalar import scalar

_ABSENT = object()
_HELD = 10.0  # what an operand holds already when `=` is told from `+=`


class Measured(NamedTuple):
    """What a rule does to the operands' gradients."""

    slopes: tuple[float | None, ...]
    """One for each operand; None where the rule left something that is no number."""

    trouble: str
    """``""``, or the rest of a sentence that begins with the value's name."""


def measure(value: object, operands: Sequence[object], rule: Callable[[], object]) -> Measured:
    """Run `rule` alone and return the slope that it gives each operand.

    Parameters
    ----------
    value : object
        The result whose ``grad`` the rule reads.
    operands : sequence of object
        The objects whose ``grad`` it writes, each once.  The slope of one that was used twice is
        the sum over both uses.
    rule : callable
        The local rule.

    Examples
    --------
    >>> from types import SimpleNamespace
    >>> a, b = SimpleNamespace(grad=7.0), SimpleNamespace(grad=8.0)
    >>> def rule():
    ...     a.grad += -3.0 * b.grad
    >>> measure(b, [a], rule).slopes, a.grad, b.grad
    ((-3.0,), 7.0, 8.0)
    """
    try:
        with untouched([value, *operands]):
            left = _run(value, operands, rule, held=0.0)
    except Exception as error:
        return Measured((None,) * len(operands), _failure(error))
    slopes = tuple(None if isnan(slope) and odd else slope for slope, odd in left)
    odd = next((odd for _, odd in left if odd), "")
    return Measured(slopes, f"'s rule leaves a gradient that{odd}" if odd else "")


def adds(value: object, operands: Sequence[object], rule: Callable[[], object]) -> bool | None:
    """Tell whether a rule adds to the operands' gradients, or replaces what they held.

    Returns
    -------
    bool or None
        True for ``+=``; False where one operand or more is replaced, as by ``=``; None where the
        numbers do not tell, or the rule raises.

    Examples
    --------
    >>> from types import SimpleNamespace
    >>> a, b = SimpleNamespace(grad=0.0), SimpleNamespace(grad=0.0)
    >>> def rule():
    ...     a.grad = 2.0 * b.grad
    >>> adds(b, [a], rule)
    False
    """
    try:
        with untouched([value, *operands]):
            fresh = _run(value, operands, rule, held=0.0)
        with untouched([value, *operands]):
            again = _run(value, operands, rule, held=_HELD)
    except Exception:
        return None
    answers = {
        _grew(slope, total)
        for (slope, odd), (total, _) in zip(fresh, again, strict=True)
        if not odd
    }
    if False in answers:
        return False
    return True if True in answers else None


def _grew(slope: float, total: float) -> bool | None:
    """Tell whether `total` is what was held plus `slope`, or `slope` alone."""
    if abs(total - slope) < abs(total - (slope + _HELD)):
        return False
    return True if abs(total - slope) > abs(total - (slope + _HELD)) else None


def _run(
    value: object, operands: Sequence[object], rule: Callable[[], object], held: float
) -> list[tuple[float, str]]:
    """Run the rule with the operands' gradients at `held`; return what it left in them."""
    for operand in operands:
        operand.grad = held  # type: ignore[attr-defined]
    value.grad = 1.0  # type: ignore[attr-defined]
    rule()
    return [scalar(operand.grad) for operand in operands]  # type: ignore[attr-defined]


@contextmanager
def untouched(objects: Sequence[object]) -> Iterator[None]:
    """Give every attribute of `objects` back what it held when the block began."""
    held = [(item, _attributes(item)) for item in objects]
    try:
        yield
    finally:
        for item, attributes in held:
            _restore(item, attributes)


def _attributes(item: object) -> tuple[dict[str, object], list[object]]:
    """Return what an object holds: in its dictionary, and in its slots."""
    slots = [getattr(item, slot.__name__, _ABSENT) for slot in _slots(type(item))]
    return dict(getattr(item, "__dict__", ())), slots


def _restore(item: object, attributes: tuple[dict[str, object], list[object]]) -> None:
    names, slots = attributes
    namespace: dict[str, object] = getattr(item, "__dict__", {})
    for name, before in names.items():
        if namespace.get(name, _ABSENT) is not before:
            namespace[name] = before
    if len(namespace) > len(names):
        for name in namespace.keys() - names.keys():
            del namespace[name]
    if slots:
        _restore_slots(item, slots)


def _restore_slots(item: object, slots: list[object]) -> None:
    for slot, before in zip(_slots(type(item)), slots, strict=True):
        if getattr(item, slot.__name__, _ABSENT) is before:
            continue
        if before is _ABSENT:
            slot.__delete__(item)
        else:
            slot.__set__(item, before)


_SLOTS: WeakKeyDictionary[type, list[MemberDescriptorType]] = WeakKeyDictionary()


def _slots(cls: type) -> list[MemberDescriptorType]:
    """Return what stores the slots of a class; looked for once, it is needed for every value."""
    if cls not in _SLOTS:
        _SLOTS[cls] = [
            item
            for base in cls.__mro__
            for item in vars(base).values()
            if isinstance(item, MemberDescriptorType) and item.__name__ != "__dict__"
        ]
    return _SLOTS[cls]


def _failure(error: Exception) -> str:
    words = str(error).partition("\n")[0]
    said = f"{type(error).__name__}: {words}" if words else type(error).__name__
    return f"'s rule raised {said}, so its slopes are unknown."
