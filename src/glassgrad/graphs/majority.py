"""The plain majority of a large graph: rules that share their code, measured together.

In flows what was collected; out flow the slopes of those values about which there is nothing to
say: a plain rule that adds, a number and slopes that agree with the table.  Everything else is
left to `glassgrad.graphs.operations`, which takes its time.  Where the code is a formula it runs
once, on columns of numbers (see `glassgrad.graphs.columns`); else in a loop.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from itertools import compress
from math import isfinite
from types import FunctionType
from typing import TYPE_CHECKING, NamedTuple, TypeAlias, cast

from glassgrad.graphs.adapters import Record
from glassgrad.graphs.adapters.closures import contents
from glassgrad.graphs.adapters.native import fast
from glassgrad.graphs.alike import Alike, Columns, Held
from glassgrad.graphs.bench import CONSTANT, RESULT, Bench, are_plain, is_plain
from glassgrad.graphs.collect import Collected
from glassgrad.graphs.findings import QUIET
from glassgrad.graphs.probe import Measured, Probe, place_of
from glassgrad.graphs.recognise import Spelled, agree, spelled

if TYPE_CHECKING:
    from glassgrad.graphs.columns import Known, Table

_FEWEST = 16  # values of one code; below that there is nothing to gain
_OPERATIONS = 16  # of one code, such as powers
_MANY = 512  # from here on columns are worth importing NumPy


Plain: TypeAlias = "tuple[Spelled, tuple[float, ...]]"
"""What is known of a value of the majority: the row of the table, and its slopes."""


class Majority(NamedTuple):
    """What is known of the values about which there is nothing to say."""

    few: dict[int, Plain]
    """By id."""

    many: list[Known]
    """By column."""


def majority(collected: Collected, data: Sequence[float], probe: Probe) -> Majority:
    """Measure the values that share the code of their rule with many others.

    Parameters
    ----------
    collected : Collected
        Objects, records, operands.
    data : sequence of float
        The numbers.
    probe : Probe
        Tells the manners of a rule.

    Returns
    -------
    Majority
        What is not in it has to be looked at one by one.

    Examples
    --------
    >>> from types import SimpleNamespace
    >>> def doubled(x):
    ...     out = SimpleNamespace(data=2 * x.data, grad=0.0, _prev=(x, x), _op="+")
    ...     def rule():
    ...         x.grad += out.grad
    ...     out._backward = rule
    ...     return out
    >>> from glassgrad.graphs.collect import collect
    >>> majority(collect(doubled(SimpleNamespace(data=1.0, grad=0.0, _prev=()))), [1, 2], Probe())
    Majority(few={}, many=[])
    """
    return _Majority(collected, data, probe).found()


class _Majority:
    """Measures group by group."""

    def __init__(self, collected: Collected, data: Sequence[float], probe: Probe) -> None:
        self._collected, self._data, self._probe = collected, data, probe
        self._raw = collected.column("data")
        self._table: Table | None = None

    def found(self) -> Majority:
        """Return what is known of all groups."""
        majority = Majority({}, [])
        op = self._collected.column("op")
        for group in _groups(self._collected):
            for alike in _by_operation(group, op):
                self._measured(alike, majority)
        return majority

    def _measured(self, group: Alike, majority: Majority) -> None:
        """Measure a group, and add what is known of it."""
        if len(group.ids) < _FEWEST:
            return
        row = spelled(self._collected.column("op")[group.ids[0]], len(group.operands))
        bench = self._bench(group) if row else None
        if row is None or bench is None:
            return
        left = self._fitting(group, bench)
        known = self._by_column(left, bench, row) if len(left.ids) >= _MANY else None
        if known is not None:
            majority.many.append(known)
            if len(known.ids) == len(left.ids):
                return
            done = set(known.ids.tolist())
            left = _chosen(left, [id not in done for id in left.ids])
        majority.few.update(self._one_by_one(left, bench, row))

    def _bench(self, group: Alike) -> Bench | None:
        """Return what runs the rules of a group; None where they are not plain, or have no manners.

        One of them stands for all.
        """
        place, record, objects, measured = self._sample(group)
        rule, value = group.rules[place], self._collected.objects[group.ids[place]]
        taken = contents(rule.__closure__ or ())
        places = [place_of(item, value, objects) for item in taken]
        plain = is_plain(rule, record.names) and are_plain(taken, places)
        if not plain or any(fact.kind not in QUIET for fact in measured.facts):
            return None
        return Bench(rule, places, len(objects), record.names)

    def _sample(self, group: Alike) -> tuple[int, Record, list[object], Measured]:
        """Measure a value of a group whose slopes tell the manners of its rule, if there is one."""
        collected = self._collected
        for place, id in enumerate(group.ids[:_FEWEST]):
            record, value = collected.records[id], collected.objects[id]
            below = list(dict.fromkeys(column[place] for column in group.operands))
            objects = [collected.objects[o] for o in below]
            measured = self._probe.measure(value, record, objects, [self._raw[o] for o in below])
            if all(slope and isfinite(slope) for slope in measured.slopes):
                break
        return place, record, objects, measured

    def _fitting(self, group: Alike, bench: Bench) -> Alike:
        """Return those whose rules know the same of their values as that on the bench."""
        if isinstance(self._collected.records, Columns):  # the walk has seen to it
            return group
        objects = self._collected.objects
        known = [(cell, place) for cell, place in enumerate(bench.places) if place != CONSTANT]
        fits = []
        for id, rule, *below in zip(group.ids, group.rules, *group.operands, strict=True):
            taken = contents(rule.__closure__ or ())
            fits.append(
                all(
                    taken[cell] is objects[id if place == RESULT else below[place]]
                    for cell, place in known
                )
            )
        return _chosen(group, fits)

    def _by_column(self, group: Alike, bench: Bench, row: Spelled) -> Known | None:
        """Run the code of a large group once, on columns, if it is a formula."""
        from glassgrad.graphs.columns import Table, is_formula  # imports NumPy

        if not is_formula(group.rules[0].__code__):
            return None
        if self._table is None:
            self._table = Table(self._raw, self._data)
        taken = [
            group.rules.inside(cell) if place == CONSTANT else ()
            for cell, place in enumerate(bench.places)
        ]
        return self._table.known(bench, row, group, taken)

    def _one_by_one(self, group: Alike, bench: Bench, row: Spelled) -> Iterator[tuple[int, Plain]]:
        """Run the rules of a group in a loop."""
        value_of, slopes_of = fast(row.row)
        power = () if row.power is None else (row.power,)
        data, raw = self._data, self._raw
        count, own = len(group.operands), len(bench.operands)
        others = CONSTANT in bench.places
        nothing = (None,) * len(group.ids)
        cells = [
            group.rules.inside(cell) if place == CONSTANT else nothing
            for cell, place in enumerate(bench.places)
        ]
        for id, taken, *below in zip(
            group.ids, zip(*cells, strict=True), *group.operands, strict=True
        ):
            try:
                if others and not are_plain(taken, bench.places):
                    continue
                known = [raw[operand] for operand in below[:own]]
                slopes = tuple(bench.run(taken, raw[id], known, 0.0, 1.0))
                numbers = [data[operand] for operand in below]
                out, now = value_of(*numbers, *power), data[id]
                due = slopes_of(out, *numbers, *power)[:count]
                expected = due if own == count else (sum(due),)  # of two uses the sum is measured
                if (out == now or agree(out, now)) and (
                    slopes == expected or all(map(agree, slopes, expected))
                ):
                    yield id, (row, slopes if own == count else due)
            except Exception:  # Python's arithmetic at the edge of a domain, or a rule that raises
                continue


def _groups(collected: Collected) -> Iterable[Alike]:
    """Return values whose rules have one code together; those without an order are left out."""
    if isinstance(collected.records, Columns):
        return collected.records.groups
    groups: dict[tuple[int, int, int], Alike] = {}
    for id, (record, below) in enumerate(zip(collected.records, collected.operands, strict=True)):
        rule = record.rule
        if type(rule) is not FunctionType or not rule.__closure__ or not below:
            continue
        if record.remarks or not record.ordered or None in below:
            continue
        if not collected.constants.isdisjoint(below):
            continue
        key = (_identity(rule.__code__), len(below), len(set(below)))
        if key not in groups:
            groups[key] = Alike([], tuple([] for _ in below), Held())
        ids, columns, rules = groups[key]
        for column, item in zip((ids, *columns, rules), (id, *below, rule), strict=True):
            cast("list[object]", column).append(item)
    return [group for (_, count, different), group in groups.items() if different in (1, count)]


_identity = id  # ids of values are called id here


def _by_operation(group: Alike, ops: Sequence[str]) -> Iterator[Alike]:
    """Yield those of a group together that call their operation the same: x**2, and x**-1."""
    words = [*map(ops.__getitem__, group.ids)]
    if len({*words}) == 1:
        yield group
        return
    for op, count in Counter(words).most_common(_OPERATIONS):
        if count >= _FEWEST:
            yield _chosen(group, [word == op for word in words])


def _chosen(group: Alike, which: Sequence[object]) -> Alike:
    """Return those of a group for which something holds."""
    ids, operands, rules = group
    columns = tuple([*compress(column, which)] for column in operands)
    return Alike([*compress(ids, which)], columns, rules.chosen(which))
