"""Frozen data whose fields are derived when somebody first looks at one.

In flow the facts that the fields follow from; out flow the fields.  Nothing else knows that they
were not there: whoever asks for one gets it, from several threads at once too, and copies,
pickles and comparisons ask like everybody else.
"""

from __future__ import annotations

from dataclasses import fields
from typing import TYPE_CHECKING, Any, Protocol, Self


class Underived(Protocol):
    """The facts, and the way to what follows from them."""

    def __len__(self) -> int:
        """Return how many there are."""

    def derived(self) -> Any:
        """Return an object that has all the fields; threads may ask at the same time."""


class Lazy:
    """A base for frozen dataclasses with slots; one that was derived is like any other.

    Examples
    --------
    >>> from dataclasses import dataclass
    >>> @dataclass(frozen=True, slots=True)
    ... class Sum(Lazy):
    ...     total: int
    >>> class Terms(list):
    ...     def derived(self):
    ...         return Sum(sum(self))
    >>> later = Sum.of(Terms([1, 2, 3]))
    >>> underived(later), later.total, underived(later)
    ([1, 2, 3], 6, None)
    """

    __slots__ = ("_underived",)

    @classmethod
    def of(cls, facts: Underived) -> Self:
        """Return an object whose fields are derived when somebody asks for one."""
        made = object.__new__(cls)
        object.__setattr__(made, "_underived", facts)
        return made

    if not TYPE_CHECKING:

        def __getattr__(self, name: str) -> Any:  # asked for what is not there, and nothing else
            names = [field.name for field in fields(self)]
            if name not in names:
                kind = type(self).__name__
                raise AttributeError(
                    f"{kind!r} object has no attribute {name!r}", name=name, obj=self
                )
            facts = underived(self)
            if facts is not None:
                found = facts.derived()
                for field in names:
                    object.__setattr__(self, field, getattr(found, field))
                object.__setattr__(self, "_underived", None)
            return object.__getattribute__(self, name)


def underived(item: Lazy) -> Underived | None:
    """Return what the fields of an object will be derived from; None once they are there."""
    return getattr(item, "_underived", None)
