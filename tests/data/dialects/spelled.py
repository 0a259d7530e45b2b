"""The lecture's class under the names that people give its parts."""

import linecache

from dialects import Dialect

SOURCE = """
class Value:
    {slots}
    def __init__(self, {parameters}):
        self.{data} = data
        {start}
        self.{operands} = {container}
        {op}
        {label}
        {no_rule}

    def __add__(self, other):
        other = other if isinstance(other, Value) else Value(other)
        out = Value(self.{data} + other.{data}, children=(self, other))
        def rule():
            self.{grad} {assign} 1.0 * out.{grad}
            other.{grad} {assign} 1.0 * out.{grad}
        out.{rule} = rule
        {set_add}
        return out

    def __mul__(self, other):
        other = other if isinstance(other, Value) else Value(other)
        out = Value(self.{data} * other.{data}, children=(self, other))
        def rule():
            self.{grad} {assign} other.{data} * out.{grad}
            other.{grad} {assign} self.{data} * out.{grad}
        out.{rule} = rule
        {set_mul}
        return out

    def {driver}(self):
        order, seen = [], set()
        def visit(value):
            if id(value) not in seen:
                seen.add(id(value))
                for operand in value.{operands} or ():
                    if operand is not None:
                        visit(operand)
                order.append(value)
        visit(self)
        self.{grad} = 1.0
        for value in reversed(order):
            value.{rule}()
"""


def spelled(
    *,
    data="data",
    grad="grad",
    operands="_prev",
    op="_op",
    label="label",
    rule="_backward",
    container="set(children)",
    start="0.0",
    driver="backward",
    slots=False,
    label_second=False,
    assign="+=",
    times="*",
    plus="+",
    no_rule="lambda: None",
):
    """Return the class in one spelling."""
    names = [data, grad, operands, rule, *filter(None, (op, label))]
    first, second = "children=(), op=''", "label=''"
    text = SOURCE.format(
        slots=f"__slots__ = {tuple(names)!r}" if slots else "",
        parameters=", ".join(["data", *((second, first) if label_second else (first, second))]),
        data=data,
        grad=grad,
        operands=operands,
        rule=rule,
        driver=driver,
        container=container,
        assign=assign,
        start=f"self.{grad} = {start}",
        op=f"self.{op} = op" if op else "",
        label=f"self.{label} = label" if label else "",
        no_rule=f"self.{rule} = {no_rule}",
        set_add=f"out.{op} = {plus!r}" if op else "",
        set_mul=f"out.{op} = {times!r}" if op else "",
    )
    filename = f"<dialect {hash(text)}>"
    linecache.cache[filename] = (len(text), None, text.splitlines(keepends=True), filename)
    world = {"__name__": "somebodys_notebook"}
    exec(compile(text, filename, "exec"), world)
    return world["Value"]


def dialect(name, works=True, **words):
    """Return a row of the table."""
    start = float(words.get("start", 0.0))
    return Dialect(
        name,
        spelled(**words),
        ops=(words.get("times", "*"), words.get("plus", "+")),
        grad=start,
        start=start,
        label=words.get("label", "label") or "",
        driver=words.get("driver", "backward"),
        works=works,
    )


TUPLE, LIST = "tuple(children)", "list(children)"

SPELLED = [
    dialect("lecture"),
    dialect("tuple", container=TUPLE),
    dialect("list", container=LIST),
    dialect("frozenset", container="frozenset(children)"),
    dialect("value and gradient", data="value", grad="gradient"),
    dialect("value, children", data="value", operands="_children", container=TUPLE),
    dialect("prev and op", operands="prev", op="op"),
    dialect("children", operands="children", op="operation", container=LIST),
    dialect("parents", operands="parents", op="operator"),
    dialect("operands", operands="operands", op="opp", container=TUPLE),
    dialect("kids", operands="_kids", op="_oper"),
    dialect("came from", operands="came_from", grad="grade", label="name"),
    dialect("private", data="_data", grad="_grad", operands="__links"),
    dialect("invented names", data="amount", grad="slope_grad", operands="made_of", rule="push"),
    dialect("no label", label=None),
    dialect("no op", op=None),
    dialect("no op, no label", op=None, label=None, container=TUPLE),
    dialect("label second", label_second=True),
    dialect("label second, tuple", label_second=True, container=TUPLE, data="value"),
    dialect("leaf holds None", container="set(children) or None"),
    dialect("leaf holds {None}", container="set(children) or {None}"),
    dialect("leaf holds (None,)", container="tuple(children) or (None,)"),
    dialect("slots", slots=True),
    dialect("slots, tuple", slots=True, container=TUPLE, label=None),
    dialect("gradient from 1", start="1.0", assign="=", works=False),
    dialect("gradient from 0, an int", start="0"),
    dialect("rule named backward", rule="backward", driver="backward_all"),
    dialect("backprop", rule="_backprop", driver="backprop"),
    dialect("backwards", driver="backwards", grad="grad_value"),
    dialect("backwardpropagation", driver="backwardpropagation", container=TUPLE),
    dialect("words for operations", times="mul", plus="add"),
    dialect("other words", times="multiply", plus="plus", op="op", container=LIST),
    dialect("signs of print", times="×", plus="+"),
    dialect("rule starts as None", no_rule="None", works=False),
]
