"""The plain majority of a large graph: rules that share their code, measured in one loop.

In flows what was collected; out flow the slopes of those values about which there is nothing to
say: a plain rule that adds, a number and slopes that agree with the table.  Everything else is
left to `glassgrad.graphs.operations`, which takes its time.  Reading the 65,818 values of
micrograd's demo takes a third of the time in this way.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from types import FunctionType
from typing import TypeAlias, cast

from glassgrad.graphs.adapters import Record
from glassgrad.graphs.adapters.closures import contents
from glassgrad.graphs.adapters.native import fast
from glassgrad.graphs.bench import CONSTANT, RESULT, Bench, are_plain, is_plain
from glassgrad.graphs.collect import Collected
from glassgrad.graphs.findings import QUIET
from glassgrad.graphs.probe import Probe, place_of
from glassgrad.graphs.recognise import Spelled, agree, spelled

_FEWEST = 16  # values of one code; below that there is nothing to gain


Plain: TypeAlias = "tuple[Spelled, tuple[float, ...]]"
"""What is known of a value of the majority: the row of the table, and its slopes."""


def majority(collected: Collected, data: Sequence[float], probe: Probe) -> Mapping[int, Plain]:
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
    mapping of int to Plain
        By id; what is not in it has to be looked at one by one.

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
    {}
    """
    groups: dict[int, list[int]] = {}
    for id, record in enumerate(collected.records):
        rule = record.rule
        if type(rule) is FunctionType and rule.__closure__:
            code = _identity(rule.__code__)
            if code in groups:
                groups[code].append(id)
            else:
                groups[code] = [id]
    found: dict[int, Plain] = {}
    for ids in groups.values():
        first = collected.records[ids[0]]
        row = spelled(first.op, len(first.operands))
        if row is not None and first.ordered and len(ids) >= _FEWEST:
            found.update(_group(ids, row, collected, data, probe))
    return found


_identity = id  # ids of values are called id here


def _group(
    ids: Sequence[int], row: Spelled, collected: Collected, data: Sequence[float], probe: Probe
) -> Iterator[tuple[int, Plain]]:
    """Yield what is known of values whose rules have one code, the first of them excepted."""
    records, operands, constants = collected.records, collected.operands, collected.constants
    first, below = collected.objects[ids[0]], operands[ids[0]]
    record = records[ids[0]]
    objects = [collected.objects[o] for o in below if o is not None and o not in constants]
    if len(set(below)) < len(below) or len(objects) < len(below) or record.remarks:
        return
    numbers = [records[o].data for o in below if o is not None]
    measured = probe.measure(first, record, objects, numbers)
    if any(fact.kind not in QUIET for fact in measured.facts):
        return
    rule = cast(FunctionType, record.rule)
    taken = contents(rule.__closure__ or ())
    places = [place_of(item, first, objects) for item in taken]
    if is_plain(rule, record.names) and are_plain(taken, places):
        bench = Bench(rule, places, len(below), record.names)
        yield from _measured(ids[1:], bench, row, collected, data)


def _measured(
    ids: Sequence[int],
    bench: Bench,
    row: Spelled,
    collected: Collected,
    data: Sequence[float],
) -> Iterator[tuple[int, Plain]]:
    records, operands, objects = collected.records, collected.operands, collected.objects
    places, op = bench.places, records[ids[0]].op if ids else ""
    known = [(cell, place) for cell, place in enumerate(places) if place != CONSTANT]
    others, count = len(known) < len(places), len(bench.operands)
    value_of, slopes_of = fast(row.row)
    power = () if row.power is None else (row.power,)
    run = bench.run
    for id in ids:
        record: Record = records[id]
        below = cast("tuple[int, ...]", operands[id])
        closure = cast(FunctionType, record.rule).__closure__ or ()
        if len(below) != count or record.op != op or record.remarks or not record.ordered:
            continue
        try:
            for cell, place in known:
                meant = objects[id] if place == RESULT else objects[below[place]]
                if closure[cell].cell_contents is not meant:
                    break  # a cycle, a repeat, a rule of other objects
            else:
                taken = contents(closure) if others else closure
                if others and not are_plain(taken, places):
                    continue
                raw = [records[operand].data for operand in below]
                slopes = tuple(run(taken, record.data, raw, 0.0, 1.0))
                numbers = [data[operand] for operand in below]
                out = value_of(*numbers, *power)
                due = slopes_of(out, *numbers, *power)[:count]
                now = data[id]
                if (out == now or agree(out, now)) and (
                    slopes == due or all(map(agree, slopes, due))
                ):
                    yield id, (row, slopes)
        except Exception:  # Python's arithmetic at the edge of a domain, or a rule that raises
            continue
