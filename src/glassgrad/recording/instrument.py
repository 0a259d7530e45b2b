"""A statement's syntax tree in, the same statement with a listening recorder out.

Each expression that makes a value is passed through the recorder on its way (``a * b`` becomes
``recorder.made(7, a * b)``), and with it, or after it, the names that it was given. The recorder
returns what it was given, so the program computes what it computed before.

The recorder has no name anywhere: the tree mentions a placeholder string, and once the code is
compiled `connect` exchanges that constant for the recorder itself. The user's namespace and
``builtins`` stay as they were. New nodes carry the location of the old ones, so that a traceback
points at the user's own text.

Bodies of functions, classes and lambdas are left alone: they may run long after the recording, and
what they compute belongs to the line that called them.
"""

from __future__ import annotations

import ast
from dataclasses import dataclass, replace
from types import CodeType
from typing import TypeVar

PLACEHOLDER = "\0the glassgrad recorder\0"
"""The constant that `connect` exchanges; no text that somebody types holds a zero character."""

DRIVERS = ("backward", "backprop", "backwards", "backward_all", "backwardpropagation")
"""What the method that runs the whole backward pass is called, in the classes that people write."""

UNHEARD = frozenset({"exec", "get_ipython", "globals", "locals", "vars"})
"""Functions through which a statement may bind names that the rewriting does not see."""

DEEPEST = 150
"""Statements nested deeper than this are left alone: rewriting them would exhaust the stack."""

LISTENS = {
    ast.BinOp: "made",
    ast.UnaryOp: "made",
    ast.Call: "made",
    ast.Attribute: "seen",
    ast.Subscript: "seen",
}
"""The kinds of expression that are listened to, and which method of the recorder hears them."""

_Node = TypeVar("_Node", bound=ast.AST)


@dataclass(frozen=True, slots=True)
class Site:
    """A place in the source, as the compiler counts: lines from 1, columns in UTF-8 bytes from 0.

    Parameters
    ----------
    line, column, end_line, end_column : int
        Where the text begins and ends.
    names : tuple of str
        The variables that are bound here, in the order in which their values are reported; empty
        for an expression.

    Examples
    --------
    >>> Site(1, 0, 1, 5).line
    1
    """

    line: int
    column: int
    end_line: int
    end_column: int
    names: tuple[str, ...] = ()


class Instrumenter(ast.NodeTransformer):
    """Rewrites statements one by one and remembers the sites they mention.

    Attributes
    ----------
    sites : list of Site
        The places that the rewritten statements refer to by their index.
    unheard : bool
        Whether the last statement may have bound names that are not reported: ``%time y = a*b``
        does, and so does a statement too deep to be rewritten.

    Examples
    --------
    >>> instrumenter = Instrumenter()
    >>> statements = instrumenter.statement(ast.parse("c = a * b + a").body[0])
    >>> [(site.column, site.end_column, site.names) for site in instrumenter.sites]
    [(4, 9, ()), (4, 13, ('c',))]
    """

    def __init__(self) -> None:
        self.sites: list[Site] = []
        self.unheard = False

    def statement(self, node: ast.stmt) -> list[ast.stmt]:
        """Return the statements that take the place of one statement.

        Parameters
        ----------
        node : ast.stmt
            A statement of the cell's top level, with locations. It is changed in place.

        Returns
        -------
        list of ast.stmt
            The statement, followed by the note of the names that it bound, if any.
        """
        self.unheard = _is_deep(node)
        if self.unheard:
            return [node]
        result = self.visit(node)
        return result if isinstance(result, list) else [result]

    # Expressions

    def generic_visit(self, node: ast.AST) -> ast.AST:
        """Visit what is inside, then listen to the node itself if it makes a value."""
        super().generic_visit(node)
        method = LISTENS.get(type(node))
        if method is None or not isinstance(node, ast.expr) or not _makes_value(node):
            return node
        return self._tell(method, node)

    def visit_Call(self, node: ast.Call) -> ast.AST:
        """Listen to the result; of ``loss.backward()`` also to ``loss``.

        The function itself is only visited inside: ``model.loss(x)`` reads a method, not a value.
        """
        if isinstance(node.func, ast.Attribute):
            node.func.value = self.visit(node.func.value)
            if node.func.attr in DRIVERS:
                node.func.value = self._tell("driven", node.func.value)
        else:
            if isinstance(node.func, ast.Name) and node.func.id in UNHEARD:
                self.unheard = True
            node.func = self.visit(node.func)
        node.args = [self.visit(argument) for argument in node.args]
        node.keywords = [self.visit(keyword) for keyword in node.keywords]
        return self._tell("made", node)

    def visit_NamedExpr(self, node: ast.NamedExpr) -> ast.AST:
        """Note the name of a walrus on the value's way into it."""
        node.value = self._assigned(node.value, node.target)
        return node

    # Statements that bind names

    def visit_Assign(self, node: ast.Assign) -> ast.stmt | list[ast.stmt]:
        """Note the name of ``a = ...`` on the value's way, those of other targets afterwards."""
        (target, *others) = node.targets
        if isinstance(target, ast.Name) and not others:
            node.value = self._assigned(node.value, target)
            return node
        return [self._inside(node), *self._note(node, node.targets)]

    def visit_AugAssign(self, node: ast.AugAssign) -> list[ast.stmt]:
        """Note the name of ``a += ...``; the sum itself is no expression of its own."""
        return [self._inside(node), *self._note(node, [node.target])]

    def visit_AnnAssign(self, node: ast.AnnAssign) -> ast.stmt:
        """Note the name of ``a: Value = ...``; the annotation is no computation."""
        if node.value is not None:
            is_name = isinstance(node.target, ast.Name)
            node.value = (
                self._assigned(node.value, node.target) if is_name else self.visit(node.value)
            )
        return node

    def visit_For(self, node: ast.For) -> ast.AST:
        """Note the loop variables at the start of every iteration."""
        self._inside(node)
        node.body[:0] = self._note(node.target, [node.target])
        return node

    def visit_With(self, node: ast.With) -> ast.AST:
        """Note the names after ``as`` at the start of the block."""
        self._inside(node)
        targets = [item.optional_vars for item in node.items if item.optional_vars is not None]
        if targets:
            node.body[:0] = self._note(targets[0], targets)
        return node

    # What is left as it is

    def visit_match_case(self, node: ast.match_case) -> ast.AST:
        """Visit the guard and the body; a pattern is not an expression."""
        if node.guard is not None:
            node.guard = self.visit(node.guard)
        block = self._inside(ast.Module(node.body, []))
        node.body = block.body
        return node

    def _untouched(self, node: ast.AST) -> ast.AST:
        return node

    visit_FunctionDef = _untouched  # noqa: N815
    visit_AsyncFunctionDef = _untouched  # noqa: N815
    visit_ClassDef = _untouched  # noqa: N815
    visit_Lambda = _untouched  # noqa: N815
    visit_TypeAlias = _untouched  # noqa: N815
    # locations inside f-strings are not reliable before Python 3.12, and what is made there is text
    visit_JoinedStr = _untouched  # noqa: N815
    visit_TemplateStr = _untouched  # noqa: N815

    # How the recorder is told

    def _inside(self, node: _Node) -> _Node:
        super().generic_visit(node)
        return node

    def _assigned(self, value: ast.expr, target: ast.expr) -> ast.expr:
        """Let the recorder hear an expression together with the one name it is given."""
        assert isinstance(target, ast.Name)
        heard: ast.expr = self.visit(value)
        match heard:
            case ast.Call(
                func=ast.Attribute(value=ast.Constant(value=str(text)), attr="made") as method,
                args=[ast.Constant(value=int(number)), _],
            ) if text == PLACEHOLDER:
                method.attr = "assigned"
                self.sites[number] = replace(self.sites[number], names=(target.id,))
                return heard
        return self._tell("named", heard, (target.id,))

    def _note(self, place: ast.AST, targets: list[ast.expr]) -> list[ast.stmt]:
        names = [name for target in targets for name in _names(target)]
        if not names:
            return []
        values: list[ast.expr] = [_at(place, ast.Name(name, ast.Load())) for name in names]
        method = "named" if len(names) == 1 else "bound"
        call = self._call(method, place, tuple(names), values)
        return [_at(place, ast.Expr(call))]

    def _tell(self, method: str, node: ast.expr, names: tuple[str, ...] = ()) -> ast.Call:
        return self._call(method, node, names, [node])

    def _call(
        self, method: str, place: ast.AST, names: tuple[str, ...], values: list[ast.expr]
    ) -> ast.Call:
        site = Site(*_span(place), names)
        self.sites.append(site)
        recorder = _at(place, ast.Constant(PLACEHOLDER))
        function = _at(place, ast.Attribute(recorder, method, ast.Load()))
        number = _at(place, ast.Constant(len(self.sites) - 1))
        return _at(place, ast.Call(function, [number, *values], []))


def connect(code: CodeType, recorder: object) -> CodeType:
    """Return the code with the recorder in place of its placeholder, also in nested code.

    Parameters
    ----------
    code : code
        Compiled from statements that an `Instrumenter` rewrote.
    recorder : object
        What the code talks to: an object with the methods of `Recorder`.

    Returns
    -------
    code
        The same code with other constants.

    Examples
    --------
    >>> tree = ast.Module(Instrumenter().statement(ast.parse("c = 2 * n").body[0]), [])
    >>> class Listener:
    ...     def assigned(self, site, value):
    ...         print("heard", value)
    ...         return value
    >>> exec(connect(compile(tree, "cell", "exec"), Listener()), {"n": 4})
    heard 8
    """
    return code.replace(co_consts=tuple(_exchange(item, recorder) for item in code.co_consts))


def _exchange(constant: object, recorder: object) -> object:
    if isinstance(constant, CodeType):
        return connect(constant, recorder)
    return recorder if type(constant) is str and constant == PLACEHOLDER else constant


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
        if not isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef | ast.Lambda):
            waiting.extend(ast.iter_child_nodes(node))
    return False


def _is_deep(node: ast.AST) -> bool:
    """Whether a tree has more than `DEEPEST` levels: a sum of hundreds of terms has."""
    level: list[ast.AST] = [node]
    for _ in range(DEEPEST):
        level = [child for parent in level for child in ast.iter_child_nodes(parent)]
        if not level:
            return False
    return True


def _makes_value(node: ast.expr) -> bool:
    """Whether an expression of a kind that is listened to can give a Value at all."""
    if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Not):
        return False
    if isinstance(node, ast.Attribute | ast.Subscript) and not isinstance(node.ctx, ast.Load):
        return False
    return not _is_literal(node)


def _is_literal(node: ast.AST) -> bool:
    """Whether the node is arithmetic on plain numbers, which the compiler folds: ``-3.0``."""
    if isinstance(node, ast.BinOp):
        return _is_literal(node.left) and _is_literal(node.right)
    if isinstance(node, ast.UnaryOp):
        return _is_literal(node.operand)
    return isinstance(node, ast.Constant)


def _names(target: ast.expr) -> list[str]:
    """Return the variables that an assignment to the target binds."""
    if isinstance(target, ast.Name):
        return [target.id]
    if isinstance(target, ast.Starred):
        return _names(target.value)
    if isinstance(target, ast.Tuple | ast.List):
        return [name for element in target.elts for name in _names(element)]
    return []


def _at(place: ast.AST, node: _Node) -> _Node:
    return ast.copy_location(node, place)


def _span(node: ast.AST) -> tuple[int, int, int, int]:
    """Return a node's location; trees of other extensions may lack the end of it."""
    line, column = getattr(node, "lineno", 1), getattr(node, "col_offset", 0)
    end_line, end_column = getattr(node, "end_lineno", None), getattr(node, "end_col_offset", None)
    return (line, column, end_line or line, column if end_column is None else end_column)
