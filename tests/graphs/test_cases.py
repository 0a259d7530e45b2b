"""Reading, held against what tools like ours got wrong: see ``tests/data/cases.json``."""

import copy
import json
import math
import pickle

import numpy as np
import pytest
from cases import CASES, number, of_kind, run
from dialects.spelled import spelled
from dialects.structures import Consumers, Dropped
from learner import value_class

import glassgrad as gg
from glassgrad.graphs.drive import drive, driver_of
from glassgrad.notebook.wire import encode

CLASSES = {"ours": gg.Value, "set": value_class(set), "tuple": value_class(tuple)}
READ = [
    case
    for case in of_kind("accumulate", "order", "repeat", "depth", "draw", "stale", "check")
    if case["leaves"] and case["grads"]
]


def close(item):
    return pytest.approx(number(item), rel=1e-6, nan_ok=True)


def notes(graph):
    return [note for node in graph.nodes for note in node.notes]


@pytest.mark.parametrize("cls", CLASSES.values(), ids=CLASSES)
@pytest.mark.parametrize("case", READ, ids=lambda case: case["id"])
def test_graph_has_the_gradients_of_the_case(case, cls):
    names = run(case, cls)
    graph = gg.graph(names["root"], names)
    assert graph.root.data == close(case["value"])
    found = {step.node: step.gradient for step in gg.steps(graph).backward}
    objects = {graph.node_columns.label[node]: grad for node, grad in found.items()}
    for leaf, grad in zip(case["leaves"], case["grads"], strict=True):
        label = "a" if case["id"] == "c059" else leaf
        assert objects[label] == close(grad)


@pytest.mark.parametrize("cls", [CLASSES["set"], CLASSES["tuple"]])
def test_c016_cycle_names_both(cls):
    names = run(CASES["c016"], cls)
    (message,) = gg.graph(names["root"], names).messages
    assert "(root → a → root)" in message


@pytest.mark.parametrize("case", of_kind("domain"), ids=lambda case: case["id"])
def test_edges_of_the_domain_are_drawn(case):
    names = run(case, gg.Value)
    graph = gg.graph(names["root"], names)
    assert graph.root.data == close(case["value"])
    json.dumps(encode(graph), allow_nan=False)


def test_c028_first_value_that_is_not_finite():
    names = run(CASES["c028"], gg.Value)
    graph = gg.graph(names["root"], names)
    first = next(node for node in graph.nodes if not math.isfinite(node.data))
    assert first.label == "log(x)"


def test_c042_slope_of_the_slip_is_shown_and_named():
    class Value(value_class(set)):
        def tanh(self):
            t = math.tanh(self.data)
            out = Value(t, (self,), "tanh")

            def _backward():
                self.grad += (1 - t) ** 2 * out.grad

            out._backward = _backward
            return out

    names = run(CASES["c042"], Value)
    graph = gg.graph(names["root"], names)
    assert [edge.slope for edge in graph.edges] == pytest.approx(CASES["c042"]["slip"])
    assert notes(graph) == ["root's rule gives x the slope 0.2893, where it is 0.7864."]
    (finding,) = [finding for finding in graph.findings if finding.kind == "slope"]
    assert (finding.expected, finding.got) == pytest.approx((0.7864477, 0.2893180))
    assert finding.place[1] > 0


def test_c041_assignment_is_named():
    cls = value_class(set, assigning=True)
    names = run(CASES["c041"], cls)
    graph = gg.graph(names["root"], names)
    assert "replaces the gradient of x" in notes(graph)[0]


def test_c043_number_that_was_not_kept():
    names = run(CASES["c043"], Dropped)
    graph = gg.graph(names["root"], names)
    assert [(node.label, node.kind) for node in graph.nodes][1] == ("3", "constant")


def test_c044_name_of_an_operation_is_not_trusted():
    names = run(CASES["c044"], CLASSES["tuple"])
    graph = gg.graph(names["root"], names)
    assert graph.root.primitive is None
    found = {graph.nodes[step.node].label: step.gradient for step in gg.steps(graph).backward}
    assert [found[leaf] for leaf in CASES["c044"]["leaves"]] == CASES["c044"]["grads"]
    assert notes(graph) == []


def test_c039_root_of_nothing():
    with pytest.raises(TypeError, match="Look for a method without `return out`"):
        gg.graph(None)


def test_c049_exponent_from_numpy():
    names = run(CASES["c049"], CLASSES["set"])
    assert gg.graph(names["root"], names).edges[0].slope == 12.0


def test_c050_label_of_a_numpy_number():
    for cls in CLASSES.values():
        assert gg.graph(run(CASES["c050"], cls)["root"], {}).root.label == "0.5"


def test_c051_message_is_valid_json():
    graph = gg.graph(run(CASES["c051"], gg.Value)["root"], {})
    assert "NaN" in json.dumps(encode(graph), allow_nan=False)
    assert graph.nodes[0].label == "inf"


def test_c053_value_in_a_value():
    graph = gg.graph(run(CASES["c053"], CLASSES["set"])["root"], {})
    assert notes(graph) == ["2.data is itself a Value, where a Value holds a plain number."]


def test_c055_operands_that_are_missing_are_missed():
    class Value(value_class(set)):
        def __truediv__(self, other):
            return Value(self.data / other, (), "/")

    v = Value(6.0)
    y = v / 4
    z = y + 1
    graph = gg.graph(z)
    assert notes(graph) == [
        "y says it is a / and holds no operands, so no gradient passes it: "
        "make it with the operands it was computed from."
    ]


@pytest.mark.parametrize("cls", CLASSES.values(), ids=CLASSES)
def test_c057_numbers_from_before_the_update(cls):
    w = cls(1.0)
    d = w + -3
    loss = d**2
    w.data = 1.4
    graph = gg.graph(loss)
    assert graph.messages == (
        "loss belongs to older numbers: d no longer follows from its operands (-2, where they "
        "give -1.6 now). Compute it again.",
    )
    assert notes(graph) == [
        "d no longer follows from its operands: it holds -2, and they give -1.6 now. "
        "Compute it again."
    ]
    w.data = 3.0
    e = w * d
    w.data = 4.0
    (message,) = gg.graph(e).messages
    assert message == (
        "e belongs to older numbers: d and 1 more value no longer follow from their operands "
        "(d is -2, where they give 1 now). Compute it again."
    )


@pytest.mark.parametrize("cls", CLASSES.values(), ids=CLASSES)
def test_c010_gradient_from_before(cls):
    w, x = cls(1.0), cls(2.0)
    for _ in range(3):
        y = w * x
        y.backward()
    (message,) = gg.graph(y).messages
    assert message.startswith("w.grad is 6, and this graph accounts for 2 of it")


def test_c060_class_without_a_hash():
    a = Consumers(2.0)
    graph = gg.graph(a + Consumers(2.0), {})
    assert [edge.source for edge in graph.edges] == [0, 1]


def test_c062_no_old_value_is_shown():
    names = run(CASES["c062"], CLASSES["set"])
    for n in range(50):
        root = CLASSES["set"](float(n)) + 1
        assert gg.graph(root, {}).root.data == n + 1
    assert gg.graph(names["root"], {}).root.data == CASES["c062"]["value"]


def test_c063_rules_of_a_copy():
    names = run(CASES["c063"], CLASSES["set"])
    graph = gg.graph(names["root"], names)
    assert notes(graph)[0].startswith("root's rule belongs to other objects")
    assert names["a"].grad == 0.0


def test_c064_graph_is_plain_data():
    graph = gg.graph(run(CASES["c064"], CLASSES["set"])["root"], {})
    assert pickle.loads(pickle.dumps(graph)) == copy.deepcopy(graph) == graph


def test_c065_two_classes_of_one_name():
    names = run(CASES["c065"], value_class(set), Again=value_class(set))
    graph = gg.graph(names["root"], names)
    assert "mixes two classes called Value" in graph.messages[0]
    assert graph.root.data == 6.0


def test_c068_local_rule_named_backward():
    cls = spelled(rule="backward", driver="backward_all")
    names = run(CASES["c068"], cls)
    root = names["root"]
    assert driver_of(root)[0] == "backward_all"
    assert drive(root).remark == ""
    assert [names[leaf].grad for leaf in "abc"] == CASES["c068"]["grads"]


def test_c070_children_that_are_consumers():
    names = run(CASES["c070"], Consumers)
    assert [node.label for node in gg.graph(names["root"], names).nodes] == ["x", "y", "root"]
    assert len(gg.graph(names["x"], names)) == 1


def test_c070_seen_first_from_an_inner_value():
    class Value(Consumers):
        pass

    x, y = Value(2.0), Value(3.0)
    (x * y) + x
    assert [node.label for node in gg.graph(x).nodes] == ["x"]


@pytest.mark.parametrize("id", ["c072", "c073", "c075", "c076"])
def test_labels_are_text(id):
    graph = gg.graph(run(CASES[id], gg.Value)["root"], {})
    assert graph.root.label in CASES[id]["code"][0]
    assert graph.root.label in str(graph)


def test_notes_of_our_own_values():
    h = gg.Value(0.5, label="h")
    y = h * gg.Value(float(h))
    assert h < 1
    graph = gg.graph(y)
    left, compared = graph.nodes[0].notes
    assert left.startswith("h left the graph at line ")
    assert "float(h)" in left
    assert compared.startswith("h was compared at line ")
    assert np.isfinite(graph.root.data)
