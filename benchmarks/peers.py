"""The engines of scalars: each class says how one of them does what the workloads ask for."""

import math
import sys
from typing import Any

from workloads import RATE, Workload, weighted_sum


class Peer:
    """An engine in micrograd's manner; the other classes say where theirs differs."""

    package = ""  # what to install

    def leaf(self, number: float) -> Any:
        """Return a value that gets a gradient."""
        raise NotImplementedError

    def constant(self, number: float) -> Any:
        """Return an input of the demo, which needs none; micrograd's demo makes them Values."""
        return self.leaf(number)

    def tanh(self, value: Any) -> Any:
        return value.tanh()

    def relu(self, value: Any) -> Any:
        return value.relu()

    def neuron(self, weights: list[Any], inputs: list[Any], bias: Any) -> Any:
        """Return a neuron's sum as the engine's own networks compute it."""
        return weighted_sum(weights, inputs, bias)

    def backward(self, root: Any) -> None:
        root.backward()

    def gradient(self, leaf: Any) -> float:
        return leaf.grad

    def run(self, workload: Workload) -> list[Any]:
        """Build, run backward, free what was built, and return the leaves."""
        leaves = [self.leaf(number) for number in workload.inputs]
        self.backward(workload.expression(self, leaves))
        return leaves

    def begin(self, workload: Workload) -> list[Any]:
        """Return the parameters for `step`."""
        return [self.leaf(number) for number in workload.inputs]

    def step(self, workload: Workload, parameters: list[Any]) -> list[Any]:
        """Train for one step; return the parameters of the next."""
        loss = workload.expression(self, parameters)
        for parameter in parameters:
            parameter.grad = 0.0
        self.backward(loss)
        for parameter in parameters:
            parameter.data -= RATE * parameter.grad
        return parameters


class Glassgrad(Peer):
    package = "glassgrad"

    def __init__(self) -> None:
        from glassgrad import Value
        from glassgrad.engine.weighted import weighted_sum

        self.leaf = Value
        self.neuron = weighted_sum


class Micrograd(Peer):
    package = "micrograd"

    def __init__(self) -> None:
        from micrograd.engine import Value

        sys.setrecursionlimit(10**8)  # its backward() calls itself once per operation
        self.leaf = self.value = Value

    def tanh(self, value: Any) -> Any:
        """Do what the lecture does; the package has no tanh."""
        t = math.tanh(value.data)
        out = self.value(t, (value,), "tanh")

        def backward() -> None:
            value.grad += (1 - t**2) * out.grad

        out._backward = backward
        return out


class Autograd(Peer):
    package = "autograd"

    def __init__(self) -> None:
        import autograd
        import autograd.numpy as np

        self.tanh = np.tanh
        self.relu = lambda value: np.maximum(value, 0.0)
        self.constant = float
        self.gradient = float
        self.differentiate = autograd.grad

    def run(self, workload: Workload) -> list[Any]:
        gradient = self.differentiate(lambda leaves: workload.expression(self, list(leaves)))
        return gradient(workload.inputs)

    def begin(self, workload: Workload) -> list[Any]:
        return workload.inputs

    def step(self, workload: Workload, parameters: list[Any]) -> list[Any]:
        gradient = self.differentiate(lambda leaves: workload.expression(self, list(leaves)))
        return [p - RATE * g for p, g in zip(parameters, gradient(parameters), strict=True)]


class Torch(Peer):
    package = "torch"

    def __init__(self) -> None:
        import torch

        torch.set_num_threads(1)
        self.torch = torch
        self.relu, self.tanh = torch.relu, torch.tanh

    def leaf(self, number: float) -> Any:
        return self.torch.tensor(number, dtype=self.torch.double, requires_grad=True)

    def constant(self, number: float) -> Any:
        return self.torch.tensor(number, dtype=self.torch.double)

    def step(self, workload: Workload, parameters: list[Any]) -> list[Any]:
        loss = workload.expression(self, parameters)
        for parameter in parameters:
            parameter.grad = None
        loss.backward()
        with self.torch.no_grad():
            for parameter in parameters:
                parameter.sub_(RATE * parameter.grad)
        return parameters


class Autoneuronet(Peer):
    package = "autoneuronet"

    def __init__(self) -> None:
        from autoneuronet import Var

        self.leaf = Var

    def backward(self, root: Any) -> None:
        root.setGrad(1.0)
        root.backward()

    def step(self, workload: Workload, parameters: list[Any]) -> list[Any]:
        loss = workload.expression(self, parameters)
        for parameter in parameters:
            parameter.grad = 0.0
        self.backward(loss)
        for parameter in parameters:
            parameter.val -= RATE * parameter.grad
        return parameters


class Xad(Peer):
    package = "xad"

    def __init__(self) -> None:
        import xad.math
        from xad.adj_1st import Real, Tape

        self.leaf, self.tanh = Real, xad.math.tanh
        self.relu = lambda value: xad.math.max(value, 0.0)
        self.tape = Tape()
        self.tape.activate()

    def run(self, workload: Workload) -> list[Any]:
        leaves = [self.leaf(number) for number in workload.inputs]
        self._record(workload, leaves)
        return leaves

    def _record(self, workload: Workload, leaves: list[Any]) -> None:
        self.tape.clearAll()
        for leaf in leaves:
            self.tape.registerInput(leaf)
        self.tape.newRecording()
        root = workload.expression(self, leaves)
        self.tape.registerOutput(root)
        root.derivative = 1.0
        self.tape.computeAdjoints()

    def gradient(self, leaf: Any) -> float:
        return leaf.derivative

    def step(self, workload: Workload, parameters: list[Any]) -> list[Any]:
        self._record(workload, parameters)
        return [self.leaf(p.value - RATE * p.derivative) for p in parameters]


PEERS: dict[str, type[Peer]] = {
    "glassgrad": Glassgrad,
    "micrograd": Micrograd,
    "autograd": Autograd,
    "PyTorch": Torch,
    "autoneuronet": Autoneuronet,
    "xad": Xad,
}
