"""Questions about syntax trees, answered without changing them."""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator
from types import CodeType

DEEPEST = 150
"""Statements nested deeper than this are left alone: rewriting them would exhaust the stack."""

_SHORT = DEEPEST - 10
"""Statements of fewer characters cannot be that deep."""

_SCOPES = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef, ast.Lambda)


def may_wait(text: str) -> bool:
    """Whether the source of a cell has a word with which it could wait.

    Examples
    --------
    >>> may_wait("x = await f()"), may_wait("x = f()")
    (True, False)
    """
    return "await" in text or "async" in text


def has_await(statements: list[ast.stmt]) -> bool:
    """Tell whether a cell waits at its top level: outside of any function.

    Parameters
    ----------
    statements : list of ast.stmt
        The cell.

    Returns
    -------
    bool
        True for ``await``, ``async for``, ``async with`` and asynchronous comprehensions.

    Examples
    --------
    >>> has_await(ast.parse("x = await f()").body)
    True
    >>> has_await(ast.parse("async def f(): return await g()").body)
    False
    """
    waiting: list[ast.AST] = list(statements)
    while waiting:
        node = waiting.pop()
        if isinstance(node, ast.Await | ast.AsyncFor | ast.AsyncWith):
            return True
        if isinstance(node, ast.comprehension) and node.is_async:
            return True
        if not isinstance(node, _SCOPES):
            waiting.extend(_children(node))
    return False


def is_deep(node: ast.AST) -> bool:
    """Whether a tree has more than `DEEPEST` levels: a sum of hundreds of terms has.

    Examples
    --------
    >>> is_deep(ast.parse("a" + " + a" * 200)), is_deep(ast.parse("a + a"))
    (True, False)
    """
    line, column, end_line, end_column = span(node)
    if line == end_line and 0 < end_column - column < _SHORT:
        return False  # every level takes a character at least, but for the first and the last
    level: list[ast.AST] = [node]
    for _ in range(DEEPEST):
        level = [child for parent in level for child in _children(parent)]
        if not level:
            return False
    return True


def _children(node: ast.AST) -> Iterator[ast.AST]:
    """Return the nodes inside that have something inside themselves: no ``Load``, no ``Add``."""
    return (child for child in ast.iter_child_nodes(node) if child._fields)


def is_literal(node: ast.AST) -> bool:
    """Whether the node is arithmetic on constants, which the compiler folds: ``-3.0``.

    Examples
    --------
    >>> [is_literal(ast.parse(text, mode="eval").body) for text in ("-3.0", "2 * 3", "2 * n")]
    [True, True, False]
    """
    if isinstance(node, ast.BinOp):
        return is_literal(node.left) and is_literal(node.right)
    if isinstance(node, ast.UnaryOp):
        return is_literal(node.operand)
    return isinstance(node, ast.Constant)


def makes_value(node: ast.expr) -> bool:
    """Whether an expression of a kind that is listened to can give a Value at all.

    Examples
    --------
    >>> [makes_value(ast.parse(text, mode="eval").body) for text in ("a.b", "not a", "-2")]
    [True, False, False]
    """
    if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Not):
        return False
    if isinstance(node, ast.Attribute | ast.Subscript) and not isinstance(node.ctx, ast.Load):
        return False
    return not is_literal(node)


def names_in(target: ast.expr) -> list[ast.Name]:
    """Return the names that an assignment to the target binds, where they stand.

    Examples
    --------
    >>> [name.id for name in names_in(ast.parse("(a, [*b]), c.d = 0").body[0].targets[0])]
    ['a', 'b']
    """
    if isinstance(target, ast.Name):
        return [target]
    if isinstance(target, ast.Starred):
        return names_in(target.value)
    if isinstance(target, ast.Tuple | ast.List):
        return [name for element in target.elts for name in names_in(element)]
    return []


def span(node: ast.AST) -> tuple[int, int, int, int]:
    """Return a node's location; trees of other extensions may lack the end of it.

    Examples
    --------
    >>> span(ast.parse("a + b", mode="eval").body), span(ast.Name("a"))
    ((1, 0, 1, 5), (1, 0, 1, 0))
    """
    line, column = getattr(node, "lineno", 1), getattr(node, "col_offset", 0)
    end_line, end_column = getattr(node, "end_lineno", None), getattr(node, "end_col_offset", None)
    return (line, column, end_line or line, column if end_column is None else end_column)


def is_arithmetic(node: ast.ClassDef) -> bool:
    r"""Whether a class is a Value class itself: what its methods make belongs to their callers.

    Examples
    --------
    >>> is_arithmetic(ast.parse("class V:\n    def __add__(self, o): pass").body[0])
    True
    """
    return any(
        isinstance(item, ast.FunctionDef) and item.name in ("__add__", "__mul__")
        for item in node.body
    )


def is_operation(method: ast.FunctionDef | ast.AsyncFunctionDef, owner: str) -> bool:
    r"""Whether a method of a Value class makes its result itself, and is not made of other methods.

    Operators do, and what calls the class with operands, sets attributes, or defines a rule.

    Parameters
    ----------
    method : ast.FunctionDef or ast.AsyncFunctionDef
        The method.
    owner : str
        The name of its class.

    Examples
    --------
    >>> def asked(text):
    ...     return is_operation(ast.parse(text).body[0], "V")
    >>> asked("def exp(self): return V(math.exp(self.data), (self,))")
    True
    >>> asked("def square(self): return self * self")
    False
    """
    if method.name.startswith("__") or "backw" in method.name or "backprop" in method.name:
        return True
    return any(_makes_itself(node, owner) for node in ast.walk(method) if node is not method)


def _makes_itself(node: ast.AST, owner: str) -> bool:
    match node:
        case ast.FunctionDef() | ast.AsyncFunctionDef() | ast.Lambda():
            return True
        case ast.Attribute(ctx=ast.Store()):
            return True
        case ast.Call(func=ast.Name(id=name), args=args, keywords=keywords):
            return name in (owner, "cls") and len(args) + len(keywords) > 1
        case ast.Call(func=ast.Attribute(attr="__class__") | ast.Call(func=ast.Name(id="type"))):
            return True
    return False


def counts(statements: Iterable[ast.stmt]) -> frozenset[str]:
    """Return the variables that have to stay plain numbers: they count, or they index.

    Examples
    --------
    >>> sorted(counts(ast.parse("for i in range(n): x[k] = a * i").body))
    ['k', 'n']
    """
    found: set[str] = set()
    for node in (inner for statement in statements for inner in ast.walk(statement)):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name):
            if node.func.id == "range":
                found.update(_loaded(node.args))
        elif isinstance(node, ast.Subscript):
            found.update(_loaded([node.slice]))
    return frozenset(found)


def _loaded(nodes: Iterable[ast.AST]) -> Iterator[str]:
    for node in (inner for outer in nodes for inner in ast.walk(outer)):
        if isinstance(node, ast.Name):
            yield node.id


def functions_in(code: CodeType) -> Iterator[CodeType]:
    r"""Return the code of everything that is defined in some code, at any depth.

    Examples
    --------
    >>> code = compile("class A:\n    def f(self): pass", "cell", "exec")
    >>> [inner.co_qualname for inner in functions_in(code)]
    ['A', 'A.f']
    """
    for constant in code.co_consts:
        if isinstance(constant, CodeType):
            yield constant
            yield from functions_in(constant)
