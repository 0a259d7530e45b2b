"""The source beside a graph: which line made which values, and in which run of the line.

In flow a cell's lines and the ids of the values that each made; out flows the ``code`` part of the
wire. ``js/panels/gutter.ts`` draws it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from glassgrad.graphs.fold import Part


@dataclass(frozen=True, slots=True)
class Code:
    """The source text that made a graph, to be shown beside it.

    Parameters
    ----------
    lines : sequence of str
        The lines.
    first : int, optional
        The number of the first of them.
    failed : int or None, optional
        The number of the line that raised.
    runs : mapping of int to sequence of sequence of int, optional
        The ids of the values that each line made, one sequence per time that it ran.  By default
        what the nodes' own sources say, in one run.
    title : str, optional
        What stands above it, where it is not the cell itself: ``"layer, cell 3"``.
    called : sequence of Code, optional
        The functions of earlier cells that made some of the values.
    h : float or None, optional
        The step with which `slopes` were measured.
    slopes : mapping of int to float, optional
        The measured slope of each input, by id.
    """

    lines: Sequence[str]
    first: int = 1
    failed: int | None = None
    runs: Mapping[int, Sequence[Sequence[int]]] | None = None
    title: str = ""
    called: Sequence[Code] = ()
    h: float | None = None
    slopes: Mapping[int, float] | None = None

    def with_slopes(self, h: float, slopes: Mapping[int, float]) -> Code:
        """Return the same code with measured slopes."""
        return replace(self, h=h, slopes=slopes)


def code_json(code: Code, part: Part, card_of: Mapping[int, int] | None = None) -> dict[str, Any]:
    """Return the code as it travels, without the values that are not drawn.

    Parameters
    ----------
    code : Code
        The code.
    part : Part
        What is drawn of the graph; all of it, where it is folded.
    card_of : mapping of int to int, optional
        By id of a value: the index of the card that it stands on, by default its own.

    Examples
    --------
    >>> import glassgrad as gg
    >>> from glassgrad.graphs.fold import nearest
    >>> x = gg.Value(2.0)
    >>> part = nearest(gg.graph(x * x * x), 10)
    >>> code_json(Code(["for i in 'ab': y = y * x"], runs={1: [[1], [2]]}), part)["marks"]
    [{'line': 1, 'nodes': [1, 2], 'runs': [[1], [2]]}]
    """
    index = card_of or {node: position for position, node in enumerate(part.nodes)}
    result = _block(code, _by_source(part) if code.runs is None else code.runs, index)
    if code.called:
        blocks = [(block, _block(block, block.runs or {}, index)) for block in code.called]
        result["called"] = [{"title": block.title, **json} for block, json in blocks]
    if code.h is not None:
        slopes = code.slopes or {}
        values = Counter(index.values())
        known = [(index[node], slope) for node, slope in slopes.items() if node in index]
        own = {card: slope for card, slope in known if values[card] == 1}
        slope = [own.get(card) for card in range(len(values))]
        result["measured"] = {"h": code.h, "slope": slope}
    return result


def _block(
    code: Code, runs: Mapping[int, Sequence[Sequence[int]]], index: Mapping[int, int]
) -> dict[str, Any]:
    return {
        "first": code.first,
        "lines": list(code.lines),
        "failed": code.failed,
        "marks": [_mark(line, runs[line], index) for line in sorted(runs)],
    }


def _mark(line: int, runs: Sequence[Sequence[int]], index: Mapping[int, int]) -> dict[str, Any]:
    drawn = [dict.fromkeys(index[node] for node in run if node in index) for run in runs]
    # runs that stand on the same cards are one
    kept = [list(run) for run in dict.fromkeys(tuple(run) for run in drawn if run)]
    mark: dict[str, Any] = {
        "line": line,
        "nodes": sorted({node for run in kept for node in run}),
    }
    return {**mark, "runs": kept} if len(kept) > 1 else mark


def _by_source(part: Part) -> dict[int, list[list[int]]]:
    runs: dict[int, list[list[int]]] = {}
    for node in part.nodes:
        source = part.graph.node_columns.source[node]
        if source is not None and source.line is not None:
            runs.setdefault(source.line, [[]])[0].append(node)
    return runs
