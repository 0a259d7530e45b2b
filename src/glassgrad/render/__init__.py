"""Pictures and texts of a graph: one file per format, and the table of them.

In flows a `Graph`; out flows whatever the format is made of.  To add a format, add a row.
"""

from __future__ import annotations

from collections.abc import Mapping
from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from glassgrad.graphs.model import Graph

FORMATS: Mapping[str, tuple[str, str]] = {
    "text": ("glassgrad.render.text", "to_text"),
    "dot": ("glassgrad.render.dot", "to_dot"),
    "svg": ("glassgrad.render.svg", "to_svg"),
    "latex": ("glassgrad.render.latex", "to_latex"),
    "mermaid": ("glassgrad.render.mermaid", "to_mermaid"),
    "png": ("glassgrad.render.image", "to_png"),
    "pdf": ("glassgrad.render.image", "to_pdf"),
    "json": ("glassgrad.notebook.wire", "to_json"),
    "html": ("glassgrad.notebook.page", "to_html"),
}
"""The module and the function that render each format; loaded when it is first asked for."""


def render(graph: Graph, format: str, **options: Any) -> Any:
    """Render a graph.

    Parameters
    ----------
    graph : Graph
        The graph.
    format : str
        A key of `FORMATS`.
    **options
        What the format's own function takes.

    Raises
    ------
    ValueError
        When there is no such format.

    Examples
    --------
    >>> import glassgrad as gg
    >>> print(render(gg.graph(gg.Value(2.0, label="a")), "text"))
    a    data 2    grad not run
    """
    if format not in FORMATS:
        raise ValueError(f"There is no format {format!r}; there are {', '.join(FORMATS)}.")
    module, function = FORMATS[format]
    return getattr(import_module(module), function)(graph, **options)
