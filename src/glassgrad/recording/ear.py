"""What a function hears of itself, told to the recorder of the cell that runs.

It stands where the recorder stands in the code of a cell; what it adds is the function's own place.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, TypeVar

if TYPE_CHECKING:
    from glassgrad.recording.recorder import Recorder
    from glassgrad.recording.sites import Spot

_T = TypeVar("_T")

LONGEST = 1 << 16
"""So many entries of what was heard wait to be sorted by value."""


class Ear:
    """What the code of a function talks to, in the place of the recorder.

    Parameters
    ----------
    recorder : Recorder
        That of the cell that runs.
    spots : list of Spot
        The places of the function.
    """

    __slots__ = ("_holders", "_log", "_recorder", "_spots")

    def __init__(self, recorder: Recorder, spots: list[Spot]) -> None:
        self._recorder, self._spots = recorder, spots
        self._holders, self._log = recorder.holders, recorder.log

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
                self._recorder.understand()
        return value

    def driven(self, site: int, value: _T) -> _T:
        """Hear that gradients begin to run backward at a value, and return it."""
        self._recorder.called(self._spots[site], value)
        return value
