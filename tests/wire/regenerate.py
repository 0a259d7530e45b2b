"""The golden files of the wire, written anew: ``python tests/wire/regenerate.py``.

pytest holds them against what Python encodes today, vitest against what the front end reads.  A
difference is a change of format: look at it before this is run.  ``tests/data/copies.json`` has the
LaTeX and the Mermaid of the same graphs, which both sides write.
"""

import json
import sys
from pathlib import Path

import glassgrad as gg
from glassgrad.engine.ops import PRIMITIVES
from glassgrad.graphs.folding import Folding
from glassgrad.graphs.model import Source
from glassgrad.graphs.names import lookup
from glassgrad.graphs.read import read
from glassgrad.notebook.wire import LIMIT, Code, encode
from glassgrad.render import render

HERE = Path(__file__).parent
COPIES = HERE.parent / "data" / "copies.json"
sys.path.append(str(HERE.parent / "data"))  # when this is run by hand; pytest knows it already

from learner import value_class  # noqa: E402

LINES = ["a, b = Value(2.0), Value(-3.0)", "c = a * b + a"]


def drawn(graph, **options):
    """A graph and how it is encoded."""
    return graph, options


def exercise(*, run=True):
    """The exercise, as the magic shows it: with names, source lines and the code beside it."""
    a, b = gg.Value(2.0), gg.Value(-3.0)
    product = a * b
    c = product + a
    if run:
        c.backward()
    places = {
        id(a): Source(1, "a"),
        id(b): Source(1, "b"),
        id(product): Source(2, "a * b"),
        id(c): Source(2, "c = a * b + a"),
    }
    reading = read(c, lookup({"a": a, "b": b, "c": c}), lambda value: places.get(id(value)))
    return drawn(reading.graph, code=Code(LINES))


def exercise_not_run():
    """The same before backward."""
    return exercise(run=False)


def loop():
    """A line that ran three times, and inputs whose slopes were measured as well."""
    x, w = gg.Value(2.0), gg.Value(0.5)
    y, made = x, []
    for _ in range(3):
        y = y * w
        made.append(y)
    y.backward()
    lines = {id(x): 1, id(w): 1, **{id(value): 3 for value in made}}

    def source_of(value):
        return Source(lines[id(value)], None) if id(value) in lines else None

    graph = read(y, lookup({"x": x, "w": w, "y": y}), source_of).graph
    text = ["x, w = y, _ = Value(2.0), Value(0.5)", "for _ in range(3):", "    y = y * w"]
    runs = {1: [[0, 1]], 3: [[2], [3], [4]]}
    return drawn(graph, code=Code(text, runs=runs, h=0.001, slopes={0: 0.125, 1: 1.5015}))


def called():
    """A function of another cell: its line ran twice, and stands below those of the cell."""
    x = gg.Value(0.5)
    h = x.tanh()
    y = h.tanh()
    y.backward()
    lines = {id(x): 2, id(h): 3, id(y): 3}
    graph = read(y, lookup({"x": x, "y": y}), lambda value: Source(lines[id(value)], None)).graph
    layer = Code(
        ["def layer(x):", "    return x.tanh()"],
        first=5,
        runs={6: [[1], [2]]},
        title="layer, cell 1",
    )
    text = ["x = Value(0.5)", "y = layer(layer(x))"]
    return drawn(graph, code=Code(text, 2, runs={2: [[0]], 3: [[1, 2]]}, called=[layer]))


def neuron():
    """The neuron of the lecture: two inputs, two weights, a bias, tanh."""
    x1, x2 = gg.Value(2.0, label="x1"), gg.Value(0.0, label="x2")
    w1, w2 = gg.Value(-3.0, label="w1"), gg.Value(1.0, label="w2")
    b = gg.Value(6.8813735870195432, label="b")
    n = x1 * w1 + x2 * w2 + b
    o = n.tanh()
    o.backward()
    return drawn(gg.graph(o, {"n": n, "o": o}))


def square():
    """One value used twice by one operation, and a power with a constant exponent."""
    a = gg.Value(3.0)
    b = a * a
    c = b**2
    c.backward()
    return drawn(gg.graph(c, {"a": a, "b": b, "c": c}))


def nonfinite():
    """Numbers that JSON does not know, as data, gradients and slopes."""
    x = gg.Value(0.0)
    y = x.log() * 0.0 + 1 / x
    y.backward()
    return drawn(gg.graph(y, {"x": x, "y": y}))


def foreign():
    """A learner's class with operands in a set; one rule says ``=`` where it should say ``+=``."""
    # No value is used more than twice: a set is walked in any order, and sums of three round.
    value = value_class(set, assigning=True)
    x, w, v = value(0.5), value(2.0), value(-3.0)
    y = (x * w).tanh() * v**3 + x.relu() * 2
    y.backward()
    return drawn(gg.graph(y, {"x": x, "w": w, "v": v, "y": y}))


POINTS = {1: [(0.4,), (0.0,), (-1.0,)], 2: [(1.3, 0.7), (1.0, 0.0)], 3: [(0.4, -1.0, 1.0)]}


def operations():
    """Every row of the table, inside its domain and at its edges."""
    results, names = [], {}
    for name, row in PRIMITIVES.items():
        for place, point in enumerate(POINTS[3 if row.variadic else row.arity]):
            leaves = [gg.Value(number) for number in point]
            function = getattr(gg, name)
            result = function(leaves) if row.variadic else function(*leaves)
            results.append(result)
            names[f"{name}_{place}"] = result
    total = gg.sum(results)
    total.backward()
    return drawn(gg.graph(total, {**names, "total": total}))


def truncated():
    """More values than are drawn."""
    total = gg.Value(1.0)
    for _ in range(20):
        total = total * 0.5 + total
    total.backward()
    return drawn(gg.graph(total, {"total": total}), limit=8)


def folded():
    """Cards that stand for many values: two layers over six samples, the first of them open."""
    model, rows = gg.nn.MLP(2, [2, 1], seed=1), [[0.5, -1.0 + 0.25 * at] for at in range(6)]
    k = gg.Value(2.0)
    loss = sum((model([gg.Value(number) for number in row]) * k).tanh() for row in rows) * 0.5
    loss.backward()
    graph = gg.graph(loss, {"loss": loss, "k": k})
    return drawn(graph, folding=Folding(graph, ["layer 1"]))


def hostile_labels():
    """Labels that would be markup, DOT or templates if they were taken for more than text."""
    labels = [
        "<img src=x onerror=alert(1)>",
        "P(x|y) {0} <b>",
        "</script>",
        "<lambda> <map>",
        '\\n \\N "quoted" & &amp;',
        "{x} {out}",
    ]
    total = gg.Value(0.0, label="${alert(1)}")
    for label in labels:
        total = total + gg.Value(1.0, label=label)
    total.label = "total\u202e\u2028"
    return drawn(gg.graph(total, {}))


GRAPHS = {
    "exercise": exercise,
    "exercise-not-run": exercise_not_run,
    "loop": loop,
    "called": called,
    "neuron": neuron,
    "square": square,
    "nonfinite": nonfinite,
    "operations": operations,
    "foreign": foreign,
    "truncated": truncated,
    "folded": folded,
    "hostile-labels": hostile_labels,
}


def encoder(make):
    """Return what makes the wire of a graph."""

    def wire():
        graph, options = make()
        return encode(graph, **options)

    return wire


GOLDEN = {name: encoder(make) for name, make in GRAPHS.items()}


def copies():
    """Return the texts that Python and the front end write of the same graphs, line by line."""
    found = {}
    for name, make in GRAPHS.items():
        graph, options = make()
        if "folding" in options:  # the front end copies no folded picture
            continue
        limit = options.get("limit", LIMIT)
        found[name] = {
            format: render(graph, format.lower(), limit=limit).split("\n")
            for format in ("LaTeX", "Mermaid")
        }
    return found


def text_of(wire):
    """Return a wire as the text of its file, one item per line, so that differences are seen."""
    return json.dumps(wire, indent=1, allow_nan=False) + "\n"


if __name__ == "__main__":
    for name, make in GOLDEN.items():
        (HERE / f"{name}.json").write_text(text_of(make()))
    COPIES.write_text(text_of(copies()))
