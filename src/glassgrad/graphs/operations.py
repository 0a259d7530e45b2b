"""What each operation of a graph is: its primitive, its symbol, the slope of each use.

In flows what was collected; out flow columns, one entry per value, the edges, and what was found
out on the way.  Our own Values keep their slopes.  For all others the value's own rule is run on
stand-ins and measured, and the primitive is recognised only where both the number and the slopes
agree with the engine's table.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import accumulate, chain, repeat
from math import isfinite, isnan
from typing import cast

from glassgrad.graphs.adapters import Record
from glassgrad.graphs.alike import Columns
from glassgrad.graphs.collect import Collected
from glassgrad.graphs.findings import QUIET, Finding
from glassgrad.graphs.majority import majority
from glassgrad.graphs.model import EdgeColumns
from glassgrad.graphs.probe import Measured, Probe
from glassgrad.graphs.recognise import Spelled, agree, spelled

_SIGNS = {"*": "×", "-": "−", "/": "÷"}
NAMELESS = "?"
"""The symbol of an operation that has no name."""
_TURNED = ("-", "/", "**", "^")  # where the order of two operands shows in the number
_UNMEASURED = Measured(())


class Operations:
    """Every operation of a graph, leaves included, as columns.

    Parameters
    ----------
    collected : Collected
        The objects and what their adapters said.
    data : sequence of float
        Their numbers.

    Examples
    --------
    >>> from glassgrad.engine.value import Value
    >>> from glassgrad.graphs.collect import collect
    >>> a = Value(2.0)
    >>> made = Operations(collect(a * 3), [2.0, 3.0, 6.0])
    >>> made.symbol[2], made.edges.slope
    ('×', (3.0, 2.0))
    """

    def __init__(self, collected: Collected, data: Sequence[float]) -> None:
        size = len(collected.objects)
        self.symbol: list[str] = [""] * size
        """What a picture shows."""
        self.primitive: list[str | None] = [None] * size
        """The row of the table, if number and slopes agree with it."""
        self.written: list[str] = [""] * size
        """The row by which it may be written as an expression: the number alone agrees."""
        self.findings: list[Finding] = []
        """What is unusual, by node."""
        self._collected, self._data, self._probe = collected, data, Probe()
        self._raw = collected.column("data")
        self._counts = [0] * size
        self._source: list[int] = []
        self._target: list[int] = []
        self._operand: list[int | None] = []
        self._count: list[int] = []
        self._slope: list[float | None] = []
        few, many = majority(collected, data, self._probe)
        if many:
            from glassgrad.graphs.columns import joined, spread  # imports NumPy

            symbols = [(known.ids, known.row.symbol) for known in many]
            self.symbol = spread(self.symbol, symbols)
            names = [(known.ids, known.row.row.name) for known in many]
            self.primitive, self.written = (
                spread(self.primitive, names),
                spread(self.written, names),
            )
        for id in self._others():
            if id in few:
                self._plainly(id, *few[id])
            else:
                self._looked_at(id, collected.records[id])
        self.edges = EdgeColumns(
            tuple(self._source),
            tuple(self._target),
            tuple(self._operand),
            tuple(self._count),
            tuple(self._slope),
        )
        """The edges, by target and then by operand."""
        self.first = [0, *accumulate(self._counts)]
        """Where the edges of each value begin."""
        if many:
            self.edges, self.first = joined(self.edges, self._counts, many)

    def operands(self, id: int) -> list[int]:
        """Return the operands of a value, in order, repeats included."""
        begin, end = self.first[id], self.first[id + 1]
        source, count = self.edges.source[begin:end], self.edges.count[begin:end]
        return [*chain.from_iterable(map(repeat, source, count))]

    def find(self, id: int, kind: str, **more: object) -> None:
        """Write down a fact about a value."""
        code = getattr(self._collected.records[id].rule, "__code__", None)
        place = (code.co_filename, code.co_firstlineno) if code else None
        self.findings.append(Finding(id, kind, place=place, **more))  # type: ignore[arg-type]

    def _others(self) -> Iterator[int]:
        """Yield the values of which nothing is known as yet, and about which there may be."""
        ids = (id for id, row in enumerate(self.written) if not row)
        records = self._collected.records
        if isinstance(records, Columns):
            ops = records.column("op")
            return (id for id in ids if records.results[id] or ops[id])
        return ids

    # -- four ways to know an operation -----------------------------------------------------------

    def _plainly(self, id: int, row: Spelled, slopes: Sequence[float]) -> None:
        """Take down an operation about which there is nothing to say."""
        self._row(id, row.symbol, row.row.name, row.row.name)
        below = cast("tuple[int, ...]", self._collected.operands[id])
        for position, (operand, slope) in enumerate(zip(below, slopes, strict=True)):
            self._edge(operand, id, position, 1, float(slope))

    def _looked_at(self, id: int, record: Record) -> None:
        if not record.operands:
            self._leaf(id, record)
        elif record.slopes is not None and (record.primitive or record.symbol):
            self._vouched(id, record, record.slopes)
        else:
            self._found_out(id, record)

    def _leaf(self, id: int, record: Record) -> None:
        self._remark(id, record)
        op = record.op.strip()
        if op and (spelled(op, 1) or spelled(op, 2)):
            self.find(id, "detached", detail=op)

    def _vouched(self, id: int, record: Record, slopes: Sequence[float | None]) -> None:
        """Take down an operation of a class that keeps its slopes and vouches for its row."""
        self._row(id, record.symbol or _symbol(record.op), record.primitive, record.primitive or "")
        self._remark(id, record)
        constants = self._collected.constants
        for position, operand in enumerate(self._collected.operands[id]):
            if operand is not None:
                slope = slopes[position]
                # the slope against an exponent is nan below 0, where x**y has none: unknown
                if slope is not None and isnan(slope) and operand in constants:
                    slope = None
                self._edge(operand, id, position, 1, slope)
        now = record.now
        if now is not None and now != self._data[id] and not agree(now, self._data[id]):
            self.find(id, "stale", expected=now, got=self._data[id])

    def _found_out(self, id: int, record: Record) -> None:
        """Find out about an operation of somebody's own."""
        operands = self._collected.operands[id]
        self._remark(id, record)
        if None in operands:  # a cycle: nothing can be measured at a value that feeds itself
            self._row(id, _symbol(record.op), None, "")
            whole = [operand for operand in operands if operand is not None]
            self._uses(id, whole, record.ordered, {}, ())
            return
        whole = [operand for operand in operands if operand is not None]
        totals, measured = self._measured(id, record, whole)
        row, whole, ordered = self._recognised(id, record, whole, totals)
        if row is None:
            self._row(id, _symbol(record.op), None, "")
            self._uses(id, whole, ordered, totals, record.slopes or ())
            self._facts(id, whole, measured)
            return
        numbers = [self._data[operand] for operand in whole]
        slopes = row.slopes(row.value(numbers), numbers)
        agreed = _agrees(whole, slopes, totals)
        self._row(id, row.symbol, row.row.name if agreed else None, row.row.name)
        exact = record.slopes or (slopes if agreed else ())
        self._uses(id, whole, ordered, totals, exact)
        self._facts(id, whole, measured)
        if not agreed and not row.kinked(numbers):
            self._wrong(id, _summed(whole, slopes), totals, measured)

    # -- measuring and recognising ----------------------------------------------------------------

    def _measured(
        self, id: int, record: Record, whole: Sequence[int]
    ) -> tuple[dict[int, float | None], Measured]:
        """Return the slope of each operand that is a value, all its uses together."""
        objects, constants = self._collected.objects, self._collected.constants
        unique = list(dict.fromkeys(whole))
        if constants:
            unique = [operand for operand in unique if operand not in constants]
        if record.slopes is not None:
            totals: dict[int, float | None] = dict.fromkeys(unique, 0.0)
            for operand, slope in zip(whole, record.slopes, strict=True):
                total = totals.get(operand)
                totals[operand] = None if slope is None or total is None else total + slope
            return totals, _UNMEASURED
        if record.rule is None:
            return dict.fromkeys(unique), _UNMEASURED
        measured = self._probe.measure(
            objects[id],
            record,
            [objects[operand] for operand in unique],
            [self._raw[operand] for operand in unique],
        )
        return dict(zip(unique, measured.slopes, strict=True)), measured

    def _recognised(
        self, id: int, record: Record, whole: list[int], totals: Mapping[int, float | None]
    ) -> tuple[Spelled | None, list[int], bool]:
        """Return the row whose number agrees, and the operands in the order in which it does."""
        data, out = self._data, self._data[id]
        row = spelled(record.op, len(whole))
        if row is not None and record.ordered:
            numbers = [data[operand] for operand in whole]
            now = row.value(numbers)
            if now == out or agree(now, out):
                return row, whole, True
            if len(whole) == 2 and record.op.strip() in _TURNED:
                turned = row.value(numbers[::-1])
                if turned == out or agree(turned, out):
                    return row, whole[::-1], True
            if _agrees(whole, row.slopes(out, numbers), totals, known=True):
                self.find(id, "stale", expected=now, got=out)
        elif row is None and len(whole) == 1:
            pair = spelled(record.op, 2)
            if pair is not None:
                return self._alone(id, pair, whole, record.ordered, totals)
        return None, whole, record.ordered

    def _alone(
        self,
        id: int,
        row: Spelled,
        whole: list[int],
        ordered: bool,
        totals: Mapping[int, float | None],
    ) -> tuple[Spelled | None, list[int], bool]:
        """Tell a value used twice, of which a set keeps one, from a number that was not kept."""
        twice = whole * 2
        numbers = [self._data[operand] for operand in twice]
        now = row.value(numbers)
        fits = agree(now, self._data[id])
        if fits and _agrees(twice, row.slopes(now, numbers), totals, known=True):
            return row, twice, True
        if not fits or totals[whole[0]] is not None:
            self.find(id, "dropped", detail=row.symbol)
        return None, whole, ordered

    # -- facts ------------------------------------------------------------------------------------

    def _remark(self, id: int, record: Record) -> None:
        for kind, detail in record.remarks:
            self.find(id, kind, detail=detail)

    def _facts(self, id: int, whole: Sequence[int], measured: Measured) -> None:
        """Take down what the rule does, with ids for positions."""
        if measured.facts:
            constants = self._collected.constants
            unique = [o for o in dict.fromkeys(whole) if o not in constants]
            for kind, places, detail in measured.facts:
                if kind == "odd" and isnan(self._data[id]):
                    continue  # of numbers that are none, slopes are none either
                concerned = tuple(unique[place] for place in places)
                self.find(id, kind, operands=concerned, detail=detail)

    def _wrong(
        self,
        id: int,
        due: Mapping[int, float],
        totals: Mapping[int, float | None],
        measured: Measured,
    ) -> None:
        """Say which slopes are not those of the operation that the numbers show."""
        if any(fact.kind not in QUIET for fact in measured.facts):
            return  # what was said explains them
        for place, (operand, got) in enumerate(totals.items()):
            expected = due[operand]
            if got is not None and isfinite(expected) and not agree(got, expected):
                kind = "silent" if place in measured.untouched else "slope"
                self.find(id, kind, operands=(operand,), expected=expected, got=got)

    # -- columns ----------------------------------------------------------------------------------

    def _row(self, id: int, symbol: str, primitive: str | None, written: str) -> None:
        self.symbol[id] = symbol
        self.primitive[id] = primitive
        self.written[id] = written

    def _edge(
        self, source: int, target: int, position: int | None, count: int, slope: float | None
    ) -> None:
        self._source.append(source)
        self._target.append(target)
        self._operand.append(position)
        self._count.append(count)
        self._slope.append(slope)
        self._counts[target] += 1

    def _uses(
        self,
        id: int,
        whole: Sequence[int],
        ordered: bool,
        totals: Mapping[int, float | None],
        exact: Sequence[float | None],
    ) -> None:
        """Add one edge per position where slopes are known so finely, else one per operand."""
        if len(totals) == len(whole) and ordered:  # nearly always: no constant, nothing repeated
            for position, operand in enumerate(whole):
                self._edge(operand, id, position, 1, totals[operand])
            return
        places: dict[int, list[int]] = {}
        for position, operand in enumerate(whole):
            places.setdefault(operand, []).append(position)
        uses: list[tuple[int, int, int, float | None]] = []
        for operand, positions in places.items():
            if exact:
                total = totals.get(operand)
                alone = len(positions) == 1 and total is not None
                uses += [(p, operand, 1, total if alone else exact[p]) for p in positions]
            else:
                uses.append((positions[0], operand, len(positions), totals.get(operand)))
        for position, operand, count, slope in sorted(uses, key=lambda use: use[0]):
            self._edge(operand, id, position if ordered else None, count, slope)


def _symbol(op: str) -> str:
    return _SIGNS.get(op, op) or NAMELESS


def _agrees(
    whole: Sequence[int],
    slopes: Sequence[float],
    totals: Mapping[int, float | None],
    known: bool = False,
) -> bool:
    """Whether measured slopes are those of a row; repeated operands have one sum.

    With `known`, there has to be a measured slope at all.
    """
    if len(totals) == len(whole):
        pairs = [(totals[operand], slope) for operand, slope in zip(whole, slopes, strict=True)]
    else:
        expected = _summed(whole, slopes)
        pairs = [(total, expected[operand]) for operand, total in totals.items()]
    if known and not pairs:
        return False
    return all(
        total is not None and (total == slope or agree(total, slope)) for total, slope in pairs
    )


def _summed(whole: Sequence[int], slopes: Sequence[float]) -> dict[int, float]:
    """Return the slope of each operand, the uses of one that is repeated together."""
    sums = dict.fromkeys(whole, 0.0)
    for operand, slope in zip(whole, slopes, strict=True):
        sums[operand] += slope
    return sums
