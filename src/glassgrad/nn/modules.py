"""`Neuron`, `Layer` and `MLP`: micrograd's three classes, with a seed and named parameters.

Numbers or Values go in, Values come out.  The random numbers are drawn in micrograd's order, so
that ``random.seed(1337)`` starts the same network here and there.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterable, Sequence
from numbers import Integral
from typing import TypeAlias

from glassgrad.engine.blocks import at, within
from glassgrad.engine.ops import PRIMITIVES
from glassgrad.engine.scope import Shared, declare, enter, shared
from glassgrad.engine.value import Value
from glassgrad.engine.weighted import weighted_sum

Inputs: TypeAlias = Sequence[Value | float]
Activation: TypeAlias = str | Callable[[Value], Value]
Seed: TypeAlias = int | random.Random | None


class Module:
    """Something with parameters.  Subclass it, and list them in `parameters`.

    Examples
    --------
    >>> class Line(Module):
    ...     def __init__(self):
    ...         self.slope, self.start = Value(1.0), Value(0.0)
    ...
    ...     def __call__(self, x):
    ...         return self.slope * x + self.start
    ...
    ...     def parameters(self):
    ...         return [self.slope, self.start]
    >>> line = Line()
    >>> line(3.0).backward()
    >>> line.slope.grad
    3.0
    >>> line.zero_grad()
    >>> line.slope.grad
    0.0
    """

    def parameters(self) -> list[Value]:
        """Return the Values that training changes."""
        return []

    def zero_grad(self) -> None:
        """Set the gradient of every parameter to 0."""
        for parameter in self.parameters():
            parameter.grad = 0.0


class Neuron(Module):
    """A weighted sum of the inputs plus a bias, then an activation.

    Parameters
    ----------
    nin : int
        The number of inputs, at least 1.
    nonlin : bool
        False leaves the activation out.
    activation : str or callable
        The name of a function of one Value, such as ``"tanh"``, or a function from Value to Value.
    seed : int or random.Random, optional
        Where the weights are drawn from, evenly between -1 and 1.  By default Python's own
        ``random``, so that ``random.seed(...)`` decides.
    label : str
        What the parameters' labels begin with.

    Examples
    --------
    >>> neuron = Neuron(2, seed=1)
    >>> neuron
    ReLUNeuron(2)
    >>> [parameter.label for parameter in neuron.parameters()]
    ['w1', 'w2', 'b']
    >>> neuron([1.0, 2.0]).data > 0
    True
    """

    def __init__(
        self,
        nin: int,
        nonlin: bool = True,
        *,
        activation: Activation = "relu",
        seed: Seed = None,
        label: str = "",
    ) -> None:
        _check_size("Neuron", "inputs", nin)
        draw = (_shared(seed) or random).uniform
        self.w = [Value(draw(-1, 1), label=f"{label}w{i}") for i in range(1, nin + 1)]
        self.b = Value(0.0, label=f"{label}b")
        self._place = shared(label.rstrip("."))
        for parameter in self.parameters():
            declare(parameter, within(self._place).get("scope", ""))
        self.nonlin = nonlin
        self.activation = _checked_activation(activation)

    def __call__(self, x: Inputs | Value | float) -> Value:
        """Return the neuron's output; a single number stands for a list of one."""
        inputs = _inputs(x)
        if len(inputs) != len(self.w):
            raise ValueError(
                f"{self!r} got {len(inputs)} inputs; give it as many as it has weights."
            )
        place = within(self._place)
        if place is self._place:
            return self._computed(inputs, place)
        with at(place):
            return self._computed(inputs, place)

    def _computed(self, inputs: Sequence[Value], place: Shared) -> Value:
        act = weighted_sum(self.w, inputs, self.b)
        enter(act, place)
        if not self.nonlin:
            return act
        if callable(self.activation):
            result = self.activation(act)
        else:
            result = getattr(act, self.activation)()
        if isinstance(result, Value):
            enter(result, place)
        return result

    def parameters(self) -> list[Value]:
        """Return the weights, then the bias."""
        return [*self.w, self.b]

    def __repr__(self) -> str:
        return f"{self._kind()}Neuron({len(self.w)})"

    def _kind(self) -> str:
        if not self.nonlin:
            return "Linear"
        if callable(self.activation):
            name: str = getattr(self.activation, "__name__", "Custom")
        else:
            name = PRIMITIVES[self.activation].op
        return name[:1].upper() + name[1:]


class Layer(Module):
    """Neurons that see the same inputs.

    Parameters
    ----------
    nin, nout : int
        The number of inputs, and of neurons.
    nonlin, activation, seed
        As in `Neuron`; all neurons draw from the same generator.
    label : str
        What the parameters' labels begin with.

    Examples
    --------
    >>> layer = Layer(2, 3, seed=1)
    >>> layer
    Layer of [ReLUNeuron(2), ReLUNeuron(2), ReLUNeuron(2)]
    >>> len(layer([1.0, 2.0])), len(layer.parameters())
    (3, 9)
    """

    def __init__(
        self,
        nin: int,
        nout: int,
        *,
        nonlin: bool = True,
        activation: Activation = "relu",
        seed: Seed = None,
        label: str = "",
    ) -> None:
        _check_size("Layer", "neurons", nout)
        generator = _shared(seed)
        self.neurons = [
            Neuron(
                nin,
                nonlin,
                activation=activation,
                seed=generator,
                label=f"{label}neuron {i}.",
            )
            for i in range(1, nout + 1)
        ]

    def __call__(self, x: Inputs | Value | float) -> Value | list[Value]:
        """Return the neurons' outputs; the output itself where there is only one."""
        inputs = _inputs(x)
        out = [neuron(inputs) for neuron in self.neurons]
        return out[0] if len(out) == 1 else out

    def parameters(self) -> list[Value]:
        """Return the parameters of the neurons, one after the other."""
        return [parameter for neuron in self.neurons for parameter in neuron.parameters()]

    def __repr__(self) -> str:
        return f"Layer of [{', '.join(map(str, self.neurons))}]"


class MLP(Module):
    """A multi-layer perceptron: each layer's outputs are the next one's inputs.

    The last layer is linear, as in micrograd.

    Parameters
    ----------
    nin : int
        The number of inputs.
    nouts : sequence of int
        The number of neurons in each layer.
    activation : str or callable
        What the hidden layers' neurons do to their sum, as in `Neuron`.
    seed : int or random.Random, optional
        As in `Neuron`.

    Examples
    --------
    >>> model = MLP(2, [16, 16, 1], seed=1337)
    >>> len(model.parameters())
    337
    >>> model.layers[0].neurons[2].w[0].label
    'layer 1.neuron 3.w1'
    >>> MLP(1, [2, 1], activation="tanh")
    MLP of [Layer of [TanhNeuron(1), TanhNeuron(1)], Layer of [LinearNeuron(2)]]
    """

    def __init__(
        self,
        nin: int,
        nouts: Sequence[int],
        *,
        activation: Activation = "relu",
        seed: Seed = None,
    ) -> None:
        if not isinstance(nouts, Iterable):
            raise TypeError(
                f"MLP needs the number of neurons of each layer; got {nouts!r}. "
                f"For one layer write MLP({nin!r}, [{nouts!r}])."
            )
        sizes = [nin, *nouts]
        _check_size("MLP", "layers", len(sizes) - 1)
        generator = _shared(seed)
        self.layers = [
            Layer(
                sizes[i - 1],
                sizes[i],
                nonlin=i < len(sizes) - 1,
                activation=activation,
                seed=generator,
                label=f"layer {i}.",
            )
            for i in range(1, len(sizes))
        ]

    def __call__(self, x: Inputs | Value | float) -> Value | list[Value]:
        """Return the last layer's outputs; the output itself where there is only one."""
        first, *others = self.layers
        out = first(x)
        for layer in others:
            out = layer(out)
        return out

    def parameters(self) -> list[Value]:
        """Return the parameters of the layers, one after the other."""
        return [parameter for layer in self.layers for parameter in layer.parameters()]

    def __repr__(self) -> str:
        return f"MLP of [{', '.join(map(str, self.layers))}]"


def _inputs(x: Inputs | Value | float) -> list[Value]:
    """Return the inputs as Values; those that are already stay the same objects."""
    items = x if isinstance(x, Iterable) else [x]
    return [item if isinstance(item, Value) else Value(item) for item in items]


def _shared(seed: Seed) -> random.Random | None:
    """Return one generator for all that draw from `seed`, None for Python's own."""
    if seed is None or isinstance(seed, random.Random):
        return seed
    return random.Random(int(seed))


def _checked_activation(activation: Activation) -> Activation:
    known = [name for name, primitive in PRIMITIVES.items() if primitive.arity == 1]
    if not callable(activation) and activation not in known:
        raise ValueError(
            f"No activation is called {activation!r}. "
            f"Write a function of your own, or one of {', '.join(known)}."
        )
    return activation


def _check_size(owner: str, things: str, size: object) -> None:
    if not isinstance(size, Integral) or size < 1:
        raise ValueError(
            f"{owner} needs a number of {things} of at least 1; got {size!r}. "
            "Write a whole number, such as MLP(2, [16, 16, 1])."
        )
