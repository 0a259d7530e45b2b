"""The widget: what travels, what the buttons do, what it keeps."""

import gc
import weakref

import pytest

import glassgrad as gg
from glassgrad.notebook.widget import GraphWidget

WIDGET = "application/vnd.jupyter.widget-view+json"


@pytest.fixture
def product():
    a, b = gg.Value(2.0), gg.Value(-3.0)
    return a, b, a * b + a


def press(widget, command):
    """Send what the front end sends when a button is pressed."""
    widget._handle_custom_msg({"command": command}, [])


def test_names_come_from_where_show_is_called():
    alpha = gg.Value(2.0)
    beta = alpha * alpha
    widget = gg.show(beta)
    assert widget.graph["nodes"]["label"] == ["alpha", "beta"]
    assert widget.graph["code"] is None
    assert (widget.step, widget.selected, widget.playing) == (-1, -1, False)


def test_buttons_run_the_users_own_code_and_send_only_numbers(product):
    a, _, c = product
    widget = gg.show(c)
    sent = []
    widget.observe(lambda change: sent.append(change["name"]), ["graph", "numbers", "error"])
    assert not widget.numbers["ran"]
    press(widget, "backward")
    assert (a.grad, widget.numbers["grad"][0], widget.numbers["ran"]) == (-2.0, -2.0, True)
    press(widget, "backward")
    assert (a.grad, widget.numbers["grad"][0]) == (-4.0, -4.0)
    press(widget, "zero_grad")
    assert (a.grad, widget.numbers["ran"]) == (0.0, False)
    assert sent == ["numbers", "numbers", "numbers"]


def test_a_message_of_no_known_kind_changes_nothing_and_says_so(product):
    for content in ({"command": "os.system"}, {}, "backward", {"command": ["backward"]}):
        widget = gg.show(product[-1])
        widget._handle_custom_msg(content, [])
        assert "which this kernel does not know. Reload the page" in widget.error
        assert product[0].grad == 0.0


class Learner:
    def __init__(self, data, prev=()):
        self.data, self.grad, self._prev, self._op = data, 0.0, prev, "+" if prev else ""
        self._backward = lambda: None

    def __add__(self, other):
        return Learner(self.data + other.data, (self, other))


def test_zero_grads_of_a_learners_class_reaches_every_value():
    a, b = Learner(1.0), Learner(2.0)
    c = a + b
    a.grad = b.grad = c.grad = 5.0
    press(gg.show(c), "zero_grad")
    assert (a.grad, b.grad, c.grad) == (0.0, 0.0, 0.0)


def test_what_goes_wrong_in_the_learners_code_is_one_sentence():
    widget = gg.show(Learner(1.0) + Learner(2.0))
    press(widget, "backward")
    assert widget.error == (
        "Learner has no method that runs the whole backward pass: "
        "call its rules by hand, or give it a method named backward."
    )
    Learner.backward = lambda self: self.backward()
    press(widget, "backward")
    assert widget.error.startswith("backward() raised RecursionError: maximum recursion depth")
    Learner.backward = lambda self: setattr(self, "grad", 1.0)
    press(widget, "backward")
    assert (widget.error, widget.numbers["ran"]) == ("", True)
    del Learner.backward


def test_refresh_shows_what_changed_outside():
    a, b = gg.Value(2.0), gg.Value(-3.0)
    c = a * b + a
    widget = gg.show(c)
    c.backward()
    a.data = 7.0
    widget.refresh()
    assert (widget.numbers["grad"][:2], widget.numbers["data"][0]) == ([-2.0, 2.0], 7.0)
    assert widget.graph["nodes"]["label"] == ["a", "b", "a * b", "c"]


def test_a_changed_structure_is_read_anew():
    a, b = Learner(1.0), Learner(2.0)
    c = a + b
    widget = gg.show(c)
    c._prev = (a, b, Learner(4.0))
    widget.refresh()
    assert widget.graph["total"] == 4


@pytest.mark.parametrize(
    ("value", "sentence"),
    [
        (3, "3 is a plain number and has no graph."),
        (None, "None has no graph"),
        ([1, 2], "This list has no graph of its own."),
    ],
)
def test_what_has_no_graph_is_one_sentence(value, sentence):
    with pytest.raises(TypeError, match=sentence):
        gg.show(value)


def test_options(product):
    widget = gg.show(product[-1], rankdir="TB", precision=6, theme="dark", height=300)
    assert (widget.rankdir, widget.precision, widget.theme, widget.height) == ("TB", 6, "dark", 300)
    with pytest.raises(TypeError, match=r"show\(\) has no option graph\. It knows fold, height"):
        gg.show(product[-1], graph={})


def test_the_output_carries_a_picture_and_a_text(product, monkeypatch):
    a, b = gg.Value(2.0), gg.Value(-3.0)
    c = a * b + a
    data, metadata = gg.show(c)._repr_mimebundle_()
    assert set(data) == {WIDGET, "text/plain", "image/svg+xml"}
    assert data["text/plain"].splitlines()[0].startswith("c = a * b + a")
    assert "<svg" in data["image/svg+xml"]
    assert isinstance(metadata, dict)

    def no_dot(*_, **__):
        raise RuntimeError("no program")

    monkeypatch.setattr("glassgrad.notebook.still.render", no_dot)
    data, _ = gg.show(product[-1])._repr_mimebundle_()
    assert set(data) == {WIDGET, "text/plain"}


def test_the_picture_is_drawn_once_and_only_when_asked(product, monkeypatch):
    drawn = []
    monkeypatch.setattr(
        "glassgrad.notebook.still.render", lambda *_, **options: drawn.append(options) or "<svg/>"
    )
    widget = gg.show(product[-1])
    assert drawn == []
    widget._repr_mimebundle_()
    widget._repr_mimebundle_()
    assert drawn == [{"rankdir": "LR"}]
    press(widget, "backward")
    widget._repr_mimebundle_()
    assert len(drawn) == 2


def test_a_graph_with_long_edges_is_drawn_in_part(monkeypatch):
    drawn = []
    monkeypatch.setattr(
        "glassgrad.notebook.still.render", lambda *_, **options: drawn.append(options) or "<svg/>"
    )
    a = value = gg.Value(1.0)
    for _ in range(400):
        value = value + a
    gg.show(value, fold=False)._repr_mimebundle_()
    assert drawn == [{"rankdir": "LR", "limit": 60}]


def test_text_of_the_users_is_data():
    nasty = "<img src=x onerror=alert(1)> P(x|y) {0} <b> </script>"
    value = gg.Value(1.0, label=nasty)
    widget = gg.show(value)
    assert widget.graph["nodes"]["label"] == [nasty]
    assert "<img" not in widget._repr_mimebundle_()[0]["image/svg+xml"]


def test_large_graphs_travel_in_part():
    value = gg.Value(1.0)
    for _ in range(65_000):
        value = value + 1.0
    widget = gg.show(value, fold=False)
    assert widget.graph["total"] == 130_001
    assert len(widget.graph["nodes"]["id"]) == 1000
    assert "showing the 1,000 nearest value" in widget.graph["notice"]
    widget.fold = None
    assert (widget.graph["total"], widget.graph["notice"]) == (130_001, None)
    assert len(widget.graph["nodes"]["id"]) < 10


def shown(**options):
    """Return a widget of a value that nobody else keeps, and a weak reference to that value."""
    value = gg.Value(1.0) * 2
    return GraphWidget(value, **options), weakref.ref(value)


def test_close_lets_go():
    widget, value = shown()
    gc.collect()
    assert value() is not None
    widget.close()
    gc.collect()
    assert value() is None


def test_a_weak_widget_says_when_its_value_is_gone():
    widget, _ = shown(weak=True)
    gc.collect()
    press(widget, "backward")
    assert widget.error.startswith("This Value is gone")


def test_widgets_compose(product):
    import ipywidgets

    widget, slider = gg.show(product[-1]), ipywidgets.IntSlider(min=-1)
    ipywidgets.link((widget, "step"), (slider, "value"))
    slider.value = 2
    assert widget.step == 2
    assert ipywidgets.HBox([widget, slider]).children[0] is widget
