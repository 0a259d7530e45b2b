"""Folded pictures in the notebook: opening and closing, live numbers, code, still pictures."""

import ipywidgets
import pytest

import glassgrad as gg
from glassgrad.graphs.folding import FOLDS_FROM
from glassgrad.notebook.code import Code
from glassgrad.notebook.widget import GraphWidget


def training(samples=40):
    """Return a network, and a function that computes its loss and runs backward."""
    model = gg.nn.MLP(2, [4, 1], seed=1)
    rows = [[gg.Value(0.05 * at), gg.Value(1 - 0.05 * at)] for at in range(samples)]

    def loss():
        total = sum((model(row) - 0.5) ** 2 for row in rows)
        total.zero_grad()
        total.backward()
        return total

    return model, loss


@pytest.fixture
def widget():
    _, loss = training()
    return gg.show(loss())


def labels(widget):
    return widget.graph["nodes"]["label"]


def test_only_large_graphs_fold_by_themselves():
    value = gg.Value(0.5)
    for _ in range(FOLDS_FROM - 1):
        value = value.tanh()
    assert "folds" not in gg.show(value).graph
    assert "folds" in gg.show(value.tanh()).graph
    assert "folds" not in gg.show(value.tanh(), fold=False).graph


def test_beside_code_every_run_of_a_loop_is_there_as_long_as_it_can_be_drawn(run):
    loop = "%%autograd\nx = y = Value(0.5)\nfor _ in range({times}):\n    y = y.tanh()"
    (widget,) = run(loop.format(times=FOLDS_FROM + 1)).widgets
    assert "folds" not in widget.graph
    (mark,) = [mark for mark in widget.graph["code"]["marks"] if mark["line"] == 4]
    assert len(mark["runs"]) == FOLDS_FROM + 1
    (large,) = run(loop.format(times=1_000)).widgets
    assert "folds" in large.graph


def test_a_small_graph_folds_when_it_is_asked_to():
    x, y = [gg.Value(0.5)], gg.nn.MLP(1, [3, 1], seed=1)
    small = gg.show(y(x), fold=True)
    assert "layer 1" in labels(small)
    small.fold = None
    assert "layer 1" not in labels(small)


def test_opening_and_closing_are_one_trait(widget):
    closed = widget.graph
    control = ipywidgets.TagsInput(value=["layer 1"])
    ipywidgets.link((control, "value"), (widget, "opened"))
    assert "neuron 4" in labels(widget)
    widget.opened = ["layer 1", "layer 1/neuron 4"]
    assert control.value == widget.opened
    assert "layer 1.neuron 4.w1" in labels(widget)
    widget.opened = ["layer 1/neuron 4"]  # it is within a group that is closed
    assert widget.graph == closed


def test_what_is_selected_is_an_object_of_the_users_or_none(widget):
    root, group = len(labels(widget)) - 1, labels(widget).index("layer 1")
    ids = widget.graph["nodes"]["id"]
    widget.selected = ids[root]
    assert widget.selected_value is widget.root
    widget.selected = ids[group]
    assert widget.selected_value is None


def test_a_step_of_training_moves_no_card_and_sends_only_numbers():
    model, loss = training()
    widget = gg.show(loss())
    widget.opened = ["layer 1"]
    before, news = widget.numbers, []
    widget.observe(news.append, "graph")
    for parameter in model.parameters():
        parameter.data -= 0.001 * parameter.grad
    widget.refresh(loss())
    assert news == []
    assert widget.numbers["data"][-1] < before["data"][-1]


def test_another_graph_folds_anew(widget):
    widget.refresh(gg.Value(1.0) * 2)
    assert "folds" not in widget.graph
    assert widget.graph["total"] == 3


def test_a_mode_shows_single_values_until_it_is_left(widget):
    folded = widget.graph
    widget.mode = "nudge"
    assert "folds" not in widget.graph
    assert "showing the 1,000 nearest" in widget.graph["notice"]
    widget.mode = ""
    assert widget.graph == folded
    widget.fold = True
    widget.mode = "nudge"
    assert "folds" in widget.graph
    assert "folds" not in gg.show(widget.root, mode="paths").graph


def test_the_page_folds_and_unfolds(widget):
    def press(shown, name):
        shown._handle_custom_msg({"command": name}, [])

    press(widget, "unfold")
    assert (widget.fold, "folds" in widget.graph) == (False, False)
    press(widget, "fold")
    assert (widget.fold, "folds" in widget.graph) == (None, True)
    small = gg.show(gg.Value(2.0) * 3)
    press(small, "fold")
    assert (small.fold, "folds" in small.graph) == (True, True)


def test_code_beside_a_folded_picture_points_at_cards():
    _, loss = training()
    total = loss()
    graph = gg.graph(total)
    runs = {2: [[at] for at in range(len(graph) - 1)], 3: [[len(graph) - 1]]}
    text = ["for row in rows:", "    total += model(row) ** 2", "total"]
    slopes = dict.fromkeys(range(len(graph)), 1.0)
    widget = GraphWidget(total, graph, Code(text, runs=runs, h=0.1, slopes=slopes))
    cards = len(labels(widget))
    marks = {mark["line"]: mark for mark in widget.graph["code"]["marks"]}
    assert marks[2]["nodes"] == list(range(cards - 1))
    assert sorted(marks[2]["runs"]) == [[at] for at in range(cards - 1)]
    groups = {row[0] for row in widget.graph["folds"]["groups"]}
    measured = widget.graph["code"]["measured"]["slope"]
    assert [slope is None for slope in measured] == [at in groups for at in range(cards)]


def test_the_still_picture_is_of_the_cards_and_the_text_of_the_values(widget):
    pictures = widget.still()
    assert "layer 1 · 4 neurons × 40" in pictures["image/svg+xml"]
    assert "nan" not in pictures["image/svg+xml"]
    assert "showing the" in pictures["text/plain"]
    widget.opened = ["layer 1"]
    assert "neuron 3" in widget.still()["image/svg+xml"]
