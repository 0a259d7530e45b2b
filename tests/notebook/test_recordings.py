"""The twins of the magic in plain Python: ``with gg.record()`` and ``@gg.traced``."""

import functools
import gc
import subprocess
import sys
import textwrap
import weakref

import pytest

import glassgrad as gg
from glassgrad import Value


def described(recording):
    return [
        (line.text.strip(), [node.label for node in line.nodes])
        for line in recording.lines
        if line.nodes
    ]


def test_a_block_is_recorded_with_names_lines_and_gradients():
    with gg.record() as r:
        a, b = Value(2.0), Value(-3.0)
        c = a * b + a
    assert (a.grad, b.grad) == (-2.0, 2.0)
    assert c is r.root
    assert [len(line.runs) for line in r.lines] == [1, 1]
    assert described(r) == [
        ("a, b = Value(2.0), Value(-3.0)", ["a", "b"]),
        ("c = a * b + a", ["a * b", "c"]),
    ]
    assert r.lines[0].number == r.code.first
    first, *_, last = r.to_text().splitlines()
    assert "a, b = Value(2.0)" in first
    assert "data -4   grad  1" in last


def test_a_name_that_was_used_again_has_its_last_line():
    with gg.record() as r:
        x = Value(2.0)
        for _ in range(3):
            x = x * x
    assert [text for text, _ in described(r)] == ["x = x * x"]
    assert len(described(r)[0][1]) == 3
    assert (r.graph.root.label, x.data) == ("x", 256.0)


def test_a_name_of_two_branches_has_no_line():
    flag = True
    with gg.record() as r:
        if flag:
            x = Value(2.0)
            x = x * 3
        else:
            x = Value(1.0) * 2
        y = x * 2
    assert [text for text, _ in described(r)] == ["y = x * 2"]
    assert y.data == 12.0


def test_a_block_says_what_it_cannot_decide():
    with gg.record() as r:
        a = Value(2.0)
        loss, accuracy = a * a, a + 1
    assert r.graph is None
    assert r.message == (
        'loss and accuracy are both results of this block. Say which one: gg.record(root="loss").'
    )
    assert r.to_text() == r.message
    with pytest.raises(ValueError, match="are both results"):
        r.show()
    assert (loss.grad, accuracy.grad) == (0.0, 0.0)


def test_a_block_takes_the_options_of_the_magic():
    a = Value(2.0)
    (a * 3).backward()
    with gg.record(root="loss", accumulate=True) as r:
        loss, other = a * a, a + 1
    assert r.root is loss
    assert (a.grad, r.graph.root.label, other.grad) == (7.0, "loss", 0.0)
    with gg.record(backward=False) as r:
        b = a * 2
    assert (b.grad, a.grad) == (0.0, 7.0)
    with gg.record(root="sum(parts)") as r:
        parts = [a * 2, a * 3]
    assert len(parts) == 2
    assert (a.grad, r.graph.root.label) == (5.0, "sum(parts)")


def test_a_block_that_ran_backward_is_not_run_again():
    with gg.record() as r:
        a = Value(3.0)
        b = a * a
        b.backward()
    assert a.grad == 6.0
    assert r.graph.messages == ("This block ran backward itself, so it was not run again.",)


def test_a_block_that_fails_raises_and_shows_what_there_was():
    try:
        with gg.record() as r:
            a = Value(3.0)
            b = a * 2
            b.nothing()
    except AttributeError as error:
        assert "nothing" in str(error)  # noqa: PT017
    assert r.graph.root.label == "b"
    assert b.grad == 0.0
    failed = [line.text.strip() for line in r.lines if line.number == r.code.failed]
    assert failed == ["b.nothing()"]


def test_a_block_holds_what_it_shows_and_nothing_else():
    def compute():
        with gg.record() as r:
            a = Value(3.0)
            b = a * a
        return r, weakref.ref(b)

    r, b = compute()
    gc.collect()
    assert b() is r.root
    del r
    gc.collect()
    assert b() is None


def test_a_recording_is_shown_with_its_code():
    with gg.record() as r:
        a = Value(3.0)
        b = a * a
    assert b.data == 9.0
    code = r.show(precision=6).graph["code"]
    assert code["lines"] == ["a = Value(3.0)", "b = a * a"]


WEIGHT = Value(5.0)


@gg.traced
def neuron(x, w, *, b):
    n = x * w + b
    for _ in range(2):
        n = n * 0.5
    return n.tanh()


def test_a_traced_function_hears_every_expression():
    w = Value(0.5)
    result = neuron(Value(2.0), w, b=Value(0.1))
    assert neuron.__name__ == "neuron"
    assert [
        (line.text.strip(), [[node.label for node in run] for run in line.runs])
        for line in neuron.recording.lines
        if line.nodes
    ] == [
        ("n = x * w + b", [["x * w", "n"]]),
        ("n = n * 0.5", [["0.5", "n"], ["0.5", "n"]]),
        ("return n.tanh()", [["n.tanh()"]]),
    ]
    assert not neuron.recording.graph.ran
    result.backward()
    assert neuron.recording.graph.ran
    assert neuron.recording.graph.root.data == result.data
    assert "return n.tanh()" in neuron.to_text()
    lines = neuron.show().graph["code"]["lines"]
    assert (lines[1], lines[-1]) == ("def neuron(x, w, *, b):", "    return n.tanh()")


def test_a_traced_function_keeps_what_it_closes_over_and_what_it_defaults_to():
    factor = Value(3.0)

    @gg.traced
    def scaled(x, add=Value(1.0), *rest, times=2, **more):  # noqa: B008
        return (x * factor + add) * times

    assert scaled(Value(2.0)).data == 14.0
    assert scaled(Value(2.0), times=3).data == 21.0
    factor = Value(5.0)
    assert scaled(Value(2.0)).data == 22.0


def test_a_traced_function_hears_the_functions_in_it():
    @gg.traced
    def loss(x):
        def square(v):
            s = v * v
            return s + 0

        return functools.reduce(lambda t, v: t + square(v), [x, x * 2], Value(0.0)), square

    for _ in range(2):  # each call makes its functions anew
        result, square = loss(Value(3.0))
        result.backward()
        loss._root = result
        shown = [
            (line.text.strip(), [[node.label for node in run] for run in line.runs])
            for line in loss.recording.lines
            if line.nodes
        ]
        assert shown[0] == ("s = v * v", [["s"], ["s"]])
        assert [len(runs) for _, runs in shown[1:]] == [2, 2]
        assert square.__code__.co_consts == (None, 0)
        assert square.__qualname__.endswith("loss.<locals>.square")


def test_a_traced_function_has_no_line_for_what_was_there_before():
    factor = Value(3.0)

    @gg.traced
    def scaled(x):
        return x * factor * WEIGHT + gg.nn.Neuron(1)([x])

    scaled(Value(2.0)).backward()
    (line,) = (line for line in scaled.recording.lines if line.nodes)
    leaves = [node for node in line.nodes if node.kind in ("leaf", "parameter")]
    assert len(leaves) == 2  # of the neuron
    assert not {3.0, 5.0} & {node.data for node in leaves}


def test_a_traced_method_and_recursion_and_no_result():
    class Model:
        def __init__(self):
            self.w = Value(2.0)

        @gg.traced
        def __call__(self, x):
            return self.w * x

        @gg.traced
        def power(self, n):
            return self.w if n <= 1 else self.power(n - 1) * 2

    model = Model()
    assert model(3.0).data == 6.0
    assert model.power(3).data == 8.0
    assert Model.power.recording.graph.root.label == "self.power(n - 1) * 2"

    @gg.traced
    def nothing():
        """Say so."""
        return 3

    assert nothing.recording.message == "nothing has not been called yet."
    assert nothing() == 3
    assert "made no Value" in nothing.to_text()
    assert nothing.__doc__ == "Say so."


def test_a_traced_function_raises_at_its_own_line():
    @gg.traced
    def fails(x):
        y = x * 2
        return y.nothing

    with pytest.raises(AttributeError) as error:
        fails(Value(1.0))
    last = error.traceback[-1]
    assert last.statement.lines[0].strip() == "return y.nothing"


def test_a_function_without_source_is_recorded_without_lines():
    built = gg.traced(eval("lambda x: x * x"))
    assert built(Value(3.0)).data == 9.0
    assert built.recording.lines == ()
    assert "data 9" in built.to_text()


def test_plain_python_needs_no_notebook():
    program = """
        import sys
        import glassgrad as gg

        @gg.traced
        def f(x):
            return x * x

        with gg.record() as r:
            a = gg.Value(3.0)
            b = f(a) + a
        print(r.to_text())
        print(f.to_text())
        loaded = {"IPython", "ipywidgets", "anywidget", "traitlets", "numpy"} & set(sys.modules)
        print(sorted(loaded))
    """
    done = subprocess.run(
        [sys.executable, "-c", textwrap.dedent(program)],
        capture_output=True,
        text=True,
        check=True,
    )
    assert done.stdout.endswith("[]\n")
    assert "data 12" in done.stdout
