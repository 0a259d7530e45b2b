"""The exported functions give the values and gradients of the Values, wherever they run."""

import os
import subprocess
import sys
from pathlib import Path
from random import Random

import jax
import jax.numpy as jnp
import numpy as np
import pytest
import torch
from hypothesis import given, settings
from random_programs import LARGE, ours, programs, run
from replaying import EDGES, FEW_EDGES, ROWS, eager

import glassgrad as gg
from glassgrad import Value
from glassgrad.engine.ops import PRIMITIVES

jax.config.update("jax_enable_x64", True)


def by_jax(root, leaves, table):
    f = gg.to_jax(root, leaves)
    return f(jnp.array(table)), jax.grad(lambda rows: f(rows).sum())(jnp.array(table))


def by_torch(root, leaves, table):
    rows = torch.tensor(table, requires_grad=True)
    values = gg.to_torch(root, leaves)(rows)
    values.sum().backward()
    return values.detach().numpy(), rows.grad.numpy()


LIBRARIES = [by_jax, by_torch]


@pytest.mark.parametrize("library", LIBRARIES)
@given(program=programs())
@settings(max_examples=60, deadline=None)
def test_random_programs(library, program):
    numbers, steps = program
    leaves = [Value(1.0) for _ in numbers]
    table = np.array([numbers, [0.7 * x + 0.1 for x in numbers]])
    expected = [eager(steps, row) for row in table.tolist()]
    values, grads = library(run(leaves, steps, ours), leaves, table)
    for k, (value, slopes, scale) in enumerate(expected):
        if scale < LARGE:
            assert values[k] == pytest.approx(value, rel=1e-9, abs=1e-9 * scale)
            assert grads[k] == pytest.approx(slopes, rel=1e-9, abs=1e-9 * scale**2)


@pytest.mark.parametrize("library", LIBRARIES)
@pytest.mark.parametrize("name", ROWS)
def test_every_row_at_the_edges(library, name):
    row = PRIMITIVES[name]
    edges = EDGES if row.arity < 3 else FEW_EDGES
    table = np.array(np.meshgrid(*[edges] * row.arity)).reshape(row.arity, -1).T
    leaves = [Value(0.5) for _ in range(row.arity)]
    data, grads = library(getattr(gg, name)(*leaves), leaves, table)
    for k, numbers in enumerate(table.tolist()):
        values = [Value(x) for x in numbers]
        out = getattr(gg, name)(*values)
        out.backward()
        message = f"{name}{numbers}"
        assert data[k] == pytest.approx(out.data, rel=1e-12, nan_ok=True), message
        slopes = [value.grad for value in values]
        assert grads[k] == pytest.approx(slopes, rel=1e-12, abs=1e-300, nan_ok=True), message


def network(inputs=2, hidden=8):
    """Return the score of one point, its inputs and the parameters."""
    random = Random(1)
    parameters = [Value(random.uniform(-1, 1)) for _ in range(hidden * (inputs + 2) + 1)]
    point = [Value(0.0) for _ in range(inputs)]
    weights = iter(parameters)
    neurons = [sum((next(weights) * x for x in point), next(weights)).tanh() for _ in range(hidden)]
    return sum((next(weights) * h for h in neurons), next(weights)), point, parameters


POINTS = np.random.default_rng(1).normal(size=(16, 2))


def test_transformations_of_jax():
    root, point, parameters = network()
    f = gg.to_jax(root, point, parameters=parameters)
    weights = jnp.array([parameter.data for parameter in parameters])
    program = gg.compile(root, inputs=[*parameters, *point])
    given = np.concatenate([np.tile(weights, (16, 1)), POINTS], axis=1)
    values, grads = program.value_and_grad(given)

    assert f(weights, POINTS) == pytest.approx(values, rel=1e-12)
    one_by_one = jax.jit(jax.vmap(f, in_axes=(None, 0)))
    assert one_by_one(weights, POINTS) == pytest.approx(values, rel=1e-12)
    slopes = jax.vmap(jax.jit(jax.grad(f)), in_axes=(None, 0))(weights, POINTS)
    assert slopes == pytest.approx(grads[:, : len(weights)], rel=1e-12, abs=1e-15)

    direction = jnp.ones(2)
    _, forward = jax.jvp(lambda x: f(weights, x), (POINTS[0],), (direction,))
    assert forward == pytest.approx(grads[0, len(weights) :].sum(), rel=1e-12)
    curvature = jax.hessian(lambda x: f(weights, x))(POINTS[0])
    assert curvature == pytest.approx(np.array(second_derivatives(POINTS[0])), rel=1e-10)


def second_derivatives(numbers):
    root, point, _ = network()
    for value, number in zip(point, numbers, strict=True):
        value.data = float(number)
    root.forward()
    slopes = gg.engine.transforms.gradients(root, point)
    return [[row.data for row in gg.engine.transforms.gradients(s, point)] for s in slopes]


def test_second_derivatives_of_torch():
    root, point, parameters = network()
    module = gg.to_torch(root, point, parameters=parameters)
    curvature = torch.autograd.functional.hessian(module, torch.tensor(POINTS[0]))
    assert curvature.numpy() == pytest.approx(np.array(second_derivatives(POINTS[0])), rel=1e-10)
    slopes = torch.func.vmap(torch.func.grad(module))(torch.tensor(POINTS))
    expected = gg.compile(root, inputs=point).value_and_grad(POINTS)[1]
    assert slopes.detach().numpy() == pytest.approx(expected, rel=1e-12)


def test_a_torch_module_trains_and_is_saved():
    root, point, parameters = network()
    module = gg.to_torch(root, point, parameters=parameters)
    optimizer = torch.optim.SGD(module.parameters(), lr=0.1)
    program = gg.compile(root, inputs=point, parameters=parameters)
    for _ in range(3):
        optimizer.zero_grad()
        module(torch.tensor(POINTS)).sum().backward()
        optimizer.step()
        program.step(gg.optim.SGD(parameters, lr=0.1), POINTS)
    assert module.weight.detach().numpy() == pytest.approx(program.parameters.data, rel=1e-11)
    again = gg.to_torch(root, point, parameters=parameters)
    again.load_state_dict(module.state_dict())
    assert torch.equal(again(torch.tensor(POINTS)), module(torch.tensor(POINTS)))
    assert module.float()(torch.tensor(POINTS).float()).dtype == torch.float32


@pytest.mark.parametrize("library", LIBRARIES)
def test_a_long_thin_graph(library):
    """Two thousand operations, each waiting for the one before."""
    a, x = Value(0.5), Value(1.5)
    root = x
    for _ in range(500):
        root = (root * 1.01 + a).sin() / 0.9
    root.backward()
    values, grads = library(root, [a, x], np.array([[0.5, 1.5], [0.4, 1.0]]))
    assert values[0] == pytest.approx(root.data, rel=1e-10)
    assert grads[0] == pytest.approx([a.grad, x.grad], rel=1e-8)


def test_a_long_thin_graph_under_jit_and_vmap():
    x = Value(1.0)
    root = x
    for _ in range(300):
        root = (root * 1.01).tanh() + 0.1
    root.backward()
    f = gg.to_jax(root, [x])
    values = jnp.ones((3, 1))
    assert jax.jit(f)(values) == pytest.approx(np.full(3, root.data), rel=1e-12)
    slopes = jax.jit(jax.vmap(jax.grad(f)))(values)
    assert slopes == pytest.approx(np.full((3, 1), x.grad), rel=1e-10)


def test_wrong_shapes_and_wrong_graphs():
    a, b = Value(2.0), Value(3.0)
    with pytest.raises(ValueError, match=r"has 2 inputs; got an array of the shape \(3,\)"):
        gg.to_jax(a * b, [a, b])(jnp.zeros(3))
    with pytest.raises(ValueError, match=r"has 2 inputs; got a tensor of the shape \(3,\)"):
        gg.to_torch(a * b, [a, b])(torch.zeros(3))
    for export in (gg.to_jax, gg.to_torch):
        with pytest.raises(TypeError, match="plain number and has no graph"):
            export(3.0)


def test_without_the_library_one_sentence_says_what_to_install(monkeypatch):
    monkeypatch.delitem(sys.modules, "glassgrad.engine.replay.in_jax", raising=False)
    monkeypatch.setitem(sys.modules, "jax", None)
    with pytest.raises(ModuleNotFoundError, match=r"to_jax needs jax, .*: pip install jax"):
        gg.to_jax(Value(1.0).tanh())


# -- several devices, several processes: each in a Python of its own -------------------------------

SHARDED = """
import jax
import numpy as np
from jax.sharding import Mesh, NamedSharding, PartitionSpec

jax.config.update("jax_enable_x64", True)
import glassgrad as gg
from test_interop import POINTS, network

assert len(jax.devices()) == 8
root, point, parameters = network()
f = gg.to_jax(root, point, parameters=parameters)
program = gg.compile(root, inputs=point, parameters=parameters)


def train(mesh):
    weights = jax.device_put(
        np.array([p.data for p in parameters]), NamedSharding(mesh, PartitionSpec())
    )
    points = jax.device_put(POINTS, NamedSharding(mesh, PartitionSpec("samples")))
    values = jax.jit(f)(weights, points)
    assert len(values.sharding.device_set) == 8 and not values.sharding.is_fully_replicated
    grads = jax.jit(jax.grad(lambda w, x: f(w, x).sum()))(weights, points)
    np.testing.assert_allclose(values, program.backward(POINTS), rtol=1e-12)
    np.testing.assert_allclose(grads, program.parameters.grad, rtol=1e-12)


train(Mesh(np.array(jax.devices()), ("samples",)))  # the compiler finds the way
explicit = jax.make_mesh((8,), ("samples",))  # the types of arrays say it
with jax.set_mesh(explicit):
    train(explicit)
"""

DISTRIBUTED = """
import sys

import numpy as np
import torch
import torch.distributed as dist
from torch.nn.parallel import DistributedDataParallel

import glassgrad as gg
from test_interop import POINTS, network


def train(rank, meeting):
    dist.init_process_group("gloo", init_method=f"file://{meeting}", rank=rank, world_size=2)
    root, point, parameters = network()
    module = DistributedDataParallel(gg.to_torch(root, point, parameters=parameters))
    mine = torch.tensor(POINTS[rank::2])  # every process has half of the points
    module(mine).sum().backward()

    program = gg.compile(root, inputs=point, parameters=parameters)
    program.backward(POINTS)
    mean = program.parameters.grad / 2  # DistributedDataParallel averages over the processes
    np.testing.assert_allclose(module.module.weight.grad.numpy(), mean, rtol=1e-12)
    dist.destroy_process_group()


if __name__ == "__main__":
    torch.multiprocessing.spawn(train, args=(sys.argv[1],), nprocs=2)
"""


def in_a_python_of_its_own(script, tmp_path, *arguments, **environment):
    path = tmp_path / "script.py"
    path.write_text(script)
    done = subprocess.run(
        [sys.executable, path, *arguments],
        env=os.environ | {"PYTHONPATH": str(Path(__file__).parent)} | environment,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr


def test_jax_over_eight_devices(tmp_path):
    flags = "--xla_force_host_platform_device_count=8"
    in_a_python_of_its_own(SHARDED, tmp_path, XLA_FLAGS=flags)


def test_torch_in_two_processes(tmp_path):
    in_a_python_of_its_own(DISTRIBUTED, tmp_path, str(tmp_path / "meeting"))
