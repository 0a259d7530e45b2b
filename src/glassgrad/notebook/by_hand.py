"""Gradients moved by hand, one rule at a time, on the user's own objects.

In flow moves: run one value's own rule, set one gradient, run the whole backward pass, set all to
zero.  Out flow gradients that changed, and a record of what each move did, as plain JSON, which the
page explains.  Before a move every gradient of the graph is kept, so that moves can be taken back.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, TypeAlias

from glassgrad.engine.value import Value
from glassgrad.graphs.adapters import Record
from glassgrad.graphs.collect import Collected, collect
from glassgrad.graphs.scalar import scalar
from glassgrad.notebook import values
from glassgrad.notebook.wire import encoded

Move: TypeAlias = "dict[str, Any]"
_Held: TypeAlias = "list[tuple[object, str, object]]"

NO_RULE = "{name} has no rule of its own that can be run alone."
NO_GRADIENT = "{name} has no gradient that could be set."
ABSENT = "There is no value number {node} in this graph."


class ByHand:
    """The moves made so far, and the way back.

    Examples
    --------
    >>> a = Value(3.0)
    >>> b = a * a
    >>> hand = ByHand()
    >>> hand.set_grad(b, 1, "b", 1.0), hand.run_rule(b, 1, "b"), a.grad
    ('', '', 6.0)
    >>> hand.moves[1]
    {'do': 'run', 'node': 1, 'grad': 1.0, 'sent': [{'node': 0, 'before': 0.0, 'after': 6.0}]}
    >>> hand.undo(), a.grad, b.grad
    ('', 0.0, 1.0)
    >>> hand.restore(), b.grad, hand.moves
    ('', 0.0, [])
    """

    def __init__(self) -> None:
        self.moves: list[Move] = []
        self._before: list[_Held] = []

    def run_rule(self, root: object, node: int, name: str) -> str:
        """Run the own rule of one value, whatever its gradient is; return a sentence or ``""``.

        Parameters
        ----------
        root : object
            The root of the graph.
        node : int
            The id of the value.
        name : str
            What a sentence calls it.
        """
        found = collect(root)
        if not 0 <= node < len(found.objects):
            return ABSENT.format(node=node)
        rule = _rule(found, node)
        if rule is None:
            return NO_RULE.format(name=name)
        operands = [id for id in dict.fromkeys(found.operands[node]) if id is not None]
        receivers = [id for id in operands if _has_gradient(found, id)]
        move: Move = {"do": "run", "node": node, "grad": _gradient(found, node)}
        before = [_gradient(found, id) for id in receivers]
        sentence = self._make(found, move, rule, f"The rule of {name}")
        if not sentence:
            move["sent"] = [
                {"node": id, "before": held, "after": _gradient(found, id)}
                for id, held in zip(receivers, before, strict=True)
            ]
        return sentence

    def set_grad(self, root: object, node: int, name: str, grad: float) -> str:
        """Set the gradient of one value; return a sentence or ``""``."""
        found = collect(root)
        if not 0 <= node < len(found.objects):
            return ABSENT.format(node=node)
        if not _has_gradient(found, node):
            return NO_GRADIENT.format(name=name)
        place = _place(found.records[node])
        move: Move = {"do": "set", "node": node, "grad": grad}
        what = f"Setting the gradient of {name}"
        return self._make(found, move, lambda: setattr(found.objects[node], place, grad), what)

    def whole(self, root: object, do: str, act: Callable[[object], str]) -> str:
        """Do something to all gradients at once, ``"backward"`` or ``"zero_grad"``.

        A backward pass of the user's own that raises half way is no move; what it did stays, as it
        would outside the picture.
        """
        held = _held(collect(root))
        sentence = act(root)
        if not sentence:
            self._before.append(held)
            self.moves = [*self.moves, {"do": do}]
        return sentence

    def undo(self) -> str:
        """Take the last move back."""
        if self._before:
            _put_back(self._before.pop())
            self.moves = self.moves[:-1]
        return ""

    def restore(self) -> str:
        """Take all moves back."""
        while self._before:
            self.undo()
        return ""

    def forget(self) -> None:
        """Begin anew with the gradients as they are."""
        self.moves, self._before = [], []

    def _make(self, found: Collected, move: Move, act: Callable[[], object], what: str) -> str:
        """Make one move; one that raises changes nothing."""
        held = _held(found)
        try:
            act()
        except Exception as error:
            _put_back(held)
            return values.sentence(what, error)
        self._before.append(held)
        self.moves = [*self.moves, move]
        return ""


def _rule(found: Collected, node: int) -> Callable[[], object] | None:
    """Return the rule of a value: its own, else one of the slopes that its class keeps."""
    value, record = found.objects[node], found.records[node]
    if not record.operands:
        return None
    if isinstance(value, Value):
        return value._backward
    if record.rule is not None or record.slopes is None:
        return record.rule
    slopes, place = record.slopes, _place(record)

    def rule() -> None:
        for operand, slope in zip(record.operands, slopes, strict=True):
            if slope is not None and hasattr(operand, place):
                setattr(operand, place, getattr(operand, place) + slope * getattr(value, place))

    return rule


def _place(record: Record) -> str:
    """Return the attribute that holds the gradient."""
    return record.names.grad


def _has_gradient(found: Collected, node: int) -> bool:
    return node not in found.constants and hasattr(found.objects[node], _place(found.records[node]))


def _gradient(found: Collected, node: int) -> float | str | None:
    """Return a gradient as it travels: JSON knows no infinity."""
    return encoded(scalar(getattr(found.objects[node], _place(found.records[node]), None))[0])


def _held(found: Collected) -> _Held:
    """Return every gradient of a graph with its place."""
    return [
        (value, place, getattr(value, place))
        for value, place in _places(found)
        if hasattr(value, place)
    ]


def _places(found: Collected) -> Sequence[tuple[object, str]]:
    return [
        (value, _place(record))
        for node, (value, record) in enumerate(zip(found.objects, found.records, strict=True))
        if node not in found.constants
    ]


def _put_back(held: _Held) -> None:
    for value, place, gradient in held:
        setattr(value, place, gradient)
