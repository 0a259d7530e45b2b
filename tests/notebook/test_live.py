"""Pictures that follow: cells, loops, and how much of it is sent."""

import asyncio
import gc
import math
import weakref

import pytest

import glassgrad as gg
from glassgrad import nn
from glassgrad.notebook import pace
from glassgrad.notebook.live import live
from glassgrad.notebook.session import WIDGETS
from glassgrad.notebook.watch import Watch
from glassgrad.notebook.widget import WATCHED

SHOWN = "import glassgrad as gg\na = Value(2.0)\nb = a * 3\ndisplay(gg.show(b))"


@pytest.fixture
def clock(monkeypatch):
    """A clock that stands still until the test moves it."""
    now = [100.0]
    plain = pace.Pace.__init__
    monkeypatch.setattr(pace.Pace, "__init__", lambda self: plain(self, lambda: now[0]))
    return now


def messages(widget, monkeypatch):
    """Collect the names of the traits in every message to the page."""
    sent = []
    monkeypatch.setattr(
        widget, "_send", lambda message, **_: sent.append(set(message.get("state", ())))
    )
    return sent


def steps(x, count):
    for _ in range(count):
        loss = (x - 1) ** 2
        x.grad = 0.0
        loss.backward()
        x.data -= 0.25 * x.grad


class Mine:
    """A learner's class whose backward calls itself."""

    def __init__(self, data, prev=()):
        self.data, self.grad, self._prev, self._op = data, 0.0, prev, "+" if prev else ""
        self._backward = lambda: None

    def __add__(self, other):
        out = Mine(self.data + other.data, (self, other))

        def _backward():
            self.grad += out.grad
            other.grad += out.grad

        out._backward = _backward
        return out

    def backward(self):
        self.grad = 1.0 if not self.grad else self.grad
        self._backward()
        for value in self._prev:
            value.backward()


# -- after every cell ---------------------------------------------------------------------------


def test_a_cell_changes_every_picture_of_the_session(run):
    (one,) = run(SHOWN).widgets
    (two,) = run("%%autograd\nc = a * a").widgets
    sent = []
    for widget in (one, two):
        widget.observe(lambda change: sent.append(change["name"]), ["graph", "numbers"])
    run("x = 1")
    assert sent == []
    run("b.backward()")
    assert (one.numbers["ran"], one.numbers["grad"][0]) == (True, a_grad := 7.0)
    assert two.numbers["grad"][0] == a_grad
    assert sent == ["numbers", "numbers"]
    assert one.graph["nodes"]["label"] == ["a", "3", "b"]


def test_a_number_changed_by_hand_is_said_to_be_out_of_step(run):
    (widget,) = run(SHOWN).widgets
    run("a.data = 5.0")
    assert widget.numbers["data"] == [5.0, 3.0, 6.0]
    assert dict(widget.numbers["notes"]["nodes"])[2].startswith(
        "b no longer follows from its operands"
    )


def test_a_left_over_gradient_names_the_cell_that_left_it(run, ip):
    run("w, v = Value(1.0), Value(5.0)\ny = w * 2.0\ny.backward()")
    first = ip.execution_count - 1
    run("other = v * 1.0")
    z = "import glassgrad as gg\nz = w * v\nz.backward()\ndisplay(gg.show(z))"
    (widget,) = run(z).widgets
    assert widget.numbers["grad"] == [7.0, 1.0, 1.0]
    assert widget.numbers["notes"]["cells"] == [[0, first]]
    (message,) = widget.graph["messages"]
    assert f"accounts for 5 of it: the rest is from cell {first}. Zero" in message


def test_a_picture_names_the_cell_that_added_to_it_later(run, ip):
    (widget,) = run("%%autograd\na = Value(2.0)\nb = a * 3").widgets
    assert widget.numbers["notes"]["cells"] == []
    run("(a * 4).backward()")
    assert widget.numbers["grad"][0] == 7.0
    assert widget.numbers["notes"]["cells"] == [[0, ip.execution_count - 1]]


def test_a_left_over_gradient_of_nobody_known_is_told_without_a_cell():
    w = gg.Value(1.0)
    (w * 2.0).backward()
    y = w * 3.0
    y.backward()
    widget = gg.show(y)
    assert widget.numbers["notes"]["cells"] == []
    assert "the rest was there before" in widget.graph["messages"][0]


def test_closed_and_forgotten_widgets_are_left_alone(run):
    (widget,) = run(SHOWN).widgets
    widget.close()
    assert widget not in WIDGETS
    assert run("b.backward()").result.success


def test_a_class_that_cannot_be_read_any_more_does_not_fail_the_cell(run):
    cell = (
        "import glassgrad as gg\n"
        "class Odd:\n"
        "    def __init__(self, data): self.data, self.grad, self._prev = data, 0.0, ()\n"
        "odd = Odd(1.0)\n"
        "display(gg.show(odd))"
    )
    (widget,) = run(cell).widgets
    ran = run("Odd.grad = property(lambda self: 1 / 0)\ndel odd.__dict__['grad']")
    assert ran.result.success
    assert "Error in callback" not in ran.stdout
    assert widget.error.startswith("Reading this graph again raised ZeroDivisionError")


def test_large_graphs_wait_for_refresh():
    a = value = gg.Value(1.0)
    for _ in range(WATCHED):
        value = value + a
    widget = gg.show(value)
    value.backward()
    widget.refresh_if_changed({})
    assert not widget.numbers["ran"]
    widget.refresh()
    assert widget.numbers["ran"]


def test_a_watch_keeps_nothing_and_nan_is_no_change():
    a = gg.Value(math.nan)
    b = a * 2
    graph, watch, gone = gg.graph(b, {}), Watch(b), weakref.ref(b)
    assert not watch.differs(graph)
    a.data = 1.0
    assert watch.differs(graph)
    del a, b
    gc.collect()
    assert gone() is None
    assert not watch.differs(graph)


# -- loops --------------------------------------------------------------------------------------


def test_a_loop_is_followed_in_place(clock):
    x = gg.Value(0.0)
    widget = gg.show((x - 1) ** 2)
    structure = widget.graph
    with live(widget):
        steps(x, 1)
        assert widget.numbers["data"][0] == 0.0
        assert widget.numbers["grad"][0] == -2.0
        clock[0] += 1
        steps(x, 1)
        assert widget.numbers["grad"][0] == -1.0
    assert widget.numbers["data"][0] == x.data == 0.75
    assert widget.history == [1.0, 0.25]
    assert {**widget.graph, "nodes": None} == {**structure, "nodes": None}


def test_steps_between_two_pictures_are_counted_and_not_read(clock, monkeypatch):
    x = gg.Value(0.0)
    widget = gg.show((x - 1) ** 2)
    reads = []
    show = widget.show_root
    monkeypatch.setattr(widget, "show_root", lambda *args: (reads.append(args), show(*args)))
    with live(widget):
        steps(x, 200)
    assert len(reads) == 2  # the first step and the end
    assert len(widget.history) == 200
    assert widget.history[:3] == [1.0, 0.25, 0.0625]


def test_a_network_keeps_its_picture():
    model = nn.MLP(2, [3, 1], seed=1, activation="tanh")

    def loss():
        return (model([0.5, -0.5]) - 1.0) ** 2

    widget = gg.show(loss())
    structure = widget.graph
    optimizer = gg.optim.SGD(model.parameters(), lr=0.05)
    with live(widget):
        losses = nn.fit(loss, optimizer, steps=200)
    assert widget.history == losses
    assert widget.graph["edges"] == structure["edges"]
    assert widget.graph["nodes"]["label"] == structure["nodes"]["label"]
    assert losses[-1] < 1e-3 < losses[0]


def test_a_learners_class_is_heard_once_per_pass_and_left_as_it_was(clock):
    original = Mine.backward
    a = Mine(1.0)
    widget = gg.show(a + a)
    with live(widget):
        for _ in range(3):
            (a + a + a).backward()
            clock[0] += 1
    assert widget.history == [3.0, 3.0, 3.0]
    assert widget.numbers["data"][-1] == 3.0
    assert Mine.backward is original


def test_the_class_is_left_as_it_was_when_the_loop_fails():
    original = gg.Value.__dict__["backward"]
    x = gg.Value(0.0)
    widget = gg.show(x * x)
    with pytest.raises(KeyError), live(widget), live(widget):
        raise KeyError
    assert gg.Value.__dict__["backward"] is original


def test_live_needs_a_widget():
    for wrong in ((), (3,)):
        with pytest.raises(TypeError, match=r"^live\(\) needs the picture"), live(*wrong):
            pass


def test_refresh_takes_another_root_and_remembers_its_number():
    x = gg.Value(1.0)
    widget = gg.show(x * x)
    widget.refresh()
    assert widget.history == [1.0]
    widget.refresh()
    assert widget.history == [1.0]
    y = x * 3
    widget.refresh(y)
    assert widget.root is y
    assert widget.history == [1.0, 3.0]
    assert widget.graph["nodes"]["label"] == ["x", "3", "y"]
    widget.refresh(x * math.inf)
    assert widget.history[-1] == "Infinity"
    with pytest.raises(TypeError, match="3 is a plain number"):
        widget.refresh(3)
    assert widget.root is not None


# -- what is sent -------------------------------------------------------------------------------


def test_at_most_thirty_a_second_and_the_last_one_always(clock, monkeypatch):
    x = gg.Value(0.0)
    y = x * 2

    async def loop():
        widget = gg.show(y)
        sent = messages(widget, monkeypatch)
        for step in range(90):
            x.data = float(step)
            y.forward()
            widget.refresh()
            clock[0] += 1 / 90
        assert 20 <= len(sent) <= 31
        assert set().union(*sent) == {"sent_data", "sent_slope", "history"}
        before = len(sent)
        clock[0] += 1
        x.data = 1000.0
        y.forward()
        widget.refresh()  # at once
        x.data = 2000.0
        y.forward()
        widget.refresh()  # waits
        assert len(sent) == before + 1
        await asyncio.wait_for(_until(lambda: len(sent) == before + 2), 60)
        assert widget.numbers["data"][0] == 2000.0

    async def _until(true):
        while not true():
            await asyncio.sleep(0)

    asyncio.run(loop())


def test_without_a_loop_to_send_it_later_everything_is_sent_at_once(clock, monkeypatch):
    x = gg.Value(0.0)
    widget = gg.show(x * 2)
    sent = messages(widget, monkeypatch)
    for step in range(1, 4):
        x.data = float(step)
        widget.refresh()
    assert len(sent) >= 3


def test_what_is_small_never_waits(clock, monkeypatch):
    async def loop():
        widget = gg.show(gg.Value(1.0) * 2)
        sent = messages(widget, monkeypatch)
        widget.selected, widget.step, widget.selected = 0, 1, 1
        assert sent == [{"selected"}, {"step"}, {"selected"}]

    asyncio.run(loop())
