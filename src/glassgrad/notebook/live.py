"""Pictures that follow a loop: each backward pass that it runs is shown, as far as eyes can follow.

In flow widgets; while the block lasts, the method that runs the backward pass of their class tells
when it has ended. Afterwards the class is as it was.
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from typing import Any

from glassgrad.graphs.drive import driver_of
from glassgrad.notebook.values import sentence
from glassgrad.notebook.widget import GONE, GraphWidget

NO_WIDGET = "live() needs the picture that is to follow the loop: widget = gg.show(loss)."


@contextmanager
def live(*widgets: GraphWidget) -> Iterator[None]:
    """Let pictures follow the loop inside this block.

    Whenever ``backward()`` has run, the value it was called on takes the place of the one that is
    shown: a loop makes a new loss in each step. The picture stays where it is, its numbers change,
    at most thirty times a second, and the course of the loss is drawn above it. When the block
    ends, the picture shows what the values hold then.

    Parameters
    ----------
    *widgets : GraphWidget
        What `gg.show` returned.

    Raises
    ------
    TypeError
        If something else is given.

    Examples
    --------
    >>> import glassgrad as gg
    >>> x = gg.Value(0.0)
    >>> widget = gg.show((x - 1) ** 2)
    >>> with gg.live(widget):
    ...     for step in range(3):
    ...         loss = (x - 1) ** 2
    ...         x.grad = 0.0
    ...         loss.backward()
    ...         x.data -= 0.25 * x.grad
    >>> widget.history
    [1.0, 0.25, 0.0625]
    >>> widget.close()
    """
    for widget in widgets or (None,):
        if not isinstance(widget, GraphWidget):
            raise TypeError(NO_WIDGET)
    with ExitStack() as stack:
        for widget in widgets:
            stack.enter_context(_following(widget))
        yield


@contextmanager
def _following(widget: GraphWidget) -> Iterator[None]:
    root = widget.root
    if root is None:
        widget.error = GONE
        yield
        return
    latest: list[object] = []

    def tell(driven: object) -> None:
        latest[:] = [driven]
        with _said_by(widget):
            widget.follow(driven)

    try:
        with _hearing(root, tell):
            yield
    finally:
        with _said_by(widget):
            widget.settle(*latest)


@contextmanager
def _said_by(widget: GraphWidget) -> Iterator[None]:
    """Keep what goes wrong while drawing out of the user's loop."""
    try:
        yield
    except Exception as error:
        widget.error = sentence("Drawing this step", error)


@contextmanager
def _hearing(root: object, tell: Callable[[object], None]) -> Iterator[None]:
    """Hear the end of each backward pass over values of a class; one within another is part of it.

    A class without such a method is shown when the block ends, and by ``widget.refresh()``.
    """
    found = driver_of(root)
    if found is None:
        yield
        return
    name, _ = found
    owner: Any = next(kind for kind in type(root).__mro__ if name in vars(kind))
    original = vars(owner)[name]
    depth = 0

    @functools.wraps(original)
    def heard(self: object, *args: Any, **options: Any) -> object:
        nonlocal depth
        depth += 1
        try:
            result = original(self, *args, **options)
        finally:
            depth -= 1
        if depth == 0:
            tell(self)
        return result

    setattr(owner, name, heard)
    try:
        yield
    finally:
        setattr(owner, name, original)
