"""Programs that learners' classes get wrong: every class of Value reads as the same, right graph.

The programs and their numbers are in ``tests/data/programs.json``.
"""

import json
from collections import Counter
from pathlib import Path

import pytest
from learner import value_class

import glassgrad as gg
from glassgrad.notebook.wire import to_json

CASES = json.loads((Path(__file__).parents[1] / "data" / "programs.json").read_text())
CLASSES = {
    "ours": gg.Value,
    "set": value_class(set),
    "tuple": value_class(tuple),
    "list": value_class(list),
}


def run(case, cls):
    names = {"Value": cls}
    exec("\n".join(case["code"]), names)
    return names


@pytest.mark.parametrize("cls", CLASSES.values(), ids=CLASSES)
@pytest.mark.parametrize("case", CASES, ids=lambda case: case["id"])
def test_graph_has_the_numbers(case, cls):
    names = run(case, cls)
    graph = gg.graph(names["root"], names)
    assert graph.root.data == pytest.approx(case["data"], abs=1e-6)
    assert case["values"] in (None, len(graph))

    labels = graph.node_columns.label
    gradients = {labels[step.node]: step.gradient for step in gg.steps(graph).backward}
    for name, grad in case["grads"].items():
        assert gradients[name] == pytest.approx(grad, abs=1e-4)

    uses = Counter()
    for edge in graph.edges:
        uses[labels[edge.source]] += edge.count
    for name, count in case["uses"].items():
        assert uses[name] == count


@pytest.mark.parametrize("cls", CLASSES.values(), ids=CLASSES)
@pytest.mark.parametrize("case", CASES, ids=lambda case: case["id"])
def test_every_rendering_holds_the_root(case, cls):
    names = run(case, cls)
    graph = gg.graph(names["root"], names)
    assert str(graph).startswith("root")
    assert json.loads(to_json(graph))["graph"]["title"] == "root"
    assert "<b>root&#160;" in graph.to_dot().source


@pytest.mark.parametrize("case", CASES, ids=lambda case: case["id"])
def test_classes_of_one_program_have_one_picture(case):
    first, *others = [
        [
            (node.op, node.label, node.primitive, node.data)
            for node in gg.graph(names["root"], names).nodes
        ]
        for names in (run(case, CLASSES[kind]) for kind in ("set", "tuple", "list"))
    ]
    assert others == [first, first]


def test_same_program_gives_the_same_graph_every_time():
    graphs = []
    for _ in range(5):
        names = run(CASES[1], value_class(set))
        graphs.append(gg.graph(names["root"], names))
    assert graphs[1:] == graphs[:-1]
