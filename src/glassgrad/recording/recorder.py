"""Values as they are computed in, the origin of each one out: line, text, names.

The recorder is what instrumented code talks to (see `glassgrad.recording.instrument`). It exists to
answer one question about any Value afterwards: where in the cell did you come from?

It knows values by identity, and refers to them weakly wherever their class allows it: a training
loop under the recorder frees its graphs as it would without. `close` forgets everything; code that
still runs later, in a generator for example, then passes its values through unheard.
"""

from __future__ import annotations

import weakref
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from types import CodeType, FunctionType
from typing import Any, Literal, TypeAlias, TypeVar

from glassgrad.graphs.drive import DRIVERS
from glassgrad.recording.sites import Call, Earlier, Hold, Origin, Site, Trace, cut
from glassgrad.recording.syntax import functions_in

_T = TypeVar("_T")
_How: TypeAlias = Literal["made", "seen", "bound"]
PRUNE_AT = 4096
"""So many values are remembered before the dead ones among them are looked for and dropped."""


class Recorder:
    """Hears what a cell computes.

    Parameters
    ----------
    source : str
        The text of the cell, with the line numbers that its sites use.
    sites : sequence of Site
        The places that the instrumented code refers to by index; it may still grow.
    reads : callable
        Tells whether an object is a Value, of whatever class. Asked once per class.
    lift : callable, optional
        Makes a Value of a number, where numbers are lifted.

    Attributes
    ----------
    calls : list of Call
        The calls with which the cell ran gradients backward itself.

    Examples
    --------
    >>> class Number:
    ...     pass
    >>> sites = [Site(1, 4, 1, 9, ("c",))]
    >>> recorder = Recorder("c = a * b", sites, lambda value: isinstance(value, Number))
    >>> value = recorder.assigned(0, Number())
    >>> recorder.origin(value)
    Origin(line=1, column=4, text='a * b', names=('c',))
    """

    def __init__(
        self,
        source: str,
        sites: Sequence[Site],
        reads: Callable[[object], bool],
        lift: Callable[[float], object] | None = None,
    ) -> None:
        self.calls: list[Call] = []
        self._lines = source.split("\n")
        self._sites = sites
        self._reads: Callable[[object], bool] | None = reads
        self._lift = lift
        self._holders: dict[type, Callable[[object], Hold] | None] = {}
        # by identity, in the order of hearing: how to reach the object, where and how it was heard
        # first, its names
        self._heard: dict[int, tuple[Hold, Site, _How, tuple[str, ...]]] = {}
        self._within: dict[int, tuple[Hold, Site]] = {}
        self._met: dict[int, tuple[Hold, Earlier]] = {}
        self._before: dict[str, int] = {}
        self._latest: dict[str, Hold] = {}
        self._last_name = ""
        self._limit = PRUNE_AT
        self._plain: dict[tuple[str, int], CodeType] = {}
        self._functions: list[weakref.ref[FunctionType]] = []

    def __reduce__(self) -> tuple[Any, ...]:
        # a function pickled by value while its cell runs takes its constants along
        return Recorder, ("", (), _hears_nothing)

    # What instrumented code calls. One look-up is all that a number or a string costs. For Values
    # calls are spared: an operation takes well below a microsecond, and a loop feels each call.

    def made(self, site: int, value: _T, how: _How = "made") -> _T:
        """Hear the value of an expression, and return it."""
        try:
            holder = self._holders[type(value)]
        except (KeyError, TypeError):  # TypeError: a class that cannot be hashed
            holder = self._holder(value)
        if holder is not None:
            known = self._heard.get(id(value))
            if known is None or known[0]() is not value:
                if known is not None:
                    del self._heard[id(value)]  # the order is that of hearing
                self._heard[id(value)] = (holder(value), self._sites[site], how, ())
                if len(self._heard) > self._limit:
                    self._prune()
        return value

    def seen(self, site: int, value: _T) -> _T:
        """Hear a value that was looked up (``weights[0]``), and return it."""
        return self.made(site, value, "seen")

    def assigned(self, site: int, value: _T) -> _T:
        """Hear the value of an expression together with the one name of its site; return it."""
        try:
            holder = self._holders[type(value)]
        except (KeyError, TypeError):
            holder = self._holder(value)
        known = self._heard.get(id(value))
        if holder is None or (known is not None and known[0]() is value):
            return self.named(site, value)
        if known is not None:
            del self._heard[id(value)]
        place = self._sites[site]
        hold = holder(value)
        self._heard[id(value)] = (hold, place, "made", place.names)
        if len(self._heard) > self._limit:
            self._prune()
        (name,) = place.names
        if name is not self._last_name:
            self._latest.pop(name, None)  # it comes back as the last one
            self._last_name = name
        self._latest[name] = hold
        return value

    def named(self, site: int, value: _T) -> _T:
        """Hear that the one name of a site now stands for a value, and return it."""
        place = self._sites[site]
        self.bind(place.names[0], value, place)
        return value

    def bound(self, site: int, *values: object) -> None:
        """Hear that the names of a site now stand for these values."""
        place = self._sites[site]
        for name, value in zip(place.names, values, strict=True):
            self.bind(name, value, place)

    def lifted(self, site: int, value: object) -> object:
        """Make a Value of a number that is written out, and hear it with its name."""
        if self._lift is None or isinstance(value, bool) or not isinstance(value, int | float):
            return self.named(site, value)
        return self.assigned(site, self._lift(value))

    def driven(self, site: int, value: _T) -> _T:
        """Hear that gradients begin to run backward at a value, and return it."""
        holder = self._holder(value)
        if holder is not None:
            place = self._sites[site]
            (method,) = place.names
            text = f"{cut(self._lines, place)[1]}.{method}()"
            self.calls.append(Call(place.line, text, method in DRIVERS, holder(value)))
        return value

    def within(self, site: int, value: _T) -> _T:
        """Hear the value of an expression in the body of a function, and return it."""
        try:
            holder = self._holders[type(value)]
        except (KeyError, TypeError):
            holder = self._holder(value)
        if holder is not None:
            known = self._within.get(id(value))
            place = self._sites[site]
            if known is None or known[0]() is not value:
                if known is not None:
                    del self._within[id(value)]
                self._within[id(value)] = (holder(value), place)
                if len(self._within) > self._limit:
                    self._prune()
            elif place.names and not known[1].names:
                self._within[id(value)] = (known[0], replace(known[1], names=place.names))
        return value

    def defined(self, _site: int, function: object) -> None:
        """Hear that a function whose body is listened to was defined."""
        if isinstance(function, FunctionType):
            self._functions.append(weakref.ref(function))

    # What the one who runs the cell calls

    def expect(self, plain: CodeType) -> None:
        """Take note of how the functions of some code look when nobody listens to them."""
        for code in functions_in(plain):
            self._plain[code.co_qualname, code.co_firstlineno] = code

    def restore(self) -> None:
        """Give the functions that the cell defined their own code back."""
        for reference in self._functions:
            function = reference()
            if function is not None:
                code = function.__code__
                function.__code__ = self._plain.get((code.co_qualname, code.co_firstlineno), code)
        self._functions.clear()

    def bind(self, name: str, value: object, place: Site) -> None:
        """Note that a name now stands for a value, if that is a Value.

        Parameters
        ----------
        name : str
            The variable.
        value : object
            Anything.
        place : Site
            Where the name was bound.
        """
        try:
            holder = self._holders[type(value)]
        except (KeyError, TypeError):
            holder = self._holder(value)
        self._latest.pop(name, None)  # a Value comes back as the last one
        if holder is None:
            return
        known = self._heard.get(id(value))
        if known is None or (hold := known[0])() is not value:
            hold = holder(value)
            self._heard.pop(id(value), None)
            self._heard[id(value)] = (hold, place, "bound", (name,))
        elif name not in known[3]:
            self._heard[id(value)] = (hold, known[1], known[2], (*known[3], name))
        self._latest[name] = hold
        self._last_name = name

    def meet(
        self, variables: Mapping[str, object], gradient: Callable[[object], object]
    ) -> dict[str, int]:
        """Take note of what is there before the cell runs.

        Parameters
        ----------
        variables : mapping
            The user's variables.
        gradient : callable
            Tells the gradient that a Value holds.

        Returns
        -------
        dict
            The identity of each variable, for `catch_up`.
        """
        for name, value in list(variables.items()):  # looking may run code of the user's
            holder = None if name.startswith("_") else self._holder(value)
            if holder is not None and id(value) not in self._met:
                self._met[id(value)] = (holder(value), Earlier(name, gradient(value)))
        self._before = {name: id(value) for name, value in variables.items()}
        return self._before

    def met(self, value: object) -> Earlier | None:
        """Return what was known about a value before the cell, or None if it is new."""
        known = self._met.get(id(value))
        return known[1] if known is not None and known[0]() is value else None

    def catch_up(self, before: Mapping[str, int], after: Mapping[str, object], line: int) -> None:
        """Note the names that appeared unheard: in ``%time y = a * b``, ``exec`` or an import.

        Parameters
        ----------
        before : mapping
            The identities of the variables before some statements.
        after : mapping
            The variables after them.
        line : int
            The line of those statements; 0 if nobody can tell.
        """
        for name, value in after.items():
            if before.get(name) == id(value) or name.startswith("_"):
                continue
            latest = self._latest.get(name)
            if latest is None or latest() is not value:
                self.bind(name, value, Site(line, 0, line, 0))

    def containers(self, variables: Mapping[str, object]) -> list[tuple[str, object]]:
        """Return the lists and dicts that are new since the cell began, the last one first."""
        known = self._before
        return [
            (name, value)
            for name, value in reversed(list(variables.items()))
            if isinstance(value, list | dict)
            and not name.startswith("_")
            and known.get(name) != id(value)
        ]

    def is_value(self, value: object) -> bool:
        """Tell whether an object is a Value, by the answer that was remembered for its class."""
        return self._holder(value) is not None

    def latest(self) -> dict[str, object]:
        """Return the Values that the cell's variables stand for now, the last assigned one last."""
        values = ((name, hold()) for name, hold in self._latest.items())
        return {name: value for name, value in values if value is not None}

    def origin(self, value: object) -> Origin | None:
        """Return where a value came from, or None if the cell never touched it.

        Parameters
        ----------
        value : object
            Any object.

        Returns
        -------
        Origin or None
            The first expression that gave the value, and the names it was bound to.
        """
        known = self._heard.get(id(value))
        if known is None or known[0]() is not value:
            return None
        _, site, how, names = known
        if how == "bound":  # it came out of something that could not be listened to
            return Origin(site.line or None, None, None, names)
        column, text = cut(self._lines, site)
        if how == "seen":
            return Origin(None, None, text, names)
        return Origin(site.line, column, text, names)

    def name_within(self, value: object) -> str:
        """Return what a function of the cell called a value that it computed, or ``""``."""
        known = self._within.get(id(value))
        is_known = known is not None and known[0]() is value
        return next(iter(known[1].names), "") if known is not None and is_known else ""

    def traces(self) -> Callable[[object], Trace | None]:
        """Return what tells a value's source and moment; to be asked when the cell is over."""
        order = dict(zip(self._heard, range(len(self._heard)), strict=True))
        order_within = dict(zip(self._within, range(len(self._within)), strict=True))

        def trace(value: object) -> Trace | None:
            if self.met(value) is not None:
                return Trace(None, None, old=True)
            origin, inner = self.origin(value), self._within.get(id(value))
            site = self._heard[id(value)][1] if origin is not None else None
            inside = inner[1] if inner is not None and inner[0]() is value else None
            if site is None and inside is None:
                return None
            line, text = (origin.line, origin.text) if origin is not None else (None, None)
            moments = order.get(id(value), -1), order_within.get(id(value), -1)
            return Trace(line, text, site, moments[0], inside, moments[1])

        return trace

    def close(self) -> None:
        """Forget every value, and listen to nothing any more."""
        self.restore()
        self._reads = self._lift = None
        for known in (self._holders, self._heard, self._within, self._met, self._latest):
            known.clear()
        self.calls.clear()
        self._plain.clear()

    def _holder(self, value: object) -> Callable[[object], Hold] | None:
        """Return how to hold values of this class, or None for what is no Value."""
        if self._reads is None:
            return None
        kind = type(value)
        try:
            return self._holders[kind]
        except KeyError:
            holder = self._holders[kind] = _choose_holder(self._reads, value)
            return holder
        except TypeError:
            return None

    def _prune(self) -> None:
        """Drop what was known about dead values; look again when as many more have come."""
        self._heard = {key: known for key, known in self._heard.items() if known[0]() is not None}
        self._within = {key: known for key, known in self._within.items() if known[0]() is not None}
        self._limit = max(PRUNE_AT, 2 * max(len(self._heard), len(self._within)))


def _choose_holder(
    reads: Callable[[object], bool], value: object
) -> Callable[[object], Hold] | None:
    try:
        if not reads(value):
            return None
    except Exception:  # a half-written class may raise anything, and its cell is not ours to break
        return None
    try:
        weakref.ref(value)
    except TypeError:  # __slots__ without __weakref__
        return _strong
    return weakref.ref


def _strong(value: object) -> Hold:
    return lambda: value


def _hears_nothing(_value: object) -> bool:
    return False
