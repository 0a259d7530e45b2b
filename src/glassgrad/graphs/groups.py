"""Which values of a large graph stand on one card, and what is inside when the card is opened.

In flows a group, at first the whole graph; out flow the groups and single values that it consists
of: by scope, else by line of code, else by repetition, else by their order. However a group is
divided, no path leaves a part and comes back to it, so that cards never make a cycle: neither the
parts of one group, nor any mixture of opened and closed ones.
"""

from __future__ import annotations

import re
from collections.abc import Hashable, Sequence
from dataclasses import dataclass, replace
from typing import Literal, TypeAlias

from glassgrad.graphs.numbers import counted
from glassgrad.graphs.region import Keys, Links, Region, bundled, in_order, without_cycles
from glassgrad.graphs.shapes import by_shape

Way: TypeAlias = Literal["scope", "line", "shape", "order"]

FEW = 24
"""A group of so many values opens to all of them."""

MOST = 48
"""A group opens to so many cards at most; a graph folds to no more."""

PARTS = 16
"""What repeats in no way is shown as so many parts of it, in order."""

SMALL = 3
"""Groups of so many values stand open where there is room."""

_NOUNS = {"leaf": "input", "parameter": "parameter", "constant": "constant"}
_NUMBERED = re.compile(r"(\w+) \d+")
_LETTERS = re.compile(r"[^\W\d_]+")


@dataclass(frozen=True, slots=True)
class Group:
    """Values that stand on one card.

    Parameters
    ----------
    name : str
        Its name and those of the groups around it, ``"layer 1/neuron 3"``; nobody else has it.
    label : str
        What the card is called.
    nodes : tuple of int
        The ids of its values, ascending.
    way : {"scope", "line", "shape", "order"}
        What its values have in common.
    scope : str
        The scope that all of them are in.
    says : str
        What it counts.
    """

    name: str
    label: str
    nodes: tuple[int, ...]
    way: Way
    scope: str = ""
    says: str = ""


def whole(graph_size: int) -> Group:
    """Return the group of all values of a graph but its root, which always stands open."""
    return Group("", "", tuple(range(graph_size - 1)), "order")


def divide(links: Links, group: Group) -> list[Group | int]:
    """Return what a group consists of, in a topological order.

    Parameters
    ----------
    links : Links
        The graph.
    group : Group
        Two values or more.

    Returns
    -------
    list of Group or int
        Groups, and the ids of single values: two at least, `MOST` at most where `group` has more
        than `FEW` values.

    Examples
    --------
    >>> import glassgrad as gg
    >>> a = gg.Value(2.0)
    >>> graph = gg.graph(sum(((a * k).tanh() for k in range(1, 40)), start=a))
    >>> for part in divide(Links(graph), whole(len(graph))):
    ...     print(part if isinstance(part, int) else (part.label, part.says))
    0
    ('tanh(×)', '39 times')
    ('Σ', '38 in a row')
    """
    if group.name and len(group.nodes) <= FEW:
        return list(group.nodes)
    region = Region(links, group.nodes)
    apart = _one_and_rest(region, group, group.label) if group.way == "shape" else None
    if apart is not None:
        return apart
    keys, way = _keys(region, group)
    members = in_order(region, keys)
    ways: list[Way] = [way if _name(keys[part[0]]) else "shape" for part in members]
    if len(members) == 1:  # all of it is one stack
        apart = _one_and_rest(region, group, _formula(region, members[0]))
    if apart is None and (len(members) > MOST or len(members) < 2):
        members = _in_turn(region, keys)
        ways = ["order"] * len(members)
    return apart or _made(region, group, keys, members, ways)


# -- keys ------------------------------------------------------------------------------------------


def _keys(region: Region, group: Group) -> tuple[Keys, Way]:
    """Return keys that make no cycle: those of the first way that gives few, else the fewest."""
    tried: list[tuple[Keys, Way]] = []
    for way, named in (
        ("scope", _scopes(region, group)),
        ("line", _lines(region, group)),
        ("shape", [None] * len(region)),
    ):
        if way != "shape" and not any(named):
            continue
        keys = without_cycles(region, by_shape(region, named))
        tried.append((keys, way))  # type: ignore[arg-type]
        if 1 < len(set(keys)) <= MOST:
            return tried[-1]
    return min(tried, key=lambda one: (len(set(one[0])) < 2, len(set(one[0]))))


def _scopes(region: Region, group: Group) -> list[Hashable]:
    """Return for each value the next part of its scope, None where it has no further one."""
    scope = region.links.graph.node_columns.scope
    skip = len(group.scope) + 1 if group.scope else 0
    parts_of = [scope[node][skip:].partition(".")[0] for node in region.nodes]
    return [part or None for part in parts_of]


def _lines(region: Region, group: Group) -> list[Hashable]:
    """Return for each value the line that made it, None where nobody knows or where it is one."""
    source = region.links.graph.node_columns.source
    found = [source[node] for node in region.nodes]
    lines = [place.line if place else None for place in found]
    if group.way == "line" or len(set(lines)) == 1:
        return [None] * len(region)
    return [f"line {line}" if line is not None else None for line in lines]


def _in_turn(region: Region, keys: Keys) -> list[list[int]]:
    """Return parts that are neighbours in order, of the keys where there are many."""
    ordered = in_order(region, keys)
    if len(ordered) < 2:
        ordered = [[at] for at in range(len(region))]
    size = min(PARTS, max(2, len(ordered) // FEW))
    return bundled(ordered, size)


# -- one of many, and the others -------------------------------------------------------------------


def _one_and_rest(region: Region, group: Group, label: str) -> list[Group | int] | None:
    """Return the first of a stack's units, its values one by one, and the stack of the others."""
    ends = [at for at, inside in enumerate(region.consumers) if not inside]
    if len(ends) < 2:
        return None
    taken: set[int] = set()
    for end in ends[:-1]:
        unit = _behind(region, end)
        if taken and len(taken | unit) > FEW // 2:
            break
        taken |= unit
    rest = [at for at in range(len(region)) if at not in taken]
    first = sorted(taken)
    others = _group(region, group, rest, "shape", label)
    if len(first) <= FEW:
        return [*(region.nodes[at] for at in first), others]
    return _unique([_group(region, group, first, "shape", label), others])


def _behind(region: Region, end: int) -> set[int]:
    """Return a value and all that it was made of, inside."""
    found, waiting = {end}, [end]
    while waiting:
        for one in region.operands[waiting.pop()]:
            if one not in found:
                found.add(one)
                waiting.append(one)
    return found


# -- groups ----------------------------------------------------------------------------------------


def _made(
    region: Region,
    group: Group,
    keys: Keys,
    members: Sequence[Sequence[int]],
    ways: Sequence[Way],
) -> list[Group | int]:
    found: list[Group | int] = []
    room = MOST - len(members)
    for part, way in zip(members, ways, strict=True):
        key = keys[part[0]]
        if len(part) == 1:
            found.append(region.nodes[part[0]])
        elif len(part) <= SMALL and way != "scope" and len(part) - 1 <= room:
            room -= len(part) - 1
            found += [region.nodes[at] for at in part]
        else:
            label = _name(key) or (_formula(region, part) if way == "shape" else "part")
            found.append(_group(region, group, part, way, label))
    return _unique(found)


def _name(key: Hashable) -> str:
    """Return the scope or line that a key is; a key that was split is one with a level."""
    base = key[0] if isinstance(key, tuple) else key
    return base if isinstance(base, str) else ""


def _group(region: Region, around: Group, part: Sequence[int], way: Way, label: str) -> Group:
    nodes = tuple(region.nodes[at] for at in part)
    scope = f"{around.scope}.{label}".lstrip(".") if way == "scope" else around.scope
    says = _says(region, part, way, scope)
    return Group(f"{around.name}/{label}".lstrip("/"), label, nodes, way, scope, says)


def _unique(found: list[Group | int]) -> list[Group | int]:
    """Give groups of one name a number each but the first."""
    seen: dict[str, int] = {}
    result: list[Group | int] = []
    for one in found:
        if isinstance(one, int):
            result.append(one)
            continue
        number = seen[one.name] = seen.get(one.name, 0) + 1
        result.append(replace(one, name=f"{one.name} ({number})") if number > 1 else one)
    return result


# -- what cards say --------------------------------------------------------------------------------


def _ends(region: Region, part: Sequence[int]) -> list[int]:
    """Return the values of a part that no other of its values uses."""
    inside = set(part)
    return [at for at in part if inside.isdisjoint(region.consumers[at])]


def _says(region: Region, part: Sequence[int], way: Way, scope: str) -> str:
    columns = region.links.graph.node_columns
    values = counted(len(part), "value")
    if way == "scope":
        return _counts(region, part, scope) or values
    if way != "shape":
        return values
    if not region.edges[part[-1]]:
        uses = {region.links.uses[region.nodes[at]] for at in part}
        if len(uses) == 1 < max(uses):
            return f"{len(part):,}, used {uses.pop():,} times"
        return counted(len(part), _NOUNS[columns.kind[region.nodes[part[-1]]]])
    ends = len(_ends(region, part))
    if ends > 1:
        return f"{ends:,} times"
    ops = [columns.op[region.nodes[at]] for at in part if region.edges[at]]
    return f"{len(ops):,} in a row" if len(set(ops)) == 1 else values


def _counts(region: Region, part: Sequence[int], scope: str) -> str:
    """Return "16 neurons × 100": the parts of a scope, and how often each was computed."""
    columns, inside = region.links.graph.node_columns, set(part)
    inner = {columns.scope[region.nodes[at]][len(scope) + 1 :].partition(".")[0] for at in part}
    inner.discard("")
    words = {found[1] if (found := _NUMBERED.fullmatch(one)) else "" for one in inner}
    results = sum(
        1
        for at in part
        if region.edges[at] and (region.leaving[at] or not inside.issuperset(region.consumers[at]))
    )
    times, odd = divmod(results, len(inner) or 1)
    often = f" × {times:,}" if times > 1 and not odd else ""
    if len(words) == 1 and "" not in words:
        return f"{counted(len(inner), words.pop())}{often}"
    return f"{results:,} times" if often else ""


def _formula(region: Region, part: Sequence[int]) -> str:
    """Return what the values of a shape are called: their name, or how they are computed."""
    columns, inside = region.links.graph.node_columns, set(part)
    ends = _ends(region, part)
    labels = {columns.label[region.nodes[at]] for at in ends}
    if region.edges[ends[0]]:
        plain = {columns.symbol[region.nodes[ends[0]]], columns.op[region.nodes[ends[0]]], ""}
        shared = labels - plain if len(labels) == 1 < len(ends) else ()
        return next(iter(shared), "") or _written(region, ends[0], inside, 3)
    tails = [label.rpartition(".")[2] for label in labels]
    letters = {found[0] if (found := _LETTERS.match(tail)) else "" for tail in tails}
    kind = columns.kind[region.nodes[ends[0]]]
    return (letters.pop() if len(letters) == 1 else "") or _NOUNS[kind] + "s"


def _written(region: Region, at: int, inside: set[int], depth: int) -> str:
    """Return "ReLU(Σ(×))": an operation, and within it those that led to it."""
    columns = region.links.graph.node_columns
    op, symbol = columns.op[region.nodes[at]], columns.symbol[region.nodes[at]]
    waiting, deeper, length = [at], -1, 0
    while waiting:
        for one in region.operands[waiting.pop()]:
            if one in inside and region.edges[one]:
                if columns.op[region.nodes[one]] == op:
                    waiting.append(one)
                    length += 1
                else:
                    deeper = max(deeper, one)
    name = "Σ" if length and op == "+" else symbol or op
    if deeper < 0:
        return name
    return f"{name}({_written(region, deeper, inside, depth - 1) if depth > 1 else '…'})"
