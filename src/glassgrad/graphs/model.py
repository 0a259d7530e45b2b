"""The graph of a computation, as plain frozen data.

In flow columns, filled by `glassgrad.graphs.read`; out flow `Node` and `Edge`, made when somebody
asks for one.  A graph holds no reference to the user's objects: it can be kept, compared, pickled
and drawn long after they are gone.  Columns rather than objects, so that a million nodes fit.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Iterable
from dataclasses import dataclass, fields
from functools import partial
from importlib import import_module
from math import isnan
from operator import attrgetter
from os import PathLike
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, TypeAlias, TypeVar, cast

from glassgrad.graphs.findings import Finding
from glassgrad.graphs.lazy import Lazy, underived
from glassgrad.graphs.rows import Rows

if TYPE_CHECKING:
    import graphviz

Kind: TypeAlias = Literal["leaf", "parameter", "constant", "result", "group"]


@dataclass(frozen=True, slots=True)
class Source:
    """Where in the user's code a value was computed.

    Parameters
    ----------
    line : int or None
        The line of the cell, from 1.
    text : str or None
        The source text of the expression.
    """

    line: int | None
    text: str | None


@dataclass(frozen=True, slots=True)
class Node:
    """One value of a graph.

    Parameters
    ----------
    id : int
        Its position in the topological order: every operand has a smaller id.
    op : str
        The operation as the user's class spells it; ``""`` for a leaf.
    symbol : str
        The operation as a picture shows it: ``"×"`` for ``"*"``.
    label : str
        What to call it: its own label, its variable, its source text or a short expression.
    data : float
        Its number; nan where the object holds something else, and `notes` say what.
    grad : float or None
        Its gradient as it was found; None where there is none.
    kind : {"leaf", "parameter", "constant", "result", "group"}
        A result has operands; a constant is a plain number in an expression; a group stands for
        many values, in the folded picture of a large graph only.
    primitive : str or None
        The row of the engine's table that this operation is: taken from the engine, or recognised
        because both the number and the slopes agree with the row.
    source : Source or None
        Where it was computed, if somebody recorded that.
    notes : tuple of str
        One sentence for each thing about it that is unusual.
    scope : str
        Where in a network it belongs, such as ``layer 1.neuron 3``; ``""`` for nowhere.
    """

    id: int
    op: str
    symbol: str
    label: str
    data: float
    grad: float | None
    kind: Kind
    primitive: str | None
    source: Source | None
    notes: tuple[str, ...]
    scope: str = ""


@dataclass(frozen=True, slots=True)
class Edge:
    """One use of a value as an operand.

    Parameters
    ----------
    source : int
        The id of the operand.
    target : int
        The id of the result.
    operand : int or None
        The position among the operands, from 0; None where the user's class does not tell.
    count : int
        How many uses this edge stands for.  It is 1 unless the user's own rule handles several
        uses at once in a way that only their sum can be measured.
    slope : float or None
        d(result)/d(operand) through this edge, over all `count` uses; None where unknown.
    flow : float or None
        What backward sends along it, slope × gradient of the result; None until it has run.
    notes : tuple of str
        One sentence for each thing that the result's rule does wrong on the way to the operand.
    """

    source: int
    target: int
    operand: int | None
    count: int
    slope: float | None
    flow: float | None
    notes: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class NodeColumns:
    """The nodes of a graph, one tuple per attribute of `Node`, in the order of their ids."""

    op: tuple[str, ...]
    symbol: tuple[str, ...]
    label: tuple[str, ...]
    data: tuple[float, ...]
    grad: tuple[float | None, ...]
    kind: tuple[Kind, ...]
    primitive: tuple[str | None, ...]
    source: tuple[Source | None, ...]
    scope: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class EdgeColumns:
    """The edges of a graph, one tuple per attribute of `Edge`, by target and then by operand."""

    source: tuple[int, ...]
    target: tuple[int, ...]
    operand: tuple[int | None, ...]
    count: tuple[int, ...]
    slope: tuple[float | None, ...]


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Graph(Lazy):
    """Every value that a result was computed from, and how.

    Made by ``gg.graph(value)``.  ``print(graph)`` shows it as a tree.

    The graph is that of the moment in which it was read, whatever becomes of the values.  Of a
    large one only the facts are written down at once: numbers, words, who is whose operand, and
    the code of the rules.  Order, edges, slopes, names and findings follow from these, and are
    derived when somebody first looks at anything but ``len(graph)``.

    Parameters
    ----------
    node_columns : NodeColumns
        The nodes in topological order, operands before results; the root is last.
    edge_columns : EdgeColumns
        The edges.
    messages : tuple of str, optional
        Sentences about the graph as a whole.
    findings : tuple of Finding, optional
        What is unusual about its values, by node: the facts behind the notes.
    start : float, optional
        What gradients of this class hold before any backward.

    Examples
    --------
    >>> import glassgrad as gg
    >>> a, b = gg.Value(2.0), gg.Value(-3.0)
    >>> c = a * b + a
    >>> graph = gg.graph(c)
    >>> [node.label for node in graph.nodes]
    ['a', 'b', 'a * b', 'c']
    >>> [(edge.source, edge.target, edge.slope) for edge in graph.edges]
    [(0, 2, -3.0), (1, 2, 2.0), (2, 3, 1.0), (0, 3, 1.0)]
    >>> graph == gg.graph(c), len(graph)
    (True, 4)
    """

    node_columns: NodeColumns
    edge_columns: EdgeColumns
    messages: tuple[str, ...] = ()
    findings: tuple[Finding, ...] = ()
    start: float = 0.0

    @property
    def nodes(self) -> Rows[Node]:
        """The nodes; a node's id is its index."""
        return Rows(self._node, range(len(self)))

    @property
    def edges(self) -> Rows[Edge]:
        """The edges, ordered by target and then by operand."""
        return Rows(partial(self._edge, self.ran), range(len(self.edge_columns.source)))

    @property
    def root(self) -> Node:
        """The value that the graph was read from."""
        return self._node(len(self) - 1)

    @property
    def ran(self) -> bool:
        """Whether backward has run: gradients are no longer what they were at first."""
        if self.start:  # then the root's gradient is 1 before and after
            return any(grad not in (None, self.start) for grad in self.node_columns.grad)
        grad = self.node_columns.grad[-1]
        return grad is not None and grad != 0

    @property
    def operations(self) -> int:
        """The number of values that were computed from others."""
        return self.node_columns.kind.count("result")

    def operand_edges(self, node: int) -> range:
        """Return the indices of the edges that lead to `node`, in operand order."""
        targets = self.edge_columns.target
        start = bisect_left(targets, node)
        return range(start, bisect_right(targets, node, lo=start))

    def notes(self, node: int) -> tuple[str, ...]:
        """Return one sentence for each thing that is unusual about a value."""
        return self._told(self._found(node))

    def wrong_edges(self) -> dict[int, str]:
        """Return the edges along which a rule does wrong, with a few words on what it does.

        Examples
        --------
        >>> import glassgrad as gg
        >>> a = gg.Value(2.0)
        >>> gg.graph(a * a).wrong_edges()
        {}
        """
        found: dict[int, str] = {}
        for finding in self.findings:
            if finding.operands and finding.mark:
                for edge in self.operand_edges(finding.node):
                    if self.edge_columns.source[edge] in finding.operands:
                        found.setdefault(edge, finding.mark)
        return found

    def edge_notes(self, edge: int) -> tuple[str, ...]:
        """Return one sentence for each thing that a rule does wrong along an edge."""
        if not self.findings:
            return ()
        source = self.edge_columns.source[edge]
        found = self._found(self.edge_columns.target[edge])
        return self._told(finding for finding in found if source in finding.operands)

    def _found(self, node: int) -> tuple[Finding, ...]:
        start = bisect_left(self.findings, node, key=_of_node)
        return self.findings[start : bisect_right(self.findings, node, lo=start, key=_of_node)]

    def _told(self, findings: Iterable[Finding]) -> tuple[str, ...]:
        name_of = self.node_columns.label.__getitem__
        sentences = (finding.sentence(name_of) for finding in findings)
        return tuple(dict.fromkeys(filter(None, sentences)))

    def __len__(self) -> int:
        facts = underived(self)
        return len(self.node_columns.op) if facts is None else len(facts)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Graph):
            return NotImplemented
        return (
            self.messages == other.messages
            and self.findings == other.findings
            and self.start == other.start
            and _equal(self.edge_columns, other.edge_columns)
            and _equal(self.node_columns, other.node_columns)
        )

    def __hash__(self) -> int:
        return hash((self.node_columns.op, self.edge_columns.source, self.edge_columns.target))

    def __repr__(self) -> str:
        values = "1 value" if len(self) == 1 else f"{len(self):,} values"
        return f"<Graph of {self.root.label}: {values}>"

    def __str__(self) -> str:
        return self.to_text()

    def to_text(self) -> str:
        """Return the graph as a tree of lines, with values and gradients.

        Examples
        --------
        >>> import glassgrad as gg
        >>> a = gg.Value(3.0)
        >>> b = a * a
        >>> print(gg.graph(b).to_text())
        b = a * a    data 9    grad not run
        ├─ * ─ a     data 3    grad not run    (two uses)
        └─ * ─ a     (shown above)
        """
        return cast(str, self._rendered("text"))

    def to_dot(self) -> graphviz.Digraph:
        """Return the graph as a `graphviz.Digraph`; its ``source`` is the DOT text."""
        return self._rendered("dot")

    def to_svg(self) -> str:
        """Return a picture: the text of an SVG file.

        Raises
        ------
        RuntimeError
            When neither Graphviz nor the ``static`` extra is installed.
        """
        return cast(str, self._rendered("svg"))

    def to_latex(self) -> str:
        """Return equations in LaTeX, one per value: an ``align*`` of the package amsmath."""
        return cast(str, self._rendered("latex"))

    def to_mermaid(self) -> str:
        """Return a flowchart in the language of Mermaid."""
        return cast(str, self._rendered("mermaid"))

    def to_json(self) -> str:
        """Return everything as JSON: what the widget is sent (see `glassgrad.notebook.wire`)."""
        return cast(str, self._rendered("json"))

    def save(self, path: str | PathLike[str]) -> Path:
        """Write the graph into a file: a picture, a text, or a page with the live picture.

        Parameters
        ----------
        path : str or path
            The file; its ending says what is written: ``.svg``, ``.png``, ``.pdf``, ``.html``,
            ``.dot``, ``.mmd``, ``.tex``, ``.json`` or ``.txt``.

        Returns
        -------
        Path
            The file, whole; one that was there before is replaced.

        Raises
        ------
        ValueError
            When the ending stands for no format.
        OSError
            When the file cannot be written there.
        RuntimeError
            When the format needs a program that is not installed; ``.html`` needs none.

        Examples
        --------
        >>> import glassgrad as gg
        >>> from tempfile import TemporaryDirectory
        >>> with TemporaryDirectory() as folder:
        ...     gg.graph(gg.Value(2.0)).save(f"{folder}/graph.html").name
        'graph.html'
        """
        return cast(Path, import_module("glassgrad.render.files").save(self, path))

    def _rendered(self, format: str) -> Any:
        # The renderers are built upon this room, so it knows them by name only.
        return import_module("glassgrad.render").render(self, format)

    def _node(self, id: int) -> Node:
        columns = self.node_columns
        return Node(
            id,
            columns.op[id],
            columns.symbol[id],
            columns.label[id],
            columns.data[id],
            columns.grad[id],
            columns.kind[id],
            columns.primitive[id],
            columns.source[id],
            self.notes(id),
            columns.scope[id],
        )

    def _edge(self, ran: bool, index: int) -> Edge:
        columns = self.edge_columns
        slope, target = columns.slope[index], columns.target[index]
        grad = self.node_columns.grad[target] if ran else None
        return Edge(
            columns.source[index],
            target,
            columns.operand[index],
            columns.count[index],
            slope,
            None if slope is None or grad is None else slope * grad,
            self.edge_notes(index),
        )


_of_node = attrgetter("node")
_Columns = TypeVar("_Columns", NodeColumns, EdgeColumns)


def _equal(first: _Columns, second: _Columns) -> bool:
    """Compare column by column; nan equals nan, because both say the same."""
    return all(
        _same(getattr(first, field.name), getattr(second, field.name)) for field in fields(first)
    )


def _same(first: tuple[object, ...], second: tuple[object, ...]) -> bool:
    return first == second or (
        len(first) == len(second)
        and all(x == y or (_is_nan(x) and _is_nan(y)) for x, y in zip(first, second, strict=True))
    )


def _is_nan(item: object) -> bool:
    return isinstance(item, float) and isnan(item)
