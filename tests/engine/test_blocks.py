"""``with gg.scope(...)``: where values belong, and operators that are as they were afterwards."""

import asyncio
import threading
from contextlib import suppress

import pytest

import glassgrad as gg
from glassgrad import nn
from glassgrad.engine.operators import Operators
from glassgrad.engine.scope import scope_of
from glassgrad.engine.value import Value


def scopes(root):
    return {node.scope for node in gg.graph(root, {}).nodes}


@pytest.fixture(autouse=True)
def nothing_stays():
    before = dict(vars(Operators)), Value.__init__
    yield
    assert (dict(vars(Operators)), Value.__init__) == before


def test_whatever_makes_a_value_puts_it_into_the_scope():
    x = gg.Value(0.5)
    with gg.scope("part"):
        made = [x + 1, 1 - x, x.tanh(), gg.tanh(x), gg.sum([x, x]), -x, gg.Value(2.0), x**2]
        labelled = gg.Value(1.0, label="w")
        own = gg.Value(4.0, (x,), "mine")
    assert {scope_of(value) for value in (*made, labelled, own)} == {"part"}
    assert (labelled.label, own._op, own._prev) == ("w", "mine", (x,))
    assert scope_of(x) == scope_of(x + 1) == ""


def test_blocks_stand_in_each_other_and_end_with_an_error():
    x = gg.Value(0.5)
    with gg.scope("outer"):
        with suppress(ZeroDivisionError), gg.scope("inner"):
            y = x + 1
            raise ZeroDivisionError
        z = y + 1
    assert (scope_of(y), scope_of(z)) == ("outer.inner", "outer")


def test_a_function_may_be_a_scope():
    @gg.scope("head")
    def head(x):
        return x.tanh()

    assert scope_of(head(gg.Value(0.5))) == scope_of(head(gg.Value(1.0))) == "head"


def test_layers_are_parts_of_the_block_around_them():
    model = nn.MLP(2, [2, 1], seed=1)
    with gg.scope("encoder"):
        out = model([gg.Value(1.0), gg.Value(2.0)])
    made = {node.scope for node in gg.graph(out, {}).nodes if node.kind == "result"}
    assert made == {f"encoder.layer {at}.neuron {n}" for at, n in ((1, 1), (1, 2), (2, 1))}
    with gg.scope("decoder"):
        inside = nn.Neuron(1, label="last.")
    assert {scope_of(parameter) for parameter in inside.parameters()} == {"decoder.last"}


def test_gradients_are_those_without_a_scope():
    def run():
        x, y = gg.Value(0.5), gg.Value(-2.0)
        ((x * y).exp() + x / y).backward()
        return x.grad, y.grad

    plain = run()
    with gg.scope("part"):
        assert run() == plain


def test_threads_and_tasks_have_scopes_of_their_own():
    started, done = threading.Event(), threading.Event()
    other = []

    def work():
        with gg.scope("theirs"):
            started.set()
            done.wait(10)
            other.append(gg.Value(1.0) + 1)

    thread = threading.Thread(target=work)
    thread.start()
    started.wait(10)
    mine = gg.Value(1.0) + 1
    with gg.scope("mine"):
        ours = gg.Value(1.0) + 1
    done.set()
    thread.join()
    assert [scope_of(value) for value in (mine, ours, *other)] == ["", "mine", "theirs"]

    async def task(name):
        with gg.scope(name):
            await asyncio.sleep(0)
            return gg.Value(1.0) + 1

    async def both():
        return await asyncio.gather(task("one"), task("two"))

    assert [scope_of(value) for value in asyncio.run(both())] == ["one", "two"]


@pytest.mark.parametrize("name", ["", " . ", None, 3])
def test_a_scope_needs_a_name(name):
    with pytest.raises(TypeError, match="scope\\(\\) needs the name of a part"), gg.scope(name):
        pass


def test_a_folded_picture_has_a_card_for_each_scope():
    x = gg.Value(0.5, label="x")
    with gg.scope("encoder"):
        h = x
        for _ in range(40):
            h = (h * 1.1).tanh()
    with gg.scope("decoder"):
        for _ in range(40):
            h = (h + 0.1).sin()
    widget = gg.show(h * 2, fold=True)
    names = [name for _, name, *_ in widget.graph["folds"]["groups"]]
    assert {"encoder", "decoder"} <= set(names)
    widget.close()
