"""Rules measured by running them: what they do, and that nobody notices."""

from functools import partial
from types import SimpleNamespace

import pytest
from learner import value_class

import glassgrad as gg
from glassgrad.graphs.probe import adds, measure


def test_rule_that_raises_half_way_leaves_everything():
    value = value_class(set, raising=True)
    a, b = value(2.0), value(3.0)
    a.grad, b.grad = 5.0, 7.0
    c = a * b
    c.grad = 11.0
    graph = gg.graph(c)
    assert (a.grad, b.grad, c.grad) == (5.0, 7.0, 11.0)
    assert graph.root.notes == (
        "c's rule raised ZeroDivisionError: division by zero, so its slopes are unknown.",
    )
    assert [edge.slope for edge in graph.edges] == [None, None]
    assert graph.root.primitive is None


def test_unknown_slope_makes_gradients_unknown_and_not_zero():
    value = value_class(set, raising=True)
    a = value(2.0)
    c = (a * 3.0).tanh()
    steps = gg.steps(c).backward
    assert [step.gradient for step in steps[-2:]] == [None, None]
    assert steps[0].gradient == 1.0


def test_rule_that_assigns_is_told_from_one_that_adds():
    value = value_class(set, assigning=True)
    x = value(0.5)
    y = x.tanh() * x
    notes = [node.notes for node in gg.graph(y).nodes]
    assert notes[0] == notes[2] == ()
    assert notes[1][0].startswith("tanh(x)'s rule replaces the gradient of x")


def test_fault_of_a_rule_stands_at_the_edge_that_it_concerns():
    value = value_class(set, assigning=True)
    x = value(0.5)
    graph = gg.graph(x.tanh() * x)
    into_tanh, *others = graph.edges
    assert into_tanh.notes == graph.nodes[1].notes
    assert into_tanh.notes[0].startswith("tanh(x)'s rule replaces the gradient of x")
    assert [edge.notes for edge in others] == [(), ()]
    assert graph.wrong_edges() == {0: "replaces"}


def test_slope_is_what_the_users_rule_does():
    """(1 - t)**2 for 1 - t**2: the picture shows what the rule does, and does not call it tanh."""
    x, y = SimpleNamespace(data=0.5, grad=0.0, _prev=()), None
    t = 0.46211715726000974
    y = SimpleNamespace(data=t, grad=0.0, _prev=(x,), _op="tanh")

    def rule():
        x.grad += (1 - t) ** 2 * y.grad

    y._backward = rule
    graph = gg.graph(y)
    assert graph.edges[0].slope == pytest.approx(0.289317952514053)
    assert graph.root.primitive is None
    assert graph.root.symbol == "tanh"


def test_repeated_operand_of_an_unknown_operation_has_one_edge_with_the_sum():
    a = SimpleNamespace(data=3.0, grad=0.0, _prev=())
    b = SimpleNamespace(data=1.0, grad=0.0, _prev=(a, a), _op="mix")

    def rule():
        a.grad += 5.0 * b.grad

    b._backward = rule
    (edge,) = gg.graph(b).edges
    assert (edge.count, edge.slope, edge.operand) == (2, 5.0, 0)


def test_attributes_that_a_rule_makes_or_drops_come_back():
    a = SimpleNamespace(grad=1.0, kept="x", dropped="y")
    b = SimpleNamespace(grad=2.0)

    def rule():
        a.grad += b.grad
        a.made = True
        del a.dropped
        a.kept = None

    assert measure(b, [a], rule).slopes == (1.0,)
    assert vars(a) == {"grad": 1.0, "kept": "x", "dropped": "y"}


def test_rule_that_reaches_beyond_its_operands_is_undone():
    """A class that recurses inside its rules writes gradients all the way down."""

    class Value:
        def __init__(self, data, prev=(), rule=lambda: None):
            self.data, self.grad, self._prev, self._op, self._backward = data, 0.0, prev, "*", rule

        def __mul__(self, other):
            out = Value(self.data * other.data, (self, other))

            def rule():
                self.grad += other.data * out.grad
                self._backward()
                other.grad += self.data * out.grad
                other._backward()

            out._backward = rule
            return out

    a, b, c = Value(2.0), Value(3.0), Value(4.0)
    y = (a * b) * c
    graph = gg.graph(y)
    assert (a.grad, b.grad, c.grad, y.grad) == (0.0, 0.0, 0.0, 0.0)
    assert [edge.slope for edge in graph.edges] == [3.0, 2.0, 4.0, 6.0]


def test_interruption_is_passed_on_and_restores(monkeypatch):
    a, b = SimpleNamespace(grad=1.0), SimpleNamespace(grad=2.0)

    def rule():
        a.grad = 99.0
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        measure(b, [a], rule)
    assert (a.grad, b.grad) == (1.0, 2.0)


def test_rule_that_prints_is_not_heard(capsys):
    a = SimpleNamespace(data=2.0, grad=0.0, _prev=())
    b = SimpleNamespace(data=2.0, grad=0.0, _prev=(a,), _op="say")
    b._backward = lambda: print("running")
    assert gg.graph(b).edges[0].slope == 0.0
    assert capsys.readouterr().out == ""


@pytest.mark.parametrize(("slope", "answer"), [(2.0, False), (0.0, False), (float("inf"), None)])
def test_replacing_is_seen_where_the_numbers_tell(slope, answer):
    a, b = SimpleNamespace(grad=0.0), SimpleNamespace(grad=0.0)

    def rule():
        a.grad = slope * b.grad

    assert adds(b, [a], rule) is answer


def test_gradient_that_is_no_number():
    a = SimpleNamespace(data=2.0, grad=0.0, _prev=())
    b = SimpleNamespace(data=2.0, grad=0.0, _prev=(a,), _op="say")

    def rule():
        a.grad = "much"

    b._backward = rule
    graph = gg.graph(b)
    assert graph.edges[0].slope is None
    (note,) = graph.root.notes
    assert note == "b's rule leaves a gradient that is a str, where a Value holds a number."


def test_rule_that_replaces_one_of_two_is_told():
    a, b, c = (SimpleNamespace(grad=0.0) for _ in range(3))

    def rule():
        a.grad += 2.0 * c.grad
        b.grad = 3.0 * c.grad

    assert adds(c, [a, b], rule) is False


def test_rule_that_adds_in_other_words():
    a, b = SimpleNamespace(grad=0.0), SimpleNamespace(grad=0.0)

    def rule():
        a.grad = a.grad + 2.0 * b.grad

    assert adds(b, [a], rule) is True


def test_rules_without_code_of_their_own_are_judged_one_by_one():
    def add(operand, result):
        operand.grad += result.grad

    def assign(operand, result):
        operand.grad = result.grad

    a = SimpleNamespace(data=2.0, grad=0.0, _prev=())
    b = SimpleNamespace(data=2.0, grad=0.0, _prev=(a,), _op="f")
    c = SimpleNamespace(data=2.0, grad=0.0, _prev=(b,), _op="g")
    b._backward, c._backward = partial(add, a, b), partial(assign, b, c)
    notes = [node.notes for node in gg.graph(c).nodes]
    assert notes[:2] == [(), ()]
    assert notes[2][0].startswith("c's rule replaces")


# -- manners of rules, as findings -----------------------------------------------------------------


def product(make_rule):
    """Return the graph of a * b with somebody's rule, and c as another value that it knows."""
    value = value_class(tuple)
    a, b, c = value(2.0), value(3.0), value(5.0)
    y = value(6.0, (a, b), "*")
    y._backward = make_rule(a, b, y, c)
    return gg.graph(y, {"a": a, "b": b, "y": y})


def kinds(graph):
    return {(finding.kind, finding.operands) for finding in graph.findings}


def test_rule_that_forgets_the_gradient():
    def forgetful(a, b, y, _c):
        def rule():
            a.grad += b.data
            b.grad += a.data * y.grad

        return rule

    graph = product(forgetful)
    assert ("forgets", (0,)) in kinds(graph)
    assert graph.root.notes == (
        "y's rule does not multiply by the gradient of y on the way to a: upstream × slope is due.",
    )


def test_rule_that_replaces_and_forgets():
    def both(a, b, _y, _c):
        def rule():
            a.grad = b.data
            b.grad = a.data

        return rule

    assert {("replaces", (0, 1)), ("forgets", (0, 1))} <= kinds(product(both))


def test_rule_that_writes_nothing():
    def half(a, b, y, _c):
        def rule():
            a.grad += b.data * y.grad

        return rule

    graph = product(half)
    assert ("silent", (1,)) in kinds(graph)
    assert graph.root.notes == ("y's rule sends nothing to b, where the slope is 2.",)


def test_rule_that_writes_to_the_wrong_operand():
    def twice(a, b, y, _c):
        def rule():
            a.grad += b.data * y.grad
            a.grad += a.data * y.grad

        return rule

    graph = product(twice)
    assert kinds(graph) >= {("slope", (0,)), ("silent", (1,))}
    (slope,) = [finding for finding in graph.findings if finding.kind == "slope"]
    assert (slope.expected, slope.got) == (3.0, 5.0)
    assert graph.wrong_edges() == {0: "5, not 3", 1: "0, not 2"}
    assert [edge.notes for edge in graph.edges] == [(note,) for note in graph.root.notes]


def test_rule_that_writes_to_a_stranger():
    def stray(a, b, y, c):
        def rule():
            a.grad += b.data * y.grad
            b.grad += a.data * y.grad
            c.grad = c.helper() if False else y.grad

        return rule

    assert ("stray", ()) in kinds(product(stray))


def test_rule_that_reads_data_when_it_runs_is_told_from_one_that_kept_it():
    def live(a, b, y, _c):
        def rule():
            a.grad += b.data * y.grad
            b.grad += a.data * y.grad

        return rule

    def kept(a, b, y, _c):
        x, z = a.data, b.data

        def rule():
            a.grad += z * y.grad
            b.grad += x * y.grad

        return rule

    assert kinds(product(live)) == {("live", (0, 1))}
    assert kinds(product(kept)) == set()
    assert product(live).root.notes == ()


def test_kinks_raise_no_alarm():
    value = value_class(tuple)
    x = value(0.0)
    y = value(0.0, (x,), "ReLU")

    def rule():
        x.grad += y.grad  # 1 where the table says 0: both are right

    y._backward = rule
    assert kinds(gg.graph(y)) == set()


def test_large_graphs_are_measured_as_small_ones_are():
    """From so many values of one code on, a loop of its own does the measuring."""
    value = value_class(set)
    names = {f"x{i}": value(i / 7 + 0.1) for i in range(40)}
    total = value(0.0)
    for x in names.values():
        total = (total + x * x.tanh()) * x
    whole = gg.graph(total, names)
    steps = gg.steps(whole).backward
    total.backward()
    grads = {whole.nodes[step.node].label: step.gradient for step in steps}
    for name, x in names.items():
        assert grads[name] == pytest.approx(x.grad)
    assert {node.primitive for node in whole.nodes} == {None, "add", "mul", "tanh"}


def test_one_wrong_number_among_many_is_found():
    value = value_class(tuple)
    x = value(1.0)
    values = [x]
    for _ in range(60):
        values.append(values[-1] + x)
    values[30].data = 99.0
    graph = gg.graph(values[-1], {f"v{i}": v for i, v in enumerate(values)})
    stale = [graph.nodes[finding.node].label for finding in graph.findings]
    assert [name for name in stale if name] == ["v30", "v31"]


class Growing:
    """A class in the making: operations get their rules one after the other."""

    def __init__(self, data, operands=(), op=""):
        self.data, self.grad, self._prev, self._op = data, 0.0, set(operands), op

    def __add__(self, other):
        return Growing(self.data + other.data, (self, other), "+")

    def __mul__(self, other):
        out = Growing(self.data * other.data, (self, other), "*")

        def rule():
            self.grad += other.data * out.grad
            other.grad += self.data * out.grad

        out._backward = rule
        return out


def test_rules_of_some_operations_are_run_where_others_have_none_yet():
    a, b = Growing(2.0), Growing(-3.0)
    assert [edge.slope for edge in gg.graph(a + b).edges] == [None, None]
    graph = gg.graph(a * b + a)
    assert [edge.slope for edge in graph.edges[:2]] == [-3.0, 2.0]
    assert [edge.slope for edge in graph.edges[2:]] == [None, None]
    assert [edge.slope for edge in gg.graph(a * b).edges] == [-3.0, 2.0]
