"""Where the values of a network belong, and what it costs."""

import copy
import pickle
import sys

import glassgrad as gg
from glassgrad import nn
from glassgrad.engine.scope import Shared, enter, is_parameter, scope_of, shared


def places(value):
    return {(node.kind, node.op, node.scope) for node in gg.graph(value, {}).nodes}


def test_a_networks_values_know_their_neuron():
    model = nn.MLP(2, [2, 1], seed=1, activation="tanh")
    graph = gg.graph(model([0.5, -0.5]) - 1.0, {})
    kinds = [node.kind for node in graph.nodes]
    assert kinds.count("parameter") == len(model.parameters()) == 9
    for node in graph.nodes:
        if node.kind == "parameter":
            assert node.label == f"{node.scope}.{node.label.rpartition('.')[2]}"
    assert {node.scope for node in graph.nodes} == {
        "",
        "layer 1.neuron 1",
        "layer 1.neuron 2",
        "layer 2.neuron 1",
    }
    made = [node for node in graph.nodes if node.kind == "result" and node.scope]
    assert [node.op for node in made].count("tanh") == 2
    assert len(made) == 3 * 4 + 2
    assert {node.scope for node in graph.nodes if node.kind in ("leaf", "constant")} == {""}
    assert graph.root.scope == ""


def test_a_neuron_alone_has_parameters_and_no_scope():
    neuron = nn.Neuron(1, seed=1)
    assert places(neuron([2.0])) == {
        ("parameter", "", ""),
        ("leaf", "", ""),
        ("result", "*", ""),
        ("result", "+", ""),
        ("result", "ReLU", ""),
    }


def test_an_activation_of_ones_own_belongs_to_the_neuron():
    layer = nn.Layer(1, 1, seed=1, activation=lambda value: value.tanh().exp())
    out = layer([2.0])
    assert scope_of(out) == "neuron 1"
    assert gg.graph(out, {}).root.scope == "neuron 1"


def test_the_values_of_a_neuron_share_one_mapping():
    model = nn.MLP(2, [1], seed=1)
    out = model([1.0, 2.0])
    gg.graph(out)
    made = [value for value in (out, *out._prev) if not is_parameter(value)]
    assert len({id(value._extra) for value in made if hasattr(value, "_extra")}) == 1
    assert isinstance(out._extra, Shared)


def test_a_value_outside_of_networks_has_nothing_more():
    a = gg.Value(2.0)
    b = a * 3
    assert not hasattr(a, "_extra")
    assert not hasattr(b, "_extra")
    assert sys.getsizeof(b) == sys.getsizeof(a)


def test_what_one_value_gets_of_its_own_the_others_do_not_get():
    place = shared("here")
    a, b = gg.Value(1.0), gg.Value(2.0)
    enter(a, place)
    enter(b, place)
    a.label = "a"
    float(a)
    assert (a.label, b.label, dict(place)) == ("a", "", {"scope": "here"})
    assert (scope_of(a), scope_of(b)) == ("here", "here")


def test_copies_keep_their_place():
    out = nn.MLP(1, [1], seed=1)([2.0])
    for twin in (copy.deepcopy(out), copy.copy(out), pickle.loads(pickle.dumps(out))):
        assert gg.graph(twin, {}) == gg.graph(out, {})
        assert scope_of(twin) == "layer 1.neuron 1"
        twin.label = "twin"
        assert out.label == ""
