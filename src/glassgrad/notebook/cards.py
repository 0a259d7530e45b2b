"""Whether a picture is folded: wishes in, its cards out, or none where values stand alone."""

from __future__ import annotations

from collections.abc import Sequence

from glassgrad.engine.memory import pause_gc
from glassgrad.graphs.folding import Folding, folding_of
from glassgrad.graphs.model import Graph
from glassgrad.notebook import wire
from glassgrad.notebook.code import Code

FOLDING = ("fold", "opened", "mode")
"""The traits that decide on the cards of a picture."""


def cards_of(
    graph: Graph,
    code: Code | None,
    fold: bool | None = None,
    opened: Sequence[str] = (),
    mode: str = "",
) -> Folding | None:
    """Return the cards of a folded picture, if it is to be one; `fold` has the last word.

    A mode looks at single values, and so does code, whose loops show their runs one by one.
    """
    if fold is None and (mode or (code is not None and len(graph) <= wire.LIMIT)):
        fold = False
    with pause_gc():
        return folding_of(graph, fold, opened)
