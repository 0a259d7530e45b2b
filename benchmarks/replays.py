"""Engines that record the demo's training step once and replay it, update included.

The last two record nothing: they are what the same step costs in whole arrays, with autograd and
written out by hand.
"""

import numpy as np
from workloads import DECAY, RATE, Workload, demo_gradient, matrices, moons, weighted_sum


class Replay:
    """`prepare` once, then `step` as often as wanted."""

    package = ""
    neuron = staticmethod(weighted_sum)  # recorded operation by operation
    parameters: np.ndarray
    preparation: float | None = None  # seconds that `prepare` took

    def prepare(self, workload: Workload) -> None:
        raise NotImplementedError

    def gradient(self) -> np.ndarray:
        raise NotImplementedError

    def reset(self, numbers: list[float]) -> None:
        """Begin training anew."""
        self.parameters = np.array(numbers)

    def step(self) -> None:
        self.parameters -= RATE * self.gradient()

    def numbers(self) -> list[float]:
        return self.parameters.tolist()


class Compiled(Replay):
    """Ours, with NumPy."""

    package = "glassgrad"
    fast = False

    def __init__(self) -> None:
        import glassgrad as gg

        self.compile, self.sgd = gg.compile, gg.optim.SGD
        self.constant = self.leaf = gg.Value
        self.relu = gg.Value.relu

    def prepare(self, workload: Workload) -> None:
        leaves = [self.leaf(number) for number in workload.inputs]
        root = workload.expression(self, leaves)
        self.program = self.compile(root, parameters=leaves, fast=self.fast)
        self.optimizer = self.sgd(leaves, lr=RATE)
        self.program.backward()  # what the first run prepares belongs to the preparation

    def reset(self, numbers: list[float]) -> None:
        self.program.parameters.data = np.array(numbers)

    def step(self) -> None:
        self.program.step(self.optimizer)

    def numbers(self) -> list[float]:
        return self.program.parameters.data.tolist()


class CompiledFast(Compiled):
    """Ours, as machine code."""

    package = "numba"
    fast = True


class Casadi(Replay):
    package = "casadi"

    def __init__(self) -> None:
        import casadi

        self.casadi = casadi
        self.constant = float
        self.relu = lambda value: casadi.fmax(value, 0.0)

    def prepare(self, workload: Workload) -> None:
        casadi = self.casadi
        leaves = [casadi.SX.sym(f"x{i}") for i in range(len(workload.inputs))]
        root, inputs = workload.expression(self, leaves), casadi.vertcat(*leaves)
        slopes = casadi.densify(casadi.gradient(root, inputs))
        self.function = casadi.Function("loss", [inputs], [root, slopes])
        self.inputs, self.value = np.zeros(len(leaves)), np.zeros(1)
        self.slopes = np.zeros(len(leaves))
        self.buffer, self.call = self.function.buffer()
        self.buffer.set_arg(0, memoryview(self.inputs))
        self.buffer.set_res(0, memoryview(self.value))
        self.buffer.set_res(1, memoryview(self.slopes))

    def gradient(self) -> np.ndarray:
        self.inputs[:] = self.parameters
        self.call()
        return self.slopes


class Ddx(Replay):
    package = "ddx-ad"

    def __init__(self) -> None:
        import ddx

        self.ddx = ddx
        self.constant = float
        self.relu = lambda value: ddx.max(value, 0.0)

    def prepare(self, workload: Workload) -> None:
        ddx, count = self.ddx, len(workload.inputs)
        equation = ddx.equation(
            lambda: workload.expression(self, [ddx.var(f"x{i}") for i in range(count)])
        )
        self.call = equation.buffer(np.array(workload.inputs))

    def gradient(self) -> np.ndarray:
        self.call.x[:] = self.parameters
        self.call()
        return self.call.jacobian.reshape(-1)


class TorchArrays(Replay):
    package = "torch"

    def __init__(self) -> None:
        import torch

        torch.set_num_threads(1)
        self.torch = torch

    def prepare(self, workload: Workload) -> None:
        x, y = moons()
        self.x, self.y = self.torch.tensor(x), self.torch.tensor(y)

    def reset(self, numbers: list[float]) -> None:
        flat = self.torch.tensor(numbers, dtype=self.torch.double)
        self.layers = [
            part.clone().requires_grad_()
            for layer in matrices(flat)
            for part in (layer[:, :-1], layer[:, -1])
        ]

    def step(self) -> None:
        torch, linear = self.torch, self.torch.nn.functional.linear
        w1, b1, w2, b2, w3, b3 = self.layers
        hidden = torch.relu(linear(torch.relu(linear(self.x, w1, b1)), w2, b2))
        scores = linear(hidden, w3, b3).squeeze(1)
        squares = sum((part * part).sum() for part in self.layers)
        loss = torch.relu(1 - self.y * scores).mean() + DECAY * squares
        for part in self.layers:
            part.grad = None
        loss.backward()
        with torch.no_grad():
            for part in self.layers:
                part.sub_(RATE * part.grad)

    def numbers(self) -> list[float]:
        pairs = zip(self.layers[::2], self.layers[1::2], strict=True)
        rows = [np.c_[w.detach().numpy(), b.detach().numpy()].ravel() for w, b in pairs]
        return np.concatenate(rows).tolist()


class ByHand(Replay):
    package = "numpy"

    def prepare(self, workload: Workload) -> None:
        """Nothing: whoever wrote `demo_gradient` has done it."""

    def gradient(self) -> np.ndarray:
        return demo_gradient(self.parameters)


REPLAYS: dict[str, type[Replay]] = {
    "gg.compile": Compiled,
    "gg.compile, fast": CompiledFast,
    "casadi SX": Casadi,
    "ddx": Ddx,
    "PyTorch, arrays": TorchArrays,
    "NumPy by hand": ByHand,
}
