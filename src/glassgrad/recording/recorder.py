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
from typing import Any, TypeVar

from glassgrad.graphs.drive import DRIVERS
from glassgrad.recording.sites import Call, Earlier, Hold, Origin, Site, Trace, cut
from glassgrad.recording.syntax import functions_in

_T = TypeVar("_T")
LONGEST = 1 << 16
"""So many entries of what was heard wait to be sorted by value."""

PRUNE_AT = 4096
"""If more values than this are remembered, the dead ones among them are dropped."""


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
    >>> sites = [Site(1, 4, 1, 9, "c")]
    >>> recorder = Recorder("c = a * b", sites, lambda value: isinstance(value, Number))
    >>> value = recorder.named(0, Number())
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
        # what was heard and where, in turns; understood later, as far as it is still there
        self._log: list[Any] = []
        self._append = self._log.append
        # by identity, in the order of hearing: how to reach the object, where it was heard first,
        # its names
        self._heard: dict[int, tuple[Hold, Site, tuple[str, ...]]] = {}
        self._within: dict[int, tuple[Hold, Site]] = {}
        self._met: dict[int, tuple[Hold, Earlier]] = {}
        self._before: dict[str, int] = {}
        self._latest: dict[str, Hold] = {}
        self._plain: dict[tuple[str, int], CodeType] = {}
        self._functions: list[weakref.ref[FunctionType]] = []

    def __reduce__(self) -> tuple[Any, ...]:
        # a function pickled by value while its cell runs takes its constants along
        return Recorder, ("", (), _hears_nothing)

    # What instrumented code calls. One look-up is all that a number or a string costs. For Values
    # it is a weak reference and two entries of a list: an operation takes well below a microsecond,
    # and a loop feels each call.

    def heard(self, site: int, value: _T) -> _T:
        """Hear the value of an expression, and return it."""
        try:
            holder = self._holders[type(value)]
        except (KeyError, TypeError):  # TypeError: a class that cannot be hashed
            holder = self._holder(value)
        if holder is not None:
            self._append(holder(value))
            self._append(site)
            if len(self._log) > LONGEST:
                self._understand()
        return value

    def named(self, site: int, value: _T) -> _T:
        """Hear that the name of a site now stands for a value, and return it."""
        try:
            holder = self._holders[type(value)]
        except (KeyError, TypeError):
            holder = self._holder(value)
        self._append(None if holder is None else holder(value))
        self._append(site)
        if len(self._log) > LONGEST:
            self._understand()
        return value

    def lifted(self, site: int, value: Any) -> object:
        """Make a Value of a number that is written out, and hear it with its name."""
        if self._lift is not None and type(value) in (int, float):
            value = self._lift(value)
        return self.named(site, value)

    def driven(self, site: int, value: _T) -> _T:
        """Hear that gradients begin to run backward at a value, and return it."""
        holder = self._holder(value)
        if holder is not None:
            place = self._sites[site]
            text = f"{cut(self._lines, place)[1]}.{place.name}()"
            self.calls.append(Call(place.line, text, place.name in DRIVERS, holder(value)))
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

    def bind(self, value: object, place: Site) -> None:
        """Note that the name of a place stands for a value.

        Parameters
        ----------
        value : object
            Anything.
        place : Site
            Where the name was bound.
        """
        self._understand()
        holder = self._holder(value)
        self._take(None if holder is None else holder(value), place)

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
        self._understand()
        for name, value in after.items():
            if before.get(name) == id(value) or name.startswith("_"):
                continue
            latest = self._latest.get(name)
            if latest is None or latest() is not value:
                self.bind(value, Site(line, 0, line, 0, name, "bound"))

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
        self._understand()
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
        self._understand()
        known = self._heard.get(id(value))
        if known is None or known[0]() is not value:
            return None
        _, site, names = known
        if site.how == "bound":  # it came out of something that could not be listened to
            return Origin(site.line or None, None, None, names)
        column, text = cut(self._lines, site)
        if site.how == "seen":
            return Origin(None, None, text, names)
        return Origin(site.line, column, text, names)

    def name_within(self, value: object) -> str:
        """Return what a function of the cell called a value that it computed, or ``""``."""
        known = self._within.get(id(value))
        return known[1].name if known is not None and known[0]() is value else ""

    def traces(self) -> Callable[[object], Trace | None]:
        """Return what tells a value's source and moment; to be asked when the cell is over."""
        self._understand()
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
        self._log.clear()
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

    def _understand(self) -> None:
        """Sort what was heard: by value, as far as the values are still there."""
        log = self._log[:]
        self._log.clear()
        for hold, site in zip(log[::2], log[1::2], strict=True):
            self._take(hold, self._sites[site])
        for known in (self._heard, self._within):
            if len(known) > PRUNE_AT:
                for key in [key for key, (hold, *_) in known.items() if hold() is None]:
                    del known[key]

    def _take(self, hold: Hold | None, site: Site) -> None:
        """Remember one value, or that a name stands for none any more."""
        value = hold() if hold is not None else None
        if site.how == "within":
            if hold is not None and value is not None:
                self._take_within(hold, value, site)
            return
        if site.name:
            self._latest.pop(site.name, None)  # a Value comes back as the last one
        if hold is None or value is None:
            return
        known = self._heard.get(id(value))
        names = (site.name,) if site.name else ()
        if known is None or known[0]() is not value:
            self._heard.pop(id(value), None)  # the order is that of hearing
            self._heard[id(value)] = (hold, site, names)
        elif site.name and site.name not in known[2]:
            self._heard[id(value)] = (known[0], known[1], known[2] + names)
        if site.name:
            self._latest[site.name] = hold

    def _take_within(self, hold: Hold, value: object, site: Site) -> None:
        known = self._within.get(id(value))
        if known is None or known[0]() is not value:
            self._within.pop(id(value), None)
            self._within[id(value)] = (hold, site)
        elif site.name and not known[1].name:
            self._within[id(value)] = (known[0], replace(known[1], name=site.name))


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
