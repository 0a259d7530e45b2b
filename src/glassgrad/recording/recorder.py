"""Values as they are computed in, the origin of each one out: line, text, names.

The recorder is what instrumented code talks to (see `glassgrad.recording.instrument`). It exists to
answer one question about any Value afterwards: where in the cell did you come from?

It knows values by identity, and refers to them weakly wherever their class allows it: a training
loop under the recorder frees its graphs as it would without. `close` forgets everything; code that
still runs later, in a generator for example, then passes its values through unheard.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from threading import RLock
from typing import Any, TypeVar

from glassgrad.graphs.drive import DRIVERS
from glassgrad.recording.ear import LONGEST, Told
from glassgrad.recording.functions import Functions, Scope
from glassgrad.recording.holds import asks_each, holder_of
from glassgrad.recording.listeners import Listeners
from glassgrad.recording.makers import Makers
from glassgrad.recording.sites import (
    Call,
    Earlier,
    Heard,
    Hold,
    Inner,
    Origin,
    Script,
    Site,
    Spot,
    Trace,
    cut,
)

_T = TypeVar("_T")
PRUNE_AT = 4096
"""If more values than this are remembered, the dead ones among them are dropped."""


class Recorder(Told):
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
    scope : Scope, optional
        The functions that the cell defines. By default there are none.
    functions : Functions, optional
        The functions of earlier cells, which listen until `restore`. New ones are added.

    Attributes
    ----------
    calls : list of Call
        The calls with which the cell ran gradients backward itself.
    has_made : bool
        Whether a line was understood that made a Value, whether or not that is still there.

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
        *,
        scope: Scope | None = None,
        functions: Functions | None = None,
    ) -> None:
        self.calls: list[Call] = []
        self.has_made = False
        self._scope = Scope({}, Script(source.split("\n"))) if scope is None else scope
        self._script = self._scope.script
        self._sites = sites
        self._reads: Callable[[object], bool] | None = reads
        self._lift = lift
        self.holders: dict[type, Callable[[object], Hold] | None] = {}
        # what was heard and where, in turns; understood later, as far as it is still there
        self.log: list[Any] = []
        self._extend = self.log.extend  # by both at once: other threads may be heard in between
        self._understanding = RLock()
        self._moment = 0
        self._heard: dict[int, Heard] = {}  # by identity
        self._within: dict[int, tuple[Hold, list[Inner]]] = {}
        self._makers = Makers(self.holder)
        self._met: dict[int, tuple[Hold, Earlier]] = {}
        self._before: dict[str, int] = {}
        self._latest: dict[str, Hold] = {}
        self._listeners = Listeners(self, functions, "lambda" in source)
        self.restore, self.leave = self._listeners.restore, self._listeners.leave

    def __reduce__(self) -> tuple[Any, ...]:
        # a function pickled by value while its cell runs takes its constants along
        return Recorder, ("", (), _hears_nothing)

    # What instrumented code calls. One look-up is all that a number or a string costs. For Values
    # it is a weak reference and two entries of a list: an operation takes well below a microsecond,
    # and a loop feels each call.

    def heard(self, site: int, value: _T) -> _T:
        """Hear the value of an expression, and return it."""
        try:
            holder = self.holders[type(value)]
        except (KeyError, TypeError):  # TypeError: a class that cannot be hashed
            holder = self.holder(value)
        if holder is not None:
            self._extend((holder(value), site))
            if len(self.log) > LONGEST:
                self.understand(wait=False)
        return value

    def named(self, site: int, value: _T) -> _T:
        """Hear that a call returned, or that the name of a site now stands for a value."""
        try:
            holder = self.holders[type(value)]
        except (KeyError, TypeError):
            holder = self.holder(value)
        self._extend((None if holder is None else holder(value), site))
        if len(self.log) > LONGEST:
            self.understand(wait=False)
        return value

    def lifted(self, site: int, value: Any) -> object:
        """Make a Value of a number that is written out, and hear it with its name."""
        if self._lift is not None and type(value) in (int, float):
            value = self._lift(value)
        return self.named(site, value)

    def driven(self, site: int, value: _T) -> _T:
        """Hear that gradients begin to run backward at a value, and return it."""
        self.called(Spot(None, self._sites[site]), value)
        return value

    # What functions, and the one who runs the cell, call

    def called(self, spot: Spot, value: object) -> None:
        """Note a call that runs gradients backward, if it is called on a Value."""
        holder = self.holder(value)
        if holder is None:
            return
        definition, place = spot
        script = self._script if definition is None else definition.script
        where = f"line {place.line}"
        if script is not self._script:
            where += f" of cell {script.number}"
        text = f"{cut(script.lines, place)[1]}.{place.name}()"
        self.calls.append(Call(where, text, place.name in DRIVERS, holder(value)))

    def bind(self, value: object, place: Site) -> None:
        """Note that the name of a place stands for a value.

        Parameters
        ----------
        value : object
            Anything.
        place : Site
            Where the name was bound.
        """
        self.understand()
        holder = self.holder(value)
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
            holder = None if name.startswith("_") else self.holder(value)
            if holder is not None and id(value) not in self._met:
                self._met[id(value)] = (holder(value), Earlier(name, gradient(value)))
        self._before = {name: id(value) for name, value in variables.items()}
        self._makers.meet(variables)
        return self._before

    def assume(self, variables: Mapping[str, object]) -> None:
        """Take what variables hold, and nobody has heard of, for what was there before."""
        self.understand()
        self._makers.meet(variables, {*self._heard, *self._within})

    def raised(self, line: int) -> None:
        """Give what an unfinished call has made to the line of the cell that raised."""
        self.understand()
        self._makers.returned(Site(line, 0, line, 0), self._moment + 1)

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
        self.understand()
        for name, value in after.items():
            if before.get(name) == id(value) or name.startswith("_"):
                continue
            latest = self._latest.get(name)
            if latest is None and not line and self._makers.is_bound(name):
                continue  # heard where it was given, and no Value
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
        return self.holder(value) is not None

    def latest(self) -> dict[str, object]:
        """Return the Values that the cell's variables stand for now, the last assigned one last."""
        self.understand()
        values = ((name, hold()) for name, hold in list(self._latest.items()))
        return {name: value for name, value in values if value is not None}

    def last(self) -> object:
        """Return the Value that was computed last, of those that are still there; None for none."""
        self.understand()
        computed = [(h.moment, h.hold) for h in list(self._heard.values()) if h.site.how != "seen"]
        computed += [(inner[0].order, hold) for hold, inner in list(self._within.values())]
        values = (hold() for _, hold in sorted(computed, key=lambda one: -one[0]))
        return next((value for value in values if value is not None), None)

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
        self.understand()
        known = self._heard.get(id(value))
        if known is None or known[0]() is not value:
            return None
        site, names = known.site, known.names
        if site.how == "bound":  # it came out of something that could not be listened to
            return Origin(site.line or None, None, None, names)
        column, text = cut(self._script.lines, site)
        if site.how == "seen":
            return Origin(None, None, text, names)
        return Origin(site.line, column, text, names)

    def name_within(self, value: object) -> str:
        """Return what a function of the cell called a value that it computed, or ``""``."""
        known = self._within.get(id(value))
        if known is None or known[0]() is not value:
            return ""
        return next((inner.site.name for inner in known[1] if inner.site.name), "")

    def traces(self, variables: Mapping[str, object]) -> Callable[[object], Trace | None]:
        """Return what tells a value's source and moment; to be asked when the cell is over.

        Parameters
        ----------
        variables : mapping
            The user's variables after the cell: what an object that it made holds was made with it.
        """
        self.understand()

        def trace(value: object) -> Trace | None:
            origin, inner = self.origin(value), self._within.get(id(value))
            text = origin.text if origin is not None else None
            heard = self._heard[id(value)] if origin is not None else None
            is_seen = heard is not None and heard.site.how == "seen"
            if self.met(value) is not None or self._makers.was_there(value):
                return Trace(None, text if is_seen else None, old=True)
            within = tuple(inner[1]) if inner is not None and inner[0]() is value else ()
            made = self._makers.moment(value, variables)
            if made is not None and (heard is None or is_seen or made.order < heard.moment):
                return Trace(made.site.line or None, text, made.site, made.order, within)
            if origin is None or heard is None:
                return Trace(None, None, within=within) if within else None
            return Trace(origin.line, text, heard.site, heard.moment, within)

        return trace

    def close(self) -> None:
        """Forget every value, and listen to nothing any more."""
        self._listeners.close()
        self._reads = self._lift = None
        self.log.clear()
        for known in (self.holders, self._heard, self._within, self._met, self._latest):
            known.clear()
        self._makers.clear()
        self.calls.clear()

    def holder(self, value: object) -> Callable[[object], Hold] | None:
        """Return how to hold a value, or None for what is none; remembered for its class."""
        if self._reads is None:
            return None
        kind = type(value)
        try:
            return self.holders[kind]
        except KeyError:
            holder = holder_of(self._reads, value)
            if not asks_each(kind):
                self.holders[kind] = holder
            return holder
        except TypeError:
            return None

    def understand(self, *, wait: bool = True) -> None:
        """Sort what was heard: by value, as far as the values are still there.

        Parameters
        ----------
        wait : bool, optional
            Whether to wait for another thread that does so. The user's code never waits: in a
            process that was forked meanwhile, that thread is not there.
        """
        if self._understanding.acquire(wait):
            try:
                self._sort()
            finally:
                self._understanding.release()

    def _sort(self) -> None:
        log = self.log[:]
        del self.log[: len(log)]
        for hold, place in zip(log[::2], log[1::2], strict=True):
            if hold is not None and not self.has_made:
                self.has_made = self._is_new(hold(), place)
            if type(place) is int:
                self._take(hold, self._sites[place])
            else:
                self._take_within(hold, place)
        for known in (self._heard, self._within, self._makers.callers):
            if len(known) > PRUNE_AT:
                for key in [key for key, (hold, *_) in known.items() if hold() is None]:
                    del known[key]

    def _is_new(self, value: object, place: int | Spot) -> bool:
        """Whether a place made a value, which may be gone, and did not just hand one on."""
        site = self._sites[place] if isinstance(place, int) else place.site
        is_made = site.how in ("made", "within")
        return is_made and self.met(value) is None and not self._makers.was_there(value)

    def _take(self, hold: Hold | None, site: Site) -> None:
        """Remember one value, or that a name stands for none any more."""
        value = hold() if hold is not None else None
        self._moment += 1
        if site.name or self._makers.inside:
            self._makers.returned(site, self._moment)
        if site.name:
            self._latest.pop(site.name, None)  # a Value comes back as the last one
        if hold is None or value is None:
            return
        known = self._heard.get(id(value))
        names = (site.name,) if site.name else ()
        if known is None or known.hold() is not value:
            self._heard[id(value)] = Heard(hold, site, names, self._moment)
        elif site.name and site.name not in known.names:
            self._heard[id(value)] = known._replace(names=known.names + names)
        if site.name:
            self._latest[site.name] = hold

    def _take_within(self, hold: Hold, spot: Spot) -> None:
        """Remember a value that a line of a function gave; lines that called it come after."""
        value = hold()
        if value is None:
            return
        known = self._within.get(id(value))
        if known is None or known[0]() is not value:
            known = self._within[id(value)] = hold, []
            self._makers.inside.append((id(value), hold))
        if all(inner.site is not spot.site for inner in known[1]):
            elsewhere = spot.definition
            if elsewhere is not None and elsewhere.script is self._script:
                elsewhere = None
            self._moment += 1
            known[1].append(Inner(elsewhere, spot.site, self._moment))


def _hears_nothing(_value: object) -> bool:
    return False
