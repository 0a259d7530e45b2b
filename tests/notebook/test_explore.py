"""Controls beside a graph: what they become, what they change, what goes wrong."""

import ipywidgets
import pytest

import glassgrad as gg

WIDGET = "application/vnd.jupyter.widget-view+json"


def product(a, b):
    return a * b + a


@pytest.fixture
def explorer():
    return gg.explore(product, a=(-5, 5), b=-3.0)


def sent_by(widget):
    sent = []
    widget.observe(lambda change: sent.append(change["name"]), ["graph", "numbers", "error"])
    return sent


def test_ranges_become_controls():
    own = ipywidgets.IntSlider(3)

    def f(a, *, b, c, d, e, g, fixed=7):
        return a + b + c + g if d and e else a * fixed

    controls = gg.explore(
        f, a=(-5, 5), b=(0, 1, 0.25), c=2, d=True, e=["relu", "tanh"], g=own
    ).controls
    kinds = [type(control).__name__ for control in controls.values()]
    assert kinds == ["FloatSlider", "FloatSlider", "FloatText", "Checkbox", "Dropdown", "IntSlider"]
    assert (controls["a"].min, controls["a"].max, controls["a"].value) == (-5, 5, 0)
    assert (controls["b"].step, controls["b"].value) == (0.25, 0.5)
    assert (controls["c"].value, controls["d"].value, controls["e"].value) == (2, True, "relu")
    assert controls["g"] is own


def test_leaves_are_named_after_the_parameters(explorer):
    assert explorer.widget.graph["nodes"]["label"] == ["a", "b", "a * b", "product"]
    assert explorer.result.data == 0.0
    assert explorer.widget.numbers["ran"]


def test_a_moved_slider_sends_only_numbers(explorer):
    sent = sent_by(explorer.widget)
    explorer.controls["a"].value = 2.0
    assert sent == ["numbers"]
    assert explorer.widget.numbers["data"] == [2.0, -3.0, -6.0, -4.0]
    assert explorer.widget.numbers["grad"] == [-2.0, 2.0, 1.0, 1.0]
    assert explorer.widget.root is explorer.result


def test_another_structure_is_another_graph():
    def power(x, times, kind):
        result = x
        for _ in range(times):
            result = result * x
        return getattr(result, kind)()

    explorer = gg.explore(power, x=(0, 2), times=[1, 3], kind=["tanh", "relu"])
    assert explorer.widget.graph["total"] == 3
    explorer.controls["times"].value = 3
    assert explorer.widget.graph["total"] == 5
    sent = sent_by(explorer.widget)
    explorer.controls["kind"].value = "relu"
    assert sent == ["graph", "numbers"]
    assert explorer.widget.graph["nodes"]["symbol"][-1] == "ReLU"
    assert explorer.widget.graph["title"] == "power"


def test_what_the_function_raises_is_one_sentence_and_passes():
    def inverse(x):
        if x.data == 0:
            raise ValueError("nothing is left")
        return 1 / x

    explorer = gg.explore(inverse, x=(-1, 1))
    assert explorer.widget.error.startswith("inverse() raised ValueError: nothing is left (line ")
    assert explorer.result is None
    explorer.controls["x"].value = 0.5
    assert (explorer.widget.error, explorer.result.data) == ("", 2.0)
    explorer.controls["x"].value = 0.0
    assert "nothing is left" in explorer.widget.error
    assert explorer.widget.numbers["data"][-1] == 2.0


def test_a_function_that_returns_no_value_is_told_so():
    explorer = gg.explore(lambda x: None, x=1.0)
    assert "None has no graph" in explorer.widget.error


def test_a_number_kept_in_the_picture_moves_its_control(explorer):
    message = {"command": "set_data", "data": {"0": 2.5, "1": 4.0}}
    explorer.widget._handle_custom_msg(message, [])
    assert {name: control.value for name, control in explorer.controls.items()} == {
        "a": 2.5,
        "b": 4.0,
    }
    assert explorer.result.data == 12.5
    assert explorer.widget.numbers["data"][-1] == 12.5


def test_a_number_outside_the_range_widens_it(explorer):
    explorer.widget._handle_custom_msg({"command": "set_data", "data": {"0": 9.0}}, [])
    assert (explorer.controls["a"].max, explorer.controls["a"].value) == (9.0, 9.0)
    assert explorer.result.data == -18.0


def test_steps_are_round_and_hold_the_round_numbers():
    sliders = gg.explore(product, a=(-3, 3), b=(0, 1)).controls
    assert (sliders["a"].step, sliders["b"].step) == (0.1, 0.02)
    steps = (1.0 - sliders["a"].min) / sliders["a"].step
    assert steps == pytest.approx(40)


def test_a_number_between_two_steps_makes_the_steps_finer(explorer):
    slider = explorer.controls["a"]
    explorer.widget._handle_custom_msg({"command": "set_data", "data": {"0": 1.234}}, [])
    assert slider.value == explorer.result._prev[1].data == 1.234
    assert (slider.value - slider.min) / slider.step == pytest.approx(3117)


def test_the_output_carries_a_picture_and_a_text(explorer):
    data = explorer._repr_mimebundle_()
    assert set(data) == {WIDGET, "text/plain", "image/svg+xml"}
    assert data["text/plain"].startswith("product = a * b + a")


@pytest.mark.parametrize(
    ("ranges", "sentence"),
    [
        ({"a": 1.0}, r"explore\(\) needs a range for b: explore\(product, b=\(-5, 5\)\)\.$"),
        ({"a": 1.0, "b": 1.0, "c": 1.0}, r"product\(\) has no parameter c: it takes a, b\.$"),
        ({"a": (5, -5), "b": 1.0}, r"a needs \(low, high\) .*; got \(5, -5\)\.$"),
        ({"a": (0, 1, 0), "b": 1.0}, r"a needs .*; got \(0, 1, 0\)\.$"),
        ({"a": "2", "b": 1.0}, r"a needs .*; got '2'\.$"),
        ({"a": [], "b": 1.0}, r"a needs .*; got \[\]\.$"),
    ],
)
def test_wrong_ranges_are_one_sentence(ranges, sentence):
    with pytest.raises(TypeError, match=sentence):
        gg.explore(product, **ranges)
