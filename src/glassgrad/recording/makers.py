"""What a cell did in its order in, the line that each value was made for out.

A value that was made in a called function belongs to the line that called it: the call that returns
next. Where the function cannot be listened to, whatever a new object holds was made for the line
that gave the object its name: the weights of ``model = MLP(2, [4, 1])``.
"""

from __future__ import annotations

from collections.abc import Callable, Container, Iterator, Mapping

from glassgrad.recording.contents import rows
from glassgrad.recording.sites import Hold, Moment, Site


class Makers:
    """Knows for which line a value was made, if it was not made by the line itself.

    Parameters
    ----------
    holder : callable
        Tells how to hold a value, None for what is no Value.

    Attributes
    ----------
    inside : list
        What was made in a call that has not returned yet.
    callers : dict
        By identity, the call for which a value was made.

    Examples
    --------
    >>> makers, value = Makers(lambda value: lambda: value), {"w": 2.0}
    >>> makers.inside.append((id(value), lambda: value))
    >>> makers.returned(Site(3, 0, 3, 9, "w"), 1)
    >>> makers.moment(value, {}).site.line
    3
    """

    def __init__(self, holder: Callable[[object], Callable[[object], Hold] | None]) -> None:
        self._holder = holder
        self._before: Mapping[str, int] = {}
        self._there: dict[int, Hold] = {}
        self._bound: dict[str, Moment] = {}
        self._held: dict[int, Moment] | None = None
        self.inside: list[tuple[int, Hold]] = []
        self.callers: dict[int, tuple[Hold, Moment]] = {}

    def meet(self, variables: Mapping[str, object], heard: Container[int] = ()) -> None:
        """Take note of the Values that variables hold before the cell runs.

        Parameters
        ----------
        variables : mapping
            The variables.
        heard : container of int, optional
            Where this is asked for later: the identities of values that the cell made.
        """
        self._before = {name: id(value) for name, value in variables.items()}
        for row in self._rows(variables):
            old = [value for value in row if id(value) not in heard] if heard else row
            holder = self._holder(row[0])
            if holder is not None:
                self._there.update(zip(map(id, old), map(holder, old), strict=True))

    def was_there(self, value: object) -> bool:
        """Whether a variable held the value, at any depth, before the cell ran."""
        hold = self._there.get(id(value))
        return hold is not None and hold() is value

    def returned(self, site: Site, order: int) -> None:
        """Hear that a call of the cell returned, or that it gave a name."""
        moment = Moment(site, order)
        for key, hold in self.inside:
            self.callers[key] = hold, moment
        self.inside.clear()
        if site.name:
            self._bound[site.name] = moment
            self._held = None

    def is_bound(self, name: str) -> bool:
        """Whether a line of the cell gave the name."""
        return name in self._bound

    def moment(self, value: object, variables: Mapping[str, object]) -> Moment | None:
        """Return when a value was made that no line gave itself; None where nobody can tell.

        Parameters
        ----------
        value : object
            A Value.
        variables : mapping
            The user's variables after the cell.
        """
        known = self.callers.get(id(value))
        if known is not None and known[0]() is value:
            return known[1]
        if self._held is None:
            self._held = self._look(variables)
        return self._held.get(id(value))

    def clear(self) -> None:
        """Forget everything."""
        self._held = None
        for known in (self._there, self._bound, self.callers):
            known.clear()
        self.inside.clear()

    def _look(self, variables: Mapping[str, object]) -> dict[int, Moment]:
        held: dict[int, Moment] = {}
        for name, moment in sorted(self._bound.items(), key=lambda item: item[1].order):
            if name in variables and self._before.get(name) != id(variables[name]):
                for value in (v for row in self._rows({name: variables[name]}) for v in row):
                    held.setdefault(id(value), moment)
        return held

    def _rows(self, variables: Mapping[str, object]) -> Iterator[list[object]]:
        mine = [value for name, value in variables.items() if not name.startswith("_")]
        return rows(mine, lambda value: self._holder(value) is not None)
