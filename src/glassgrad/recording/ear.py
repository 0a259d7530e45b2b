"""What code tells of itself, and a function to the recorder of the cell that runs.

A function's ear stands where the recorder stands in the code of a cell; what it adds is the
function's own place.
"""

from __future__ import annotations

from collections.abc import Callable
from types import FunctionType
from typing import TYPE_CHECKING, Any, TypeVar

if TYPE_CHECKING:
    from glassgrad.recording.functions import Definition, Scope
    from glassgrad.recording.listeners import Listeners
    from glassgrad.recording.recorder import Recorder

_T = TypeVar("_T")

LONGEST = 1 << 16
"""So many entries of what was heard wait to be sorted by value."""


class Told:
    """Hears of the functions that a cell or a function defines and hands over."""

    __slots__ = ("_listeners", "_scope")

    _listeners: Listeners
    _scope: Scope

    def defining(self, site: int, told: int) -> Callable[[_T], _T]:
        """Return the innermost decorator of a function: it notes the function, and returns it."""
        born = self._scope.born.setdefault(told, [])

        def note(function: _T) -> _T:
            if isinstance(function, FunctionType):
                born.append((function, site))
            return function

        return note

    def defined(self, told: int, thing: object) -> None:
        """Hear that a function or a class is defined, and what its decorators made of it."""
        self._listeners.defined(self._scope, told, thing)

    def lambda_(self, site: int, function: _T) -> _T:
        """Hear of a lambda, and return it."""
        self._listeners.learn(self._scope, site, function)
        return function

    def callee(self, site: int, thing: _T) -> _T:
        """Hear what is called with functions as arguments, and return it."""
        self._scope.trusted[site] = self._listeners.is_trusted(thing)
        return thing

    def argument(self, site: int, function: _T, call: int) -> _T:
        """Hear that a function is handed to a call, and return it."""
        self._listeners.argument(self._scope, site, function, call)
        return function


class Ear(Told):
    """What the code of a function talks to, in the place of the recorder.

    Parameters
    ----------
    recorder : Recorder
        That of the cell that runs.
    listeners : Listeners
        The functions that listen while it runs.
    definition : Definition
        The function.
    """

    __slots__ = ("_holders", "_log", "_recorder", "_spots")

    def __init__(self, recorder: Recorder, listeners: Listeners, definition: Definition) -> None:
        self._recorder, self._spots = recorder, definition.spots
        self._holders, self._log = recorder.holders, recorder.log
        self._listeners, self._scope = listeners, definition.scope

    def __reduce__(self) -> tuple[Any, ...]:
        # a function pickled by value while a cell runs takes its constants along
        return self._recorder.__reduce__()

    def heard(self, site: int, value: _T) -> _T:
        """Hear the value of an expression, and return it: `Recorder.heard`, from a function."""
        try:
            holder = self._holders[type(value)]
        except (KeyError, TypeError):
            holder = self._recorder.holder(value)
        if holder is not None:
            self._log += (holder(value), self._spots[site])
            if len(self._log) > LONGEST:
                self._recorder.understand(wait=False)
        return value

    def driven(self, site: int, value: _T) -> _T:
        """Hear that gradients begin to run backward at a value, and return it."""
        self._recorder.called(self._spots[site], value)
        return value
