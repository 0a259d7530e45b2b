"""What a rule does, measured by running it.

In flow a value, its operands and its local rule; out flow the slopes *as that rule implements
them*, for any operation, known or not, and facts about its manners: whether it adds to gradients
or replaces them, whether it multiplies by the gradient it is given.  The rule runs on stand-ins,
with its own gradient 1 and those of the operands 0; the user's objects are only read.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from math import isfinite, isnan
from types import FunctionType
from typing import Any, NamedTuple, Protocol

from glassgrad.graphs.adapters import LECTURE, Names
from glassgrad.graphs.adapters.closures import contents
from glassgrad.graphs.bench import CONSTANT, RESULT, Bench, are_plain, is_plain
from glassgrad.graphs.limits import EndlessError, limited
from glassgrad.graphs.scalar import scalar
from glassgrad.graphs.standins import NotApartError, StandIns, put, take
from glassgrad.graphs.surroundings import Surroundings, plain_function

_HELD, _GRADIENT = 10.0, 3.0  # what tells `+=` from `=`, and `* out.grad` from nothing
_ZERO = float("0.0")  # an object of its own: where it is found again, nobody wrote
_MOVED = 0.5  # by so much data is moved, to see whether a rule reads it when it runs
_STEPS, _PER_OPERAND = 2_000, 50  # lines that a rule may take

_Run = Callable[[float, float, float], "list[Any]"]
"""Runs a rule with the operands' gradients held at the first number, its own at the second, and
the operands' data moved by the third; returns what it leaves in the operands."""


class Fact(NamedTuple):
    """Something that a rule does; `operands` are positions."""

    kind: str
    operands: tuple[int, ...] = ()
    detail: str = ""


class Measured(NamedTuple):
    """What a rule does to the operands' gradients."""

    slopes: tuple[float | None, ...]
    """One for each operand; None where the rule left something that is no number."""

    facts: tuple[Fact, ...] = ()
    """What is to be said about it."""

    untouched: tuple[int, ...] = ()
    """The positions of operands whose gradient it did not write at all."""


class Described(Protocol):
    """What the probe has to know of a value: see `glassgrad.graphs.adapters.Record`."""

    @property
    def data(self) -> object:
        """Its number."""

    @property
    def rule(self) -> Callable[[], object] | None:
        """Its local rule."""

    @property
    def names(self) -> Names:
        """What its class calls things."""


class Probe:
    """Measures the rules of one graph; what is known of one rule serves for all of its code.

    Examples
    --------
    >>> from types import SimpleNamespace
    >>> a, b = SimpleNamespace(data=2.0, grad=7.0), SimpleNamespace(data=4.0, grad=8.0)
    >>> def rule():
    ...     a.grad = 2 * a.data * b.grad
    >>> from glassgrad.graphs.adapters import Record
    >>> measured = Probe().measure(b, Record(data=4.0, rule=rule), [a], [2.0])
    >>> measured.slopes, [fact.kind for fact in measured.facts]
    ((4.0,), ['replaces', 'live'])
    >>> a.grad, b.grad
    (7.0, 8.0)
    """

    def __init__(self) -> None:
        self._benches: dict[tuple[int, tuple[int, ...]], Bench | None] = {}
        self._manners: dict[tuple[object, int], tuple[Fact, ...]] = {}
        self._surroundings: dict[tuple[int, frozenset[type]], Surroundings] = {}
        self._held: list[object] = []  # codes and rules, so that their identities stay their own

    def measure(
        self, value: object, record: Described, operands: Sequence[object], data: Sequence[object]
    ) -> Measured:
        """Run the rule of one value; return the slope it gives each operand.

        Parameters
        ----------
        value : object
            The result.
        record : Record
            Its rule, its number, and what its class calls things.
        operands : sequence of object
            What it was computed from, each once.  The slope of one that was used twice is the sum
            over both uses.
        data : sequence of object
            Their numbers.
        """
        rule = record.rule
        if type(rule) is FunctionType and rule.__closure__:
            bench, taken = self._bench(rule, value, operands, record.names)
            if bench is not None:
                try:
                    left = bench.run(taken, record.data, data, _ZERO, 1.0)
                except Exception:  # it wants more than numbers after all
                    left = None
                if left is not None:
                    return self._told(
                        rule, left, lambda held, gradient, moved: bench.run(
                            taken, record.data, [_moved(x, moved) for x in data], held, gradient
                        ),
                    )  # fmt: skip
        return self._apart(value, record, operands)

    def _bench(
        self, rule: FunctionType, value: object, operands: Sequence[object], names: Names
    ) -> tuple[Bench | None, list[Any]]:
        taken = contents(rule.__closure__ or ())
        places = tuple([place_of(item, value, operands) for item in taken])
        key = (id(rule.__code__), places)
        if key not in self._benches:
            self._held.append(rule.__code__)
            plain = is_plain(rule, names) and are_plain(taken, places)
            self._benches[key] = Bench(rule, places, len(operands), names) if plain else None
        return self._benches[key], taken

    def _apart(self, value: object, record: Described, operands: Sequence[object]) -> Measured:
        """Measure a rule that does more than arithmetic."""
        names, rule = record.names, record.rule
        strays: list[object] = []
        around = self._around(rule, frozenset(map(type, (value, *operands))))

        def run(held: float, gradient: float, moved: float) -> list[Any]:
            others = StandIns(value, operands, names)
            bound = others.bound(rule)
            for other in (*others.operands, *others.strays):
                put(other, names.grad, held)
                if moved:
                    put(other, names.data, _moved(take(other, names.data), moved))
            put(others.value, names.grad, gradient)
            steps = _STEPS + _PER_OPERAND * len(operands)
            with around.as_before(), limited(steps):
                bound()
            strays[:] = [x for x in others.strays if take(x, names.grad) is not held]
            return [take(other, names.grad) for other in others.operands]

        nothing = (None,) * len(operands)
        try:
            left = run(_ZERO, 1.0, 0.0)
        except NotApartError:
            return Measured(nothing, (Fact("apart"),))
        except EndlessError:
            return Measured(nothing, (Fact("endless", (), f"{_STEPS:,}"),))
        except Exception as error:
            return Measured(nothing, (Fact("raises", (), _failure(error)),))
        told = self._told(rule, left, run)
        return told._replace(facts=(*told.facts, Fact("stray"))) if strays else told

    def _around(self, rule: object, kinds: frozenset[type]) -> Surroundings:
        """Return what code of this rule may change besides the values."""
        code = getattr(plain_function(rule), "__code__", rule)
        key = (id(code), kinds)
        if key not in self._surroundings:
            self._held.append(code)
            self._surroundings[key] = Surroundings([rule], kinds)
        return self._surroundings[key]

    def _told(self, rule: object, left: list[Any], run: _Run) -> Measured:
        """Turn what a run left into slopes, and add what is known of the rule's manners."""
        slopes: list[float | None] = []
        for place, item in enumerate(left):
            if type(item) is float:
                slopes.append(item)
                continue
            number, odd = scalar(item)
            slopes.append(None if odd and isnan(number) else number)
            if odd:
                slopes += [None] * (len(left) - len(slopes))
                return Measured(tuple(slopes), (Fact("odd", (place,), odd),))
        untouched = tuple([place for place, item in enumerate(left) if item is _ZERO])
        return Measured(tuple(slopes), self._manners_of(rule, slopes, run), untouched)

    def _manners_of(self, rule: object, slopes: list[float | None], run: _Run) -> tuple[Fact, ...]:
        """Return what is known of all rules with this code, or find it out."""
        code = getattr(rule, "__code__", rule)
        key = (id(code), len(slopes))
        known = self._manners.get(key)
        if known is None:
            self._held.append(code)
            known = tuple(manners(slopes, run))
            # where a slope is 0 or infinite the numbers do not tell; the next value may
            if all(slope and isfinite(slope) for slope in slopes):
                self._manners[key] = known
        return known


def place_of(item: object, value: object, operands: Sequence[object]) -> int:
    """Return what a cell of a rule holds: the position of an operand, RESULT or CONSTANT."""
    if item is value:
        return RESULT
    for place, operand in enumerate(operands):
        if item is operand:
            return place
    return CONSTANT


def _moved(item: Any, by: float) -> Any:
    return item + by if by and isinstance(item, float | int) else item


def manners(slopes: Sequence[float | None], run: _Run) -> Iterator[Fact]:
    """Find out how a rule treats what is there already.

    One more run with the operands at 10 and the gradient 3 tells four cases apart, for a slope s:
    10 + 3s adds what it should; 3s replaces; 10 + s forgets the gradient; s does both.

    Parameters
    ----------
    slopes : sequence of float or None
        What the rule gave with 0 and 1.
    run : callable
        Runs it again.

    Examples
    --------
    >>> [fact.kind for fact in manners([2.0], lambda held, gradient, moved: [2.0 * gradient])]
    ['replaces']
    """
    try:
        totals = [scalar(item)[0] for item in run(_HELD, _GRADIENT, 0.0)]
        again = [scalar(item)[0] for item in run(0.0, 1.0, _MOVED)]
    except (Exception, EndlessError):
        return
    pairs = list(enumerate(zip(slopes, totals, strict=True)))
    replaced = tuple(place for place, (s, total) in pairs if s is not None and _replaces(s, total))
    forgot = tuple(place for place, (s, total) in pairs if s is not None and _forgets(s, total))
    if replaced:
        yield Fact("replaces", replaced)
    if forgot:
        yield Fact("forgets", forgot)
    live = tuple(
        place
        for place, (s, other) in enumerate(zip(slopes, again, strict=True))
        if s is not None and abs(other - s) > 1e-9 * abs(s)
    )
    if live:
        yield Fact("live", live)


def _replaces(slope: float, total: float) -> bool:
    expected = (_GRADIENT * slope, slope)
    return any(_same(total, x) for x in expected) and not _adds(slope, total)


def _forgets(slope: float, total: float) -> bool:
    if slope == 0 or _adds(slope, total) or _same(total, _GRADIENT * slope):
        return False  # so small a slope does not tell
    return any(_same(total, x) for x in (_HELD + slope, slope))


def _adds(slope: float, total: float) -> bool:
    return _same(total, _HELD + _GRADIENT * slope)


def _same(first: float, second: float) -> bool:
    return abs(first - second) <= 1e-9 * max(1.0, abs(first), abs(second))


# -- one rule alone -------------------------------------------------------------------------------


class _Alone(NamedTuple):
    data: object
    rule: Callable[[], object]
    names: Names


def measure(
    value: object, operands: Sequence[object], rule: Callable[[], object], names: Names = LECTURE
) -> Measured:
    """Run one rule, and return the slope that it gives each operand.

    Parameters
    ----------
    value : object
        The result whose gradient the rule reads.
    operands : sequence of object
        The objects whose gradient it writes, each once.
    rule : callable
        The local rule.
    names : Names, optional
        What the class calls things.

    Examples
    --------
    >>> from types import SimpleNamespace
    >>> a, b = SimpleNamespace(grad=7.0), SimpleNamespace(grad=8.0)
    >>> def rule():
    ...     a.grad += -3.0 * b.grad
    >>> measure(b, [a], rule).slopes, a.grad, b.grad
    ((-3.0,), 7.0, 8.0)
    """
    data = [take(operand, names.data) for operand in operands]
    return Probe().measure(value, _Alone(take(value, names.data), rule, names), operands, data)


def adds(
    value: object,
    operands: Sequence[object],
    rule: Callable[[], object],
    names: Names = LECTURE,
) -> bool | None:
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
    measured = measure(value, operands, rule, names)
    if any(fact.kind == "replaces" for fact in measured.facts):
        return False
    finite = any(slope is not None and isfinite(slope) for slope in measured.slopes)
    return True if finite else None


def _failure(error: Exception) -> str:
    words = str(error).partition("\n")[0]
    return f"{type(error).__name__}: {words}" if words else type(error).__name__
