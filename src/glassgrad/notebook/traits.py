"""Traits that say in one sentence what they take, in place of traitlets' own words.

In flow values from a user, from a link or from a page; a wrong one is refused with the trait's
name, what it needs and what it got. What a trait needs is its ``help``, so that the sentence and
what the trait says of itself cannot part.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import traitlets


class Whole(traitlets.Int[int, int]):
    """A whole number."""

    def validate(self, obj: Any, value: Any) -> Any:
        """Return the value, or raise a `traitlets.TraitError` with one sentence."""
        return _told(self, super().validate, obj, value)


class Decimal(traitlets.Float[float, float]):
    """A number."""

    def validate(self, obj: Any, value: Any) -> Any:
        """Return the value, or raise a `traitlets.TraitError` with one sentence."""
        return _told(self, super().validate, obj, value)


class Flag(traitlets.Bool[bool, bool]):
    """True or False."""

    def validate(self, obj: Any, value: Any) -> Any:
        """Return the value, or raise a `traitlets.TraitError` with one sentence."""
        return _told(self, super().validate, obj, value)


class Choice(traitlets.Enum[Any]):
    """One of a few values."""

    def validate(self, obj: Any, value: Any) -> Any:
        """Return the value, or raise a `traitlets.TraitError` with one sentence."""
        return _told(self, super().validate, obj, value)


class Text(traitlets.Unicode[str, str]):
    """A string."""

    def validate(self, obj: Any, value: Any) -> Any:
        """Return the value, or raise a `traitlets.TraitError` with one sentence."""
        return _told(self, super().validate, obj, value)


class Names(traitlets.List[str]):
    """A list of strings."""

    def __init__(self, **options: Any) -> None:
        super().__init__(traitlets.Unicode(), **options)

    def validate(self, obj: Any, value: Any) -> Any:
        """Return the value, or raise a `traitlets.TraitError` with one sentence."""
        return _told(self, super().validate, obj, value)


def _told(
    trait: traitlets.TraitType[Any, Any], check: Callable[[Any, Any], Any], obj: Any, value: Any
) -> Any:
    try:
        return check(obj, value)
    except traitlets.TraitError:
        message = f"{trait.name} needs {trait.help}; got {value!r}."
        raise traitlets.TraitError(message) from None


def listed(values: tuple[object, ...]) -> str:
    """Return choices as a sentence names them.

    Examples
    --------
    >>> listed(("LR", "TB"))
    "one of 'LR', 'TB'"
    """
    return f"one of {', '.join(map(repr, values))}"
