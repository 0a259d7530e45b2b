"""The three classes of micrograd: same numbers, same names, and a seed."""

import copy
import inspect
import pickle
import random

import numpy as np
import pytest
import torch

from glassgrad.engine.value import Value
from glassgrad.nn import MLP, Layer, Module, Neuron


def numbers(module):
    return [parameter.data for parameter in module.parameters()]


def weights(count):
    """Return what micrograd draws for a neuron of `count` inputs."""
    return [*(random.uniform(-1, 1) for _ in range(count)), 0.0]


def test_the_global_seed_starts_the_network_that_micrograd_starts():
    random.seed(1337)
    model = MLP(2, [3, 1])
    random.seed(1337)
    assert numbers(model) == [*weights(2), *weights(2), *weights(2), *weights(3)]


def test_a_seed_of_its_own_leaves_the_global_one_alone():
    random.seed(0)
    expected = random.random()
    random.seed(0)
    first, again, other = (numbers(MLP(2, [4, 1], seed=seed)) for seed in (7, 7, 8))
    assert random.random() == expected
    assert first == again != other
    assert len(set(first)) == 2 * 4 + 4 + 1  # all weights differ; the biases are all 0


def test_the_signatures_of_micrograd():
    positional = {
        cls: [
            name
            for name, parameter in inspect.signature(cls).parameters.items()
            if parameter.kind is parameter.POSITIONAL_OR_KEYWORD
        ]
        for cls in (Neuron, Layer, MLP)
    }
    assert positional == {
        Neuron: ["nin", "nonlin"],
        Layer: ["nin", "nout"],
        MLP: ["nin", "nouts"],
    }
    assert repr(Neuron(3, False)) == "LinearNeuron(3)"
    assert repr(Layer(3, 1, nonlin=False)) == "Layer of [LinearNeuron(3)]"


def test_reprs_are_those_of_micrograd():
    assert repr(MLP(1, [2, 1])) == (
        "MLP of [Layer of [ReLUNeuron(1), ReLUNeuron(1)], Layer of [LinearNeuron(2)]]"
    )


def test_parameters_are_named_by_where_they_are():
    labels = [parameter.label for parameter in MLP(2, [2, 1]).parameters()]
    assert labels == [
        *("layer 1.neuron 1.w1", "layer 1.neuron 1.w2", "layer 1.neuron 1.b"),
        *("layer 1.neuron 2.w1", "layer 1.neuron 2.w2", "layer 1.neuron 2.b"),
        *("layer 2.neuron 1.w1", "layer 2.neuron 1.w2", "layer 2.neuron 1.b"),
    ]


@pytest.mark.parametrize("activation", ["relu", "tanh", "sigmoid", "gelu"])
def test_outputs_and_gradients_are_those_of_pytorch(activation):
    model = MLP(3, [4, 4, 2], activation=activation, seed=3)
    x = [Value(0.5), Value(-1.5), Value(2.0)]
    first, second = model(x)
    (first * 2 + second).backward()

    tensors = [torch.tensor(p.data, dtype=torch.double, requires_grad=True) for p in x]
    h = torch.stack(tensors)
    flat = torch.tensor(numbers(model), dtype=torch.double, requires_grad=True)
    rows = iter(flat)
    function = getattr(torch, activation, None) or getattr(torch.nn.functional, activation)
    for layer in model.layers:
        sums = []
        for neuron in layer.neurons:
            w = torch.stack([next(rows) for _ in neuron.w])
            sums.append(w @ h + next(rows))
        h = torch.stack(sums)
        if layer is not model.layers[-1]:
            h = function(h)
    (h[0] * 2 + h[1]).backward()

    assert [first.data, second.data] == pytest.approx(h.tolist(), rel=1e-13)
    grads = [parameter.grad for parameter in model.parameters()]
    assert grads == pytest.approx(flat.grad.tolist(), rel=1e-12, abs=1e-15)
    assert [v.grad for v in x] == pytest.approx([t.grad.item() for t in tensors], rel=1e-12)


def test_an_activation_of_your_own():
    def cube(value):
        return value**3

    neuron = Neuron(1, activation=cube)
    neuron.w[0].data, neuron.b.data = 2.0, 1.0
    assert neuron(1.0).data == 27.0
    assert repr(neuron) == "CubeNeuron(1)"
    assert repr(Neuron(1, activation="tanh")) == "TanhNeuron(1)"


def test_inputs_may_be_of_any_kind():
    model = MLP(2, [3, 1], seed=1)
    expected = model([0.5, -1.0]).data
    for inputs in (
        (Value(0.5), -1.0),
        np.array([0.5, -1.0]),
        map(Value, [0.5, -1.0]),
        np.array([Value(0.5), Value(-1.0)]),
    ):
        assert model(inputs).data == expected


def test_sizes_and_seeds_may_come_from_numpy():
    model = MLP(np.int64(2), np.array([3, 1]), seed=np.int64(7))
    assert numbers(model) == numbers(MLP(2, [3, 1], seed=7))


def test_one_number_is_a_list_of_one():
    model = MLP(1, [1, 1, 1], seed=1)  # a layer of one neuron hands over its output, not a list
    assert model(0.5).data == model([0.5]).data == model(Value(0.5)).data


def test_zero_grad():
    model = MLP(2, [3, 1], seed=1)
    model([1.0, 1.0]).backward()
    assert any(parameter.grad for parameter in model.parameters())
    model.zero_grad()
    assert not any(parameter.grad for parameter in model.parameters())


def test_a_module_without_parameters():
    assert Module().parameters() == []
    Module().zero_grad()


@pytest.mark.parametrize("duplicate", [copy.deepcopy, lambda m: pickle.loads(pickle.dumps(m))])
def test_copies_are_networks_of_their_own(duplicate):
    model = MLP(2, [3, 1], activation="tanh", seed=1)
    twin = duplicate(model)
    assert twin([1.0, 2.0]).data == model([1.0, 2.0]).data
    assert [p.label for p in twin.parameters()] == [p.label for p in model.parameters()]
    twin.parameters()[0].data += 1.0
    assert twin([1.0, 2.0]).data != model([1.0, 2.0]).data


@pytest.mark.parametrize(
    ("wrong", "sentence"),
    [
        (lambda: Neuron(0), "Neuron needs a number of inputs of at least 1; got 0."),
        (lambda: Neuron(2.5), "Neuron needs a number of inputs of at least 1; got 2.5."),
        (lambda: Layer(2, -1), "Layer needs a number of neurons of at least 1; got -1."),
        (lambda: MLP(2, []), "MLP needs a number of layers of at least 1; got 0."),
        (lambda: MLP(2, [4, 0]), "Layer needs a number of neurons of at least 1; got 0."),
        (lambda: MLP(2, 16), "For one layer write MLP(2, [16])."),
        (lambda: Neuron(2, activation="rellu"), "No activation is called 'rellu'."),
        (lambda: Neuron(2, activation="add"), "No activation is called 'add'."),
        (
            lambda: Neuron(2)([1.0, 2.0, 3.0]),
            "ReLUNeuron(2) got 3 inputs; give it as many as it has weights.",
        ),
        (
            lambda: MLP(2, [1])(1.0),
            "LinearNeuron(2) got 1 inputs; give it as many as it has weights.",
        ),
    ],
)
def test_wrong_input_gets_one_sentence(wrong, sentence):
    with pytest.raises((TypeError, ValueError)) as caught:
        wrong()
    assert sentence in str(caught.value)
