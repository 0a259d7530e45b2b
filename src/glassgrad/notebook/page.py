"""The live picture as one file: a page that needs no kernel, no server and no network.

In flow the traits of a widget; out flows HTML.  The page holds the front end that a notebook is
given, those traits, and a model in memory in place of the host's (``page.html``).  Its policy lets
nothing run but these two scripts and nothing be loaded, and everything of the user's is in it as
escaped text or as JSON, so that nothing of it can become markup.
"""

from __future__ import annotations

import json
from base64 import b64encode
from collections.abc import Mapping
from hashlib import sha256
from html import escape
from pathlib import Path
from string import Template
from typing import TYPE_CHECKING, Any

from glassgrad.graphs.folding import folding_of, picture
from glassgrad.graphs.model import Graph
from glassgrad.notebook import wire
from glassgrad.notebook.changes import COLUMNS, travelling
from glassgrad.notebook.front_end import front_end
from glassgrad.notebook.still import still_pictures
from glassgrad.render.text import heading

if TYPE_CHECKING:
    from glassgrad.notebook.widget import GraphWidget

TEMPLATE = Path(__file__).with_name("page.html")

LARGEST = 1_000_000
"""So many characters of a still picture are taken along; beyond that the text has to do."""

_IMAGE = '<img src="data:image/svg+xml;base64,{}" alt="The graph; the text below says the same.">'


def to_html(graph: Graph, **traits: Any) -> str:
    """Return a page with the live picture of a graph.

    Parameters
    ----------
    graph : Graph
        The graph.
    **traits
        Traits of a `GraphWidget`, where they are not as they begin.

    Examples
    --------
    >>> import glassgrad as gg
    >>> page = to_html(gg.graph(gg.Value(2.0, label="</script>")), theme="dark")
    >>> page.count("</script>"), "<title>&lt;/script&gt;</title>" in page
    (3, True)
    """
    begin = {name: trait.default() for name, trait in _own().items()}
    folding = folding_of(graph)
    parts = wire.encode(graph, folding=folding)
    sent = travelling(parts["numbers"], dict.fromkeys(COLUMNS, ()))
    shown = {**begin, "graph": parts["graph"], **sent, **traits}
    drawn = picture(folding, graph) if folding else None
    return page(heading(graph), shown, still_pictures(graph, shown["rankdir"], drawn))


def page_of(widget: GraphWidget, graph: Graph) -> str:
    """Return a page with a widget as it is now, and with what it has read.

    Examples
    --------
    >>> import glassgrad as gg
    >>> widget = gg.show(gg.Value(2.0, label="a"))
    >>> "<title>a</title>" in page_of(widget, gg.graph(widget.root))
    True
    >>> widget.close()
    """
    return page(heading(graph), {name: getattr(widget, name) for name in _own()}, widget.still())


def _own() -> Mapping[str, Any]:
    """Return the traits of ours that travel to a page; what every widget has stays behind."""
    from glassgrad.notebook.widget import GraphWidget

    return dict(GraphWidget.class_own_traits(sync=True))


def page(title: str, traits: Mapping[str, Any], still: Mapping[str, str]) -> str:
    """Return the page.

    Parameters
    ----------
    title : str
        What stands above the picture.
    traits : mapping of str to object
        What the model of the page begins with.
    still : mapping of str to str
        The pictures for a browser that runs no scripts, by MIME type.
    """
    script, picture = _script(), still.get("image/svg+xml", "")
    return Template(TEMPLATE.read_text(encoding="utf-8")).substitute(
        theme=escape(traits["theme"]),
        title=escape(title),
        style=_front_end("theme.css"),
        policy=_base64(sha256(script.encode()).digest()),
        script=script,
        module=_data(_front_end("index.js")),
        traits=_data(dict(traits)),
        picture=_IMAGE.format(_base64(picture.encode())) if 0 < len(picture) < LARGEST else "",
        text=escape(still["text/plain"]),
    )


def _base64(content: bytes) -> str:
    return b64encode(content).decode()


def _script() -> str:
    return TEMPLATE.with_name("page.js").read_text(encoding="utf-8")


def _front_end(name: str) -> str:
    found = front_end(name)
    return found if isinstance(found, str) else found.read_text(encoding="utf-8")


def _data(value: object) -> str:
    """Return JSON that no text in it can end, whatever element it stands in."""
    text = json.dumps(value, allow_nan=False)
    return text.replace("<", "\\u003c").replace(">", "\\u003e").replace("&", "\\u0026")
