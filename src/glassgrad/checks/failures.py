"""What an exception in somebody's class usually means.

In flow an exception and the operation that raised it; out flows the likely slip.  The table goes
by the type and the words that Python uses.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from glassgrad.graphs.limits import EndlessError

_NUMBER = "int|float|complex|np.float64|numpy.float64"
_TABLE: Sequence[tuple[type[BaseException], str, str]] = (
    (RecursionError, "", "{method} calls itself: it asks Python for the same operation again."),
    (EndlessError, "", "{method} never comes to an end."),
    (
        AttributeError,
        rf"'({_NUMBER})' object has no attribute",
        "A plain number is used as a {cls}: wrap it first, "
        "`other = other if isinstance(other, {cls}) else {cls}(other)`.",
    ),
    (
        AttributeError,
        "'NoneType' object has no attribute",
        "An operation on the way returned nothing: look for a method without `return out`.",
    ),
    (
        AttributeError,
        "'(tuple|list|set|function|method)' object has no attribute",
        "Something else stands where a {cls} should: look at what is handed to the constructor.",
    ),
    (
        AttributeError,
        "has no attribute",
        "An attribute is used that nobody sets: is it spelled in the same way in `__init__`?",
    ),
    (
        TypeError,
        r"missing \d+ required positional argument",
        "The signature does not fit: Python calls {method} with {takes}.",
    ),
    (
        TypeError,
        r"takes \d+ positional arguments? but \d+",
        "The signature does not fit: Python calls {method} with {takes}.",
    ),
    (
        TypeError,
        "'NoneType' object is not callable",
        "`_backward` holds what the rule returned, and not the rule: assign it without brackets.",
    ),
    (
        TypeError,
        "'(set|frozenset)' object is not subscriptable",
        "A set has no first and second member: keep the operands in a tuple, or let the rule use "
        "self and other.",
    ),
    (
        TypeError,
        "unhashable type",
        "The class defines __eq__ without __hash__, so its objects cannot be in a set: "
        "add `__hash__ = object.__hash__`.",
    ),
    (
        TypeError,
        "NoneType",
        "An operation on the way returned nothing: look for a method without `return out`.",
    ),
    (
        TypeError,
        r"unsupported operand type\(s\) for [-+*/]=?: '(?P<a>[\w.]+)' and '(?P=a)'",
        "The objects themselves are combined; the numbers are in self.{data} and other.{data}.",
    ),
    (
        TypeError,
        f"unsupported operand type|must be real number|'({_NUMBER})'",
        "A number and a {cls} meet where one of them is not expected: "
        "wrap numbers in a {cls}, and compute with .{data}.",
    ),
    (
        TypeError,
        "object is not iterable",
        "The operands are not kept in a container: write `(self,)`, with the comma.",
    ),
    (
        UnboundLocalError,
        "",
        "A variable is assigned in the rule and so is local to it: "
        "change an attribute, as in `self.{grad} += ...`.",
    ),
    (NameError, "", "A name is used that does not exist there: is it spelled right, or self's?"),
    (IndexError, "", "The rule asks for an operand that was not kept: are plain numbers left out?"),
    (
        ValueError,
        "unpack",
        "The rule expects a fixed number of operands: a set keeps `x` of `x * x` once, "
        "and plain numbers may be left out.",
    ),
    (
        KeyError,
        "",
        "Something is looked up that was not stored: objects that are equal share one place.",
    ),
)


def explain(error: BaseException, words: Mapping[str, str]) -> str:
    """Return the likely slip behind an exception, or ``""``.

    Parameters
    ----------
    error : BaseException
        What was raised.
    words : mapping
        What a sentence may name: ``method``, ``cls``, ``data``, ``grad``, ``takes``.

    Examples
    --------
    >>> words = {"method": "__radd__", "cls": "Value", "data": "data", "grad": "grad", "takes": ""}
    >>> explain(RecursionError("maximum recursion depth exceeded"), words)
    '__radd__ calls itself: it asks Python for the same operation again.'
    """
    for kind, pattern, says in _TABLE:
        if isinstance(error, kind) and re.search(pattern, str(error)):
            return says.format(**words)
    return ""


def takes(arity: int) -> str:
    """Say what Python hands to a method.

    Examples
    --------
    >>> takes(1), takes(2)
    ('self alone', 'self and other')
    """
    return "self alone" if arity == 1 else "self and other"
