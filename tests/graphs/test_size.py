"""Large graphs: deep ones are read without recursion, and counts are those known from elsewhere."""

import pytest
from learner import value_class

import glassgrad as gg

SetValue = value_class(set)


@pytest.mark.parametrize("cls", [gg.Value, SetValue])
def test_chain_of_a_hundred_thousand(cls):
    x = cls(1.0)
    s = x
    for _ in range(100_000):
        s = s + x
    graph = gg.graph(s, {"s": s, "x": x})
    assert len(graph) == 100_001
    assert gg.steps(graph).backward[-1].gradient == 100_001.0
    assert graph.to_json()
    assert "100,001 values; showing" in str(graph)
    assert "100,001 values; showing the 1,000 nearest s." in graph.to_dot().source
    nodes, edges = gg.trace(s)
    assert len(nodes) == 100_001
    assert len(edges) == 200_000 - 1


def test_small_network_has_the_known_number_of_values():
    """Three inputs, layers of 4, 4 and 1, four examples, squared error; counted elsewhere."""

    def neuron(weights, bias, inputs):
        return sum((w * x for w, x in zip(weights, inputs, strict=True)), bias).tanh()

    layers = [
        [([SetValue(0.1) for _ in range(size)], SetValue(0.0)) for _ in range(width)]
        for size, width in ((3, 4), (4, 4), (4, 1))
    ]
    examples = [([2.0, 3.0, -1.0], 1.0), ([3.0, -1.0, 0.5], -1.0)] * 2
    errors = []
    for inputs, target in examples:
        signal = inputs
        for layer in layers:
            signal = [neuron(weights, bias, signal) for weights, bias in layer]
        errors.append((signal[0] - target) ** 2)
    graph = gg.graph(sum(errors))
    assert (len(graph), len(graph.edges)) == (398, 568)
