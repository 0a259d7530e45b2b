"""A compiled program gives what the Values give, at other numbers and for whole batches."""

import copy
import dataclasses
import math
import pickle
import subprocess
import sys
import warnings
import weakref
from itertools import product
from random import Random
from unittest import mock

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from random_programs import LARGE, ours, programs, run
from replaying import EDGES, FEW_EDGES, ROWS, eager

import glassgrad as gg
from glassgrad import Value, optim
from glassgrad.engine.ops import PRIMITIVES
from glassgrad.engine.replay import bytecode, compiled, machines
from glassgrad.engine.replay.recording import record
from glassgrad.engine.replay.schedule import plan, schedule

# One interpreter that knows every opcode, so that numba compiles once for all random programs.
OPCODES = tuple(
    bytecode.Opcode(name, receives)
    for name in ROWS
    for receives in product([True, False], repeat=PRIMITIVES[name].arity)
    if any(receives)
)


class AnyOpcode(compiled.Compiled):
    """Machine code for a bytecode, by the interpreter for every opcode."""

    def __init__(self, code):
        position = {opcode: k for k, opcode in enumerate(OPCODES)}
        meaning = np.array([position[opcode] for opcode in code.opcodes], np.intp)
        numbers = meaning[code.code] if len(code.code) else code.code
        super().__init__(dataclasses.replace(code, opcodes=OPCODES, code=numbers))


@pytest.fixture(scope="module")
def every_machine():
    """Return a function from a recording to all the machines that can run it."""

    def make(recording):
        with mock.patch.object(machines, "Compiled", AnyOpcode):
            return {
                "groups": machines.in_groups(plan(recording)),
                "one by one": machines.OneByOne(recording),
                "code of groups": machines.machine_code(plan(recording), is_wide=True),
                "code": machines.machine_code(plan(recording), is_wide=False),
            }

    return make


points = st.lists(
    st.lists(st.floats(-3, 3).map(lambda x: round(x, 3)), min_size=4, max_size=4),
    min_size=1,
    max_size=4,
)


@given(program=programs(), rows=points)
@settings(max_examples=200, deadline=None)
def test_replay_equals_eager_at_new_points(every_machine, program, rows):
    numbers, steps = program
    leaves = [Value(x) for x in numbers]
    recording = record(run(leaves, steps, ours), leaves)
    expected = [eager(steps, row[: len(leaves)]) for row in rows]
    table = np.array(rows)[:, : len(leaves)]
    with np.errstate(all="ignore"):
        for name, machine in every_machine(recording).items():
            values, grads = machine.run(table, gradients=True)
            for k, (value, slopes, scale) in enumerate(expected):
                if scale < LARGE:
                    assert values[k, 0] == pytest.approx(value, rel=1e-9, abs=1e-9 * scale), name
                    assert grads[k] == pytest.approx(slopes, rel=1e-9, abs=1e-9 * scale**2), name
            (value,), slopes = machine.run(table[0], gradients=True)
            assert value == pytest.approx(values[0, 0], rel=1e-12, nan_ok=True), name
            (alone,), none = machine.run(table[0], gradients=False)
            assert alone == pytest.approx(value, rel=1e-12, nan_ok=True)
            assert len(none) == 0


@pytest.mark.parametrize("name", ROWS)
def test_every_row_at_the_edges(every_machine, name):
    row = PRIMITIVES[name]
    edges = EDGES if row.arity < 3 else FEW_EDGES
    table = np.array(np.meshgrid(*[edges] * row.arity)).reshape(row.arity, -1).T
    leaves = [Value(0.5) for _ in range(row.arity)]
    machines = every_machine(record(getattr(gg, name)(*leaves), leaves))
    with np.errstate(all="ignore"):
        results = {key: machine.run(table, gradients=True) for key, machine in machines.items()}
    for k, numbers in enumerate(table.tolist()):
        values = [Value(x) for x in numbers]
        out = getattr(gg, name)(*values)
        out.backward()
        for key, (data, grads) in results.items():
            message = f"{name}{numbers} by {key}"
            assert data[k, 0] == pytest.approx(out.data, rel=1e-13, nan_ok=True), message
            slopes = [value.grad for value in values]
            assert grads[k] == pytest.approx(slopes, rel=1e-12, abs=1e-300, nan_ok=True), message


def mlp(weights, inputs, outputs, point, activate=True):
    """Return a layer's neurons; `weights` is an iterator."""
    neurons = []
    for _ in range(outputs):
        row = [next(weights) for _ in range(inputs)]
        neuron = sum((w * x for w, x in zip(row, point, strict=True)), next(weights))
        neurons.append(neuron.relu() if activate else neuron)
    return neurons


def score(parameters, point):
    weights = iter(parameters)
    hidden = mlp(weights, 2, 8, point)
    return mlp(weights, 8, 1, hidden, activate=False)[0]


def samples(count):
    random = Random(1)
    sides = [random.choice([-1.0, 1.0]) for _ in range(count)]
    return [([random.gauss(side, 1), random.gauss(0, 1)], side) for side in sides]


def network():
    random = Random(2)
    return [Value(random.uniform(-1, 1)) for _ in range(2 * 8 + 8 + 8 + 1)]


def batch_loss(parameters, data):
    losses = [(1 - side * score(parameters, point)).relu() for point, side in data]
    return sum(losses) * (1.0 / len(losses)) + 1e-3 * sum(p * p for p in parameters)


@pytest.mark.parametrize("fast", [False, True])
def test_training_in_place_is_training(fast):
    data = samples(40)
    parameters, twins = network(), network()
    program = gg.compile(batch_loss(parameters, data), parameters=parameters, fast=fast)
    optimizer, other = (optim.SGD(p, lr=0.1, momentum=0.9) for p in (parameters, twins))
    for _ in range(10):
        loss = batch_loss(twins, data)
        other.zero_grad()
        loss.backward()
        other.step()
        assert program.step(optimizer) == pytest.approx(loss.data, rel=1e-12)
    program.write_back()
    for parameter, twin in zip(parameters, twins, strict=True):
        assert parameter.data == pytest.approx(twin.data, rel=1e-10)
        assert parameter.grad == pytest.approx(twin.grad, rel=1e-9, abs=1e-12)


def test_one_sample_and_a_batch_of_them_train_as_the_whole_graph_does():
    data = samples(30)
    parameters = network()
    x, y, side = Value(0.0), Value(0.0), Value(0.0)
    one = (1 - side * score(parameters, [x, y])).relu()
    program = gg.compile(one, inputs=[x, y, side], parameters=parameters)
    losses = program.backward([[*point, side] for point, side in data])

    whole = sum((1 - side * score(parameters, point)).relu() for point, side in data)
    whole.backward()
    assert losses.shape == (30,)
    assert losses.sum() == pytest.approx(whole.data, rel=1e-12)
    slopes = [parameter.grad for parameter in parameters]
    assert program.parameters.grad == pytest.approx(slopes, rel=1e-9, abs=1e-12)


@pytest.mark.parametrize("spelling", ["w * x", "x * w"])
def test_a_layer_is_one_matrix_product(spelling):
    """65,000 instructions of a training step become a handful of groups."""
    data = samples(64)
    parameters = network()
    random = Random(3)
    rows = [[Value(random.random()) for _ in range(17)] for _ in range(16)]
    points = [[Value(random.random()) for _ in range(16)] for _ in range(24)]
    product_of = {"w * x": lambda w, x: w * x, "x * w": lambda w, x: x * w}[spelling]
    layer = [
        sum((product_of(w, x) for w, x in zip(row, point, strict=False)), row[-1]).tanh()
        for point in points
        for row in rows
    ]
    leaves = [value for row in rows + points for value in row]
    groups = schedule(plan(record(sum(layer), leaves))).groups
    assert [type(group).__name__ for group in groups] == ["Products", "Elementwise", "Products"]
    assert sorted(groups[0].shape) == [1, 16, 24]

    loss = batch_loss(parameters, data)
    assert plan(record(loss, parameters)).groups <= 10


def test_unequal_rows_still_find_their_blocks():
    """Two layers of the same width stand side by side in one level."""
    random = Random(4)

    def numbers(count, width):
        return [[Value(random.random()) for _ in range(width)] for _ in range(count)]

    weights, points = [numbers(8, 32), numbers(8, 32)], [numbers(9, 32), numbers(9, 32)]
    dots = [
        sum(w * x for w, x in zip(row, point, strict=True))
        for rows, xs in zip(weights, points, strict=True)
        for row in rows
        for point in xs
    ]
    root = sum(dot.tanh() for dot in dots)
    leaves = [v for side in (*weights, *points) for row in side for v in row]
    recording = record(root, leaves)
    assert schedule(plan(recording)).groups[0].shape == (2, 8, 9)
    machine = machines.in_groups(plan(recording))
    (value,), grads = machine.run(recording.numbers[: recording.given], gradients=True)
    root.backward()
    assert value == pytest.approx(root.data, rel=1e-12)
    assert grads == pytest.approx([leaf.grad for leaf in leaves], rel=1e-11)


def test_a_long_thin_graph_needs_no_groups():
    x = Value(1.0)
    y = x
    for _ in range(20_000):
        y = y * 1.0001 + 0.001
    program = gg.compile(y, inputs=[x], fast=False)
    assert "one by one" in repr(program)
    value, gradient = program.value_and_grad([1.5])
    assert gradient[0] == pytest.approx(1.0001**20_000, rel=1e-9)
    values, gradients = program.value_and_grad([[1.5], [2.0]])
    assert values[0] == pytest.approx(value, rel=1e-12)
    assert gradients == pytest.approx(np.full((2, 1), gradient[0]))
    assert gg.compile(y, inputs=[x], fast=True)([1.5]) == pytest.approx(value, rel=1e-9)


def test_a_large_batch_is_run_in_pieces():
    parameters = network()
    x, y = Value(0.0), Value(0.0)
    recording = record(score(parameters, [x, y]), [x, y, *parameters])
    machine = machines.in_groups(plan(recording))
    rows = np.random.default_rng(1).normal(size=(5_000, recording.given))
    values, grads = machine.run(rows, gradients=True)
    for k in (0, 1, 2_499, 4_999):
        alone, slopes = machine.run(rows[k], gradients=True)
        assert values[k] == pytest.approx(alone, rel=1e-12)
        assert grads[k] == pytest.approx(slopes, rel=1e-9, abs=1e-12)


def test_shapes():
    a, b = Value(2.0), Value(-3.0)
    program = gg.compile(a * b + a, inputs=[a, b])
    assert isinstance(program([1.0, 2.0]), float)
    grid = np.arange(24.0).reshape(3, 4, 2)
    assert program(grid).shape == (3, 4)
    value, gradient = program.value_and_grad(grid)
    assert value.tolist() == (grid[..., 0] * grid[..., 1] + grid[..., 0]).tolist()
    assert gradient.tolist() == np.stack([grid[..., 1] + 1, grid[..., 0]], axis=-1).tolist()
    assert program(np.zeros((0, 2))).shape == (0,)
    assert program.value_and_grad(np.zeros((0, 2)))[1].shape == (0, 2)
    with pytest.raises(ValueError, match=r"has 2 inputs; got values of the shape \(3,\)"):
        program([1.0, 2.0, 3.0])


def test_without_inputs_every_leaf_is_one_in_the_order_they_are_met():
    a, b, c = Value(2.0), Value(3.0), Value(5.0)
    assert gg.compile((b - a) * c)([1.0, 10.0, 2.0]) == -18.0


def test_other_leaves_keep_their_numbers():
    a, b = Value(2.0), Value(3.0)
    program = gg.compile(a * b, inputs=[a])
    b.data = 100.0
    assert program([5.0]) == 15.0


def test_a_computed_value_can_be_an_input():
    a = Value(2.0)
    h = a.exp()
    assert gg.compile(h * 3, inputs=[h])([2.0]) == 6.0
    assert gg.compile(h, inputs=[h]).value_and_grad([2.0])[1].tolist() == [1.0]


def test_an_input_that_does_not_matter_has_no_gradient():
    a, b = Value(2.0), Value(3.0)
    assert gg.compile(a * 2, inputs=[a, b]).value_and_grad([1.0, 1.0])[1].tolist() == [2.0, 0.0]
    assert gg.compile(Value(7.0), inputs=[b])([1.0]) == 7.0


def test_outputs_are_returned_and_send_no_gradient():
    a = Value(2.0)
    h = a * a
    program = gg.compile(h + 1, inputs=[a], outputs=[h, 1 / (a - 3), a])
    assert program([3.0]).tolist() == [9.0, math.inf, 3.0]
    assert program([[3.0], [1.0]]).shape == (2, 3)
    value, gradient = program.value_and_grad([[3.0], [1.0]])  # 0 × inf must not get in
    assert value.tolist() == [10.0, 2.0]
    assert gradient.tolist() == [[6.0], [2.0]]


# -- copies ---------------------------------------------------------------------------------------


@pytest.mark.parametrize("fast", [None, True])
@pytest.mark.parametrize("again", [copy.deepcopy, lambda given: pickle.loads(pickle.dumps(given))])
def test_a_copy_replays_and_trains_its_own_model(again, fast):
    w, x = [Value(0.5), Value(-1.0)], Value(2.0)
    hidden = (w[0] * x).tanh()
    root = (hidden * w[1] - 1) ** 2
    program = gg.compile(root, inputs=[x], outputs=[hidden], parameters=w, fast=fast)
    program.backward([[2.0], [3.0]])
    copied, own = again((program, w))

    assert copied([[2.0], [0.5]]).tolist() == program([[2.0], [0.5]]).tolist()
    assert copied.parameters.grad.tolist() == program.parameters.grad.tolist()
    assert repr(copied) == repr(program)
    copied.step(optim.SGD(own, lr=0.1), [2.0])
    copied.write_back()
    program.write_back()
    assert [v.data for v in w] == [0.5, -1.0]
    assert [v.data for v in own] == copied.parameters.data.tolist() != [0.5, -1.0]


def test_a_pickled_program_runs_in_another_process():
    x = Value(2.0)
    program = gg.compile(x * x + 1, inputs=[x])
    source = "import pickle, sys; print(pickle.load(sys.stdin.buffer).value_and_grad([3.0]))"
    done = subprocess.run(
        [sys.executable, "-c", source], input=pickle.dumps(program), capture_output=True, check=True
    )
    assert done.stdout.decode().strip() == "(10.0, array([6.]))"


def test_a_number_made_into_a_value_by_looking_changes_nothing():
    x = Value(2.0)
    y = x**3
    assert y._prev[1].data == 3.0
    assert gg.compile(y, inputs=[x]).value_and_grad([-2.0])[1].tolist() == [12.0]


@pytest.mark.parametrize(
    "make",
    [
        lambda x: x**3,
        lambda x: 1 - x,
        lambda x: x.clamp(0, 1),
        lambda x: gg.sum([x, 1.0, x]),
        lambda x: gg.clamp(0.5, x, 3.0),
    ],
)
def test_plain_numbers_are_no_inputs_also_where_somebody_looked(make):
    x = Value(2.0)
    y = make(x)
    for value in [y, *y._prev]:
        repr(value._prev)
    program = gg.compile(y)
    assert program([0.25]) == make(Value(0.25)).data
    constant = next(value for value in y._prev if value is not x)
    assert gg.compile(y, inputs=[constant, x])([constant.data, 0.25]) == program([0.25])
    constant.label = "c"  # now it is a value
    assert "2 inputs" in repr(gg.compile(y))


def test_zero_times_infinity_is_nan_as_it_is_for_values():
    x = Value(0.0)
    root = (x.log() * 1.0).relu() + x.sqrt() * 0.0
    root.backward()
    value, gradient = gg.compile(root, inputs=[x]).value_and_grad([0.0])
    assert value == root.data
    assert gradient[0] == pytest.approx(x.grad, nan_ok=True)


@pytest.mark.parametrize("place", ["inputs", "parameters", "outputs"])
def test_a_value_alone_is_no_list(place):
    x = Value(1.0, label="x")
    with pytest.raises(TypeError, match="x is given alone where a list of Values is needed"):
        gg.compile(x * 2, **{place: x})


def test_a_rule_of_the_users_own_is_refused_by_name():
    x = Value(1.0)
    out = Value(math.exp(1.0), (x,), "exp", label="e")
    out._backward = lambda: None
    with pytest.raises(ValueError, match=r"^e was computed by a rule of your own.*x\.exp\(\)"):
        gg.compile(out * 2)
    assert gg.compile(out * 2, inputs=[out])([3.0]) == 6.0


@pytest.mark.parametrize("wrong", [3, 2.0])
def test_a_plain_number_has_no_graph(wrong):
    with pytest.raises(TypeError, match="plain number and has no graph"):
        gg.compile(wrong)


def test_a_foreign_value_and_a_value_given_twice_are_refused():
    a = Value(2.0, label="a")
    with pytest.raises(TypeError, match="Only glassgrad's own Value can be replayed; got"):
        gg.compile(object())
    with pytest.raises(ValueError, match="a is given twice"):
        gg.compile(a * a, inputs=[a, a])


def test_a_comparison_on_the_way_is_told():
    h = Value(2.0, label="h")
    root = h * 2 if h > 1 else h
    with pytest.warns(UserWarning, match=r"^h was compared with a number in line \d+ of") as told:
        gg.compile(root)
    assert told[0].filename == __file__
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        gg.compile(Value(1.0).relu())


def test_machine_code_without_numba_is_refused_in_one_sentence(monkeypatch):
    monkeypatch.setitem(sys.modules, "numba", None)
    compiled._interpreter.cache_clear()
    with pytest.raises(ModuleNotFoundError, match=r"needs numba.*'glassgrad\[fast\]'"):
        gg.compile(Value(1.0).tanh(), fast=True)


def test_values_are_not_needed_afterwards():
    a = Value(2.0)
    root = a.tanh()
    program = gg.compile(root, inputs=[a])
    gone = weakref.ref(root)
    del root, a
    assert gone() is None
    assert program([0.0]) == 0.0


def test_importing_the_package_brings_no_numpy_and_compiling_no_numba():
    script = (
        "import sys, glassgrad as gg; assert 'numpy' not in sys.modules;"
        "a = gg.Value(2.0); assert gg.compile(a * a)([3.0]) == 9.0;"
        "assert not {'numba', 'jax', 'torch'} & set(sys.modules)"
    )
    subprocess.run([sys.executable, "-c", script], check=True)
