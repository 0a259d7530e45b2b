"""What the page may ask of the kernel, and nothing else.

In flow messages from a browser, which may be of another version or broken; out flow changes of the
user's gradients, and one sentence where there is something to say.  ``js/commands.ts`` is the other
side; ``tests/data/protocol.json`` holds the two to one list.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import cache, partial
from typing import Any

from glassgrad.graphs.collect import collect
from glassgrad.graphs.model import Graph
from glassgrad.notebook import trial, values, wire
from glassgrad.notebook.by_hand import ByHand

MODES = ("", "by hand", "order", "paths", "nudge", "predict", "blame")
"""The modes of the picture; ``""`` is plain looking.  ``js/modes/table.ts`` has them too."""

RELOAD = "Reload the page, so that it and the kernel use the same glassgrad."


@dataclass(frozen=True, slots=True)
class Desk:
    """What a command may work on."""

    root: object
    graph: Graph
    """What was read from the root last."""

    hand: ByHand
    traits: dict[str, Any] = field(default_factory=dict)
    """Traits that a command sets, by name."""

    def name(self, node: int) -> str:
        """Return what a value is called."""
        known = 0 <= node < len(self.graph)
        return self.graph.node_columns.label[node] if known else f"value number {node}"


@dataclass(frozen=True, slots=True)
class Command:
    """One command: what it does, and the fields that its message must have."""

    run: Callable[..., str]
    fields: Mapping[str, tuple[type, ...]] = field(default_factory=dict)
    reads: bool = True
    """Whether it may have changed the user's values, so that they are read again."""


_NODE = {"node": (int,)}
_DATA = {"data": (dict,)}


def _what_if(desk: Desk, data: Mapping[Any, Any]) -> str:
    numbers = trial.leaves(desk.graph, data)
    graph = numbers if isinstance(numbers, str) else trial.what_if(desk.graph, numbers, desk.root)
    said = graph if isinstance(graph, str) else ""
    answer = {} if isinstance(graph, str) else wire.numbers(graph)
    desk.traits["nudged"] = {"data": dict(data), "error": said, "numbers": answer}
    return ""


def _set_data(desk: Desk, data: Mapping[Any, Any]) -> str:
    desk.traits["nudged"] = {}
    numbers = trial.leaves(desk.graph, data)
    return numbers if isinstance(numbers, str) else trial.write(desk.root, desk.graph, numbers)


def _open(desk: Desk, names: list[object]) -> str:
    desk.traits["opened"] = [str(name) for name in names]
    return ""


def _backward(desk: Desk) -> str:
    @cache  # our own Values are driven without a look at their names
    def names() -> dict[int, str]:
        labels, objects = desk.graph.node_columns.label, collect(desk.root).objects
        return {id(item): label for item, label in zip(objects, labels, strict=False)}

    drive = partial(values.drive, name_of=lambda value: names().get(id(value), ""))
    return desk.hand.whole(desk.root, "backward", drive)


def _fold(desk: Desk, fold: bool) -> str:
    by_itself = fold and len(desk.graph) > wire.LIMIT  # also where it stands beside its code
    desk.traits["fold"] = None if by_itself else fold
    return ""


COMMANDS: dict[str, Command] = {
    "backward": Command(_backward),
    "zero_grad": Command(lambda desk: desk.hand.whole(desk.root, "zero_grad", values.clear)),
    "run_rule": Command(
        lambda desk, node: desk.hand.run_rule(desk.root, node, desk.name(node)), _NODE
    ),
    "set_grad": Command(
        lambda desk, node, grad: desk.hand.set_grad(desk.root, node, desk.name(node), float(grad)),
        {**_NODE, "grad": (int, float)},
    ),
    "what_if": Command(_what_if, _DATA, reads=False),
    "set_data": Command(_set_data, _DATA),
    "fold": Command(lambda desk: _fold(desk, True), reads=False),
    "unfold": Command(lambda desk: _fold(desk, False), reads=False),
    "open": Command(_open, {"names": (list,)}, reads=False),
    "undo": Command(lambda desk: desk.hand.undo()),
    "restore": Command(lambda desk: desk.hand.restore()),
}
"""Every command by its name; each returns ``""`` or one sentence."""


def understood(message: object) -> tuple[Command, dict[str, Any]] | str:
    """Return the command of a message and its fields, or a sentence that says what is wrong.

    Examples
    --------
    >>> understood({"command": "run_rule", "node": 3})[1]
    {'node': 3}
    >>> understood({"command": "run_rule", "node": "3"})
    "The page asked for run_rule with node '3'. Reload the page, so that it and the kernel use the \
same glassgrad."
    """
    name = message.get("command") if isinstance(message, dict) else None
    command = COMMANDS.get(name) if isinstance(name, str) else None
    if command is None or not isinstance(message, dict):
        return f"The page asked for {_short(name)}, which this kernel does not know. {RELOAD}"
    given = {key: message.get(key) for key in command.fields}
    for key, kinds in command.fields.items():
        if not isinstance(given[key], kinds) or isinstance(given[key], bool):
            return f"The page asked for {name} with {key} {_short(given[key])}. {RELOAD}"
    return command, given


def _short(item: object) -> str:
    text = repr(item)
    return text if len(text) <= 40 else text[:39] + "…"
