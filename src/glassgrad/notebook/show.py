"""What draws a Value: ``gg.show``, and the options that it and its like take."""

from __future__ import annotations

from typing import Any

from glassgrad.notebook.widget import GraphWidget


def show(obj: object, **options: Any) -> GraphWidget:
    """Draw the computation behind a Value.

    Parameters
    ----------
    obj : object
        A Value: ours, or of a class somebody wrote.
    **options
        ``height`` (pixels, 0 = automatic), ``mode`` (``""``, ``"by hand"``, ``"order"``,
        ``"paths"``, ``"nudge"``, ``"predict"`` or ``"blame"``), ``precision`` (significant
        digits, 1 to 17), ``rankdir`` (``"LR"`` or ``"TB"``), ``theme`` (``"auto"``, ``"light"``
        or ``"dark"``), ``fold`` (True, False, or None for graphs of more than 300 values),
        ``opened`` (names of groups).

    Returns
    -------
    GraphWidget
        A widget: display it, lay it out, observe it, link it.

    Raises
    ------
    TypeError
        If `obj` has no graph, or an option is unknown.

    Examples
    --------
    >>> import glassgrad as gg
    >>> gg.show(None)  # doctest: +ELLIPSIS
    Traceback (most recent call last):
    ...
    TypeError: None has no graph: ...
    >>> gg.show(gg.Value(3.0), colour="red")  # doctest: +ELLIPSIS
    Traceback (most recent call last):
    ...
    TypeError: show() has no option colour. It knows fold, height, mode, opened, ...
    """
    return GraphWidget(obj, **checked(options))


OPTIONS = frozenset({"fold", "height", "mode", "opened", "precision", "rankdir", "theme"})
"""The options of `show`."""


def checked(options: dict[str, Any]) -> dict[str, Any]:
    """Return the options of `show`, or say which one it does not know.

    Raises
    ------
    TypeError
        With one sentence.
    """
    unknown = [name for name in options if name not in OPTIONS]
    if unknown:
        raise TypeError(
            f"show() has no option {unknown[0]}. It knows {', '.join(sorted(OPTIONS))}."
        )
    return options
