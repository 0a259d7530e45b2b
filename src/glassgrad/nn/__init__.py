"""Neural networks of single Values, with micrograd's names: a small network you can look through.

Numbers go in, a Value comes out; `losses` turns outputs and targets into one Value to minimise,
`fit` repeats the training step with an optimiser from `glassgrad.optim`.

>>> from glassgrad import nn, optim
>>> model = nn.MLP(2, [4, 1], seed=1)
>>> points, sides = [[0.0, 1.0], [1.0, 0.0]], [1, -1]
>>> losses = nn.fit(
...     lambda: nn.hinge([model(point) for point in points], sides),
...     optim.SGD(model.parameters(), lr=0.1),
...     steps=30,
... )
>>> model([0.0, 1.0]).data > 0 > model([1.0, 0.0]).data
True
"""

from glassgrad.nn.losses import binary_cross_entropy, cross_entropy, hinge, mse
from glassgrad.nn.modules import MLP, Layer, Module, Neuron
from glassgrad.nn.training import fit

__all__ = [
    "MLP",
    "Layer",
    "Module",
    "Neuron",
    "binary_cross_entropy",
    "cross_entropy",
    "fit",
    "hinge",
    "mse",
]
