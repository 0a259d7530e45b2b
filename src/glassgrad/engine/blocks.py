"""``with gg.scope("encoder"):`` what is computed inside belongs together, in every picture.

In flows the name of a part of a computation; while its block runs, the operators of `Value` put
their results into that scope.  Outside of such blocks the operators are as they were, at no cost.
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from threading import Lock
from typing import Any

from glassgrad.engine.operators import Operators
from glassgrad.engine.scope import Shared, joined, shared
from glassgrad.engine.value import Value

_place: ContextVar[Shared | None] = ContextVar("place", default=None)
"""What the values of the innermost block share."""


class _Listening:
    """The operators of `Value` as they are while blocks run, in any thread, and as they were."""

    def __init__(self) -> None:
        self._lock = Lock()
        self._blocks = 0
        self._plain: list[tuple[type[Any], str, Any]] = []

    def begin(self) -> None:
        """Have operators and constructor tell of what they made, from the first block on."""
        with self._lock:
            self._blocks += 1
            if self._blocks > 1:
                return
            names = [name for name, made in vars(Operators).items() if callable(made)]
            for owner, name in [*((Operators, name) for name in names), (Value, "__init__")]:
                original = vars(owner)[name]
                self._plain.append((owner, name, original))
                setattr(owner, name, _placing(original))

    def end(self) -> None:
        """Give the classes back what stood in them, after the last block."""
        with self._lock:
            self._blocks -= 1
            while self._plain and not self._blocks:
                owner, name, original = self._plain.pop()
                if getattr(vars(owner)[name], "__wrapped__", None) is original:
                    setattr(owner, name, original)


_listening = _Listening()


@contextmanager
def scope(name: str) -> Iterator[None]:
    """Say what the values that are computed inside this block are part of.

    A folded picture shows them as one card, which opens; a block within a block is a part of it,
    and so are the layers and neurons of ``gg.nn``.

    Parameters
    ----------
    name : str
        The part: ``"encoder"``, ``"layer 1"``.

    Raises
    ------
    TypeError
        If `name` is no text, or an empty one.

    Examples
    --------
    >>> import glassgrad as gg
    >>> x = gg.Value(0.5, label="x")
    >>> with gg.scope("encoder"):
    ...     h = (x * 2).tanh()
    ...     with gg.scope("head"):
    ...         y = h + 1
    >>> [node.scope for node in gg.graph(y).nodes if node.kind == "result"]
    ['encoder', 'encoder', 'encoder.head']
    """
    if not isinstance(name, str) or not name.strip(". "):
        raise TypeError(f"scope() needs the name of a part, such as 'layer 1'; got {name!r}.")
    _listening.begin()
    try:
        with at(within(shared(name.strip(". ")))):
            yield
    finally:
        _listening.end()


def within(place: Shared) -> Shared:
    """Return a place as part of the block that runs, the place itself where none does."""
    return joined(_place.get(), place)


@contextmanager
def at(place: Shared) -> Iterator[None]:
    """Put what is computed into a place, inside a block that runs."""
    before = _place.set(place)
    try:
        yield
    finally:
        _place.reset(before)


def _placing(method: Callable[..., Any]) -> Callable[..., Any]:
    @functools.wraps(method)
    def placing(self: Any, *args: Any, **options: Any) -> Any:
        result = method(self, *args, **options)
        place, made = _place.get(), self if result is None else result
        if place is not None and isinstance(made, Value):
            _put(made, place)
        return result

    return placing


def _put(value: Value, place: Shared) -> None:
    """Put a new value into a place, unless it has one; what else it has of its own stays."""
    extra = value._more()
    if not extra:
        value._extra = place
    elif not isinstance(extra, Shared):
        extra.setdefault("scope", place["scope"])
