"""A statement's syntax tree in, the same statement with a listening recorder out.

Each expression that makes a value is passed through the recorder on its way (``a * b`` becomes
``recorder.heard(7, a * b)``), and with it, or after it, the names that it was given. The recorder
returns what it was given, so the program computes what it computed before.

The recorder has no name anywhere: the tree mentions a placeholder string, and once the code is
compiled `connect` exchanges that constant for the recorder itself. The user's namespace and
``builtins`` stay as they were. New nodes carry the location of the old ones, so that a traceback
points at the user's own text.

The bodies of functions stay as they are here; the recorder is only told of each function that is
defined. `glassgrad.recording.listeners` has them listen, for as long as a cell runs, by the same
rewriting: so it is told of the functions in functions as well.
"""

from __future__ import annotations

import ast
import operator
from collections.abc import Mapping
from dataclasses import replace
from types import CodeType
from typing import Any, TypeVar

from glassgrad.graphs.drive import DRIVERS
from glassgrad.recording.definitions import (
    PLACEHOLDER,
    Defined,
    Definitions,
    functions_of,
    located,
)
from glassgrad.recording.sites import How
from glassgrad.recording.syntax import (
    is_deep,
    is_literal,
    makes_value,
    names_in,
)

RULES = ("_backward", "_backprop")
"""What the method that runs the rule of one value is called."""

UNHEARD = frozenset({"exec", "get_ipython", "globals", "locals", "vars"})
"""Functions through which a statement may bind names that the rewriting does not see."""

LISTENS: Mapping[type[ast.AST], How] = {
    ast.BinOp: "made",
    ast.UnaryOp: "made",
    ast.Call: "made",
    ast.Attribute: "seen",
    ast.Subscript: "seen",
}
"""The kinds of expression that are listened to, and what is heard of them."""

_NOTES: Mapping[bool, tuple[str, How]] = {False: ("named", "bound"), True: ("heard", "within")}
"""How a name is noted: in the cell, and within a function."""

_Node = TypeVar("_Node", bound=ast.AST)


class Instrumenter(Definitions, ast.NodeTransformer):
    """Rewrites statements one by one and remembers the sites they mention.

    Parameters
    ----------
    kept : frozenset of str, optional
        Where numbers are lifted: the variables that stay plain numbers. None lifts nothing.

    Attributes
    ----------
    sites : list of Site
        The places that the rewritten statements refer to by their index.
    unheard : bool
        Whether the last statement may have bound names that are not reported: ``%time y = a*b``
        does, and so does a statement too deep to be rewritten.
    functions : dict
        The functions that the statements define, by the index of their sites; see `Definitions`.

    Examples
    --------
    >>> instrumenter = Instrumenter()
    >>> statements = instrumenter.statement(ast.parse("c = a * b + a").body[0])
    >>> [(site.column, site.end_column, site.name) for site in instrumenter.sites]
    [(4, 9, ''), (4, 13, 'c')]
    """

    def __init__(self, kept: frozenset[str] | None = None) -> None:
        super().__init__()
        self.unheard = False
        self._kept = kept

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
        self.unheard = is_deep(node)
        if self.unheard:
            return [node]
        result = self.visit(node)
        return result if isinstance(result, list) else [result]

    def body(self, function: Defined) -> Defined:
        """Return a function's definition with its body listened to as a cell is.

        Parameters
        ----------
        function : ast.FunctionDef or ast.AsyncFunctionDef
            It is changed in place; its decorators are taken off.
        """
        return self._heard(function)

    def inner(self, function: Defined) -> Defined:
        """Return a function's definition with a body that tells what it computes for its caller.

        Parameters
        ----------
        function : ast.FunctionDef or ast.AsyncFunctionDef
            It is changed in place; its decorators are taken off.
        """
        self._within = True
        return self._heard(function)

    def _heard(self, function: Defined) -> Defined:
        self._local = frozenset(functions_of(function))
        function.decorator_list = []
        function.body = self._inside(ast.Module(function.body, [])).body
        return function

    # Expressions

    def visit(self, node: ast.AST) -> Any:
        """Visit a node; most have nothing inside, such as ``Load``, and stay as they are."""
        return super().visit(node) if node._fields else node

    def generic_visit(self, node: ast.AST) -> ast.AST:
        """Visit what is inside, then listen to the node itself if it makes a value."""
        super().generic_visit(node)
        how = LISTENS.get(type(node))
        if how is None or not isinstance(node, ast.expr) or not makes_value(node):
            return node
        if not self._within:
            return self._tell("heard", node, how=how)
        return self._tell("heard", node, how="within") if how == "made" else node

    def visit_Call(self, node: ast.Call) -> ast.AST:
        """Listen to the result; of ``loss.backward()`` also to ``loss``.

        The function itself is only visited inside: ``model.loss(x)`` reads a method, not a value.
        """
        if isinstance(node.func, ast.Attribute):
            node.func.value = self.visit(node.func.value)
            if node.func.attr in (*DRIVERS, *RULES):
                node.func.value = self._tell("driven", node.func.value, node.func.attr)
        else:
            if isinstance(node.func, ast.Name) and node.func.id in UNHEARD and not self._within:
                self.unheard = True
            node.func = self.visit(node.func)
        arguments = [*node.args, *(keyword.value for keyword in node.keywords)]
        call = self._callee(node) if any(map(self._is_function, arguments)) else -1
        node.args = [self._argument(item, call) for item in node.args]
        for keyword in node.keywords:
            keyword.value = self._argument(keyword.value, call)
        if self._within:
            return self._tell("heard", node, how="within")
        # told also of what is no Value: what was made within belongs to this call
        return self._tell("named", node)

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
        self._inside(node)
        if not others:
            self._lift_each(target, node.value)
        elif all(isinstance(name, ast.Name) for name in node.targets):
            node.value = self._lifted(node.value, names_in(target))
        return [node, *self._note(node, node.targets)]

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

    def visit_For(self, node: ast.For | ast.AsyncFor) -> ast.AST:
        """Note the loop variables at the start of every iteration."""
        self._inside(node)
        if not self._within:
            node.body[:0] = self._note(node.target, [node.target])
        return node

    visit_AsyncFor = visit_For  # noqa: N815

    def visit_With(self, node: ast.With | ast.AsyncWith) -> ast.AST:
        """Note the names after ``as`` at the start of the block."""
        self._inside(node)
        targets = [item.optional_vars for item in node.items if item.optional_vars is not None]
        if targets and not self._within:
            node.body[:0] = self._note(targets[0], targets)
        return node

    visit_AsyncWith = visit_With  # noqa: N815

    def visit_ClassDef(self, node: ast.ClassDef) -> ast.stmt | list[ast.stmt]:
        """Listen to what stands in a class itself; its names are no variables of the cell."""
        told = super().visit_ClassDef(node)
        if not self._in_class and not self._within:
            self._in_class = True
            self._class_body(node)
            self._in_class = False
        return told

    def _class_body(self, owner: ast.ClassDef) -> None:
        for item in owner.body:
            if isinstance(item, ast.ClassDef):
                self._class_body(item)
            elif not isinstance(item, Defined):
                self.visit(item)  # in place

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

    visit_Name = visit_Constant = _untouched  # noqa: N815
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
        if self._in_class:
            unnamed: ast.expr = self.visit(value)
            return unnamed
        lifted = self._lifted(value, [target])
        if lifted is not value:
            return lifted
        heard: ast.expr = self.visit(value)
        match heard:
            case ast.Call(
                func=ast.Attribute(value=ast.Constant(value=str(text)), attr=told) as method,
                args=[ast.Constant(value=int(number)), _],
            ) if (
                text == PLACEHOLDER
                and told in ("heard", "named")
                and self.sites[number].how in ("made", "within")
            ):
                method.attr = "heard" if self._within else "named"
                self.sites[number] = replace(self.sites[number], name=target.id)
                return heard
        return heard if self._within else self._tell("named", heard, target.id, "bound")

    def _lift_each(self, target: ast.expr, value: ast.expr) -> None:
        """Lift the numbers of ``a, b = 2.0, -3.0``, each with its name."""
        if not isinstance(target, ast.Tuple | ast.List) or not isinstance(
            value, ast.Tuple | ast.List
        ):
            return
        if any(isinstance(item, ast.Starred) for item in (*target.elts, *value.elts)):
            return
        if len(target.elts) == len(value.elts):
            pairs = zip(target.elts, value.elts, strict=True)
            value.elts = [
                self._lifted(item, [name]) if isinstance(name, ast.Name) else item
                for name, item in pairs
            ]

    def _lifted(self, value: ast.expr, names: list[ast.Name]) -> ast.expr:
        """Make a Value of a number that is written out, where numbers are lifted."""
        if self._kept is None or self._within or self._in_class or not is_literal(value):
            return value
        if any(name.id in self._kept for name in names):
            return value
        return self._tell("lifted", value, names[0].id)

    def _note(self, place: ast.AST, targets: list[ast.expr]) -> list[ast.stmt]:
        """Return statements that tell the recorder what the names of some targets stand for now."""
        if self._in_class or (self._within and not isinstance(place, ast.AugAssign)):
            return []
        method, how = _NOTES[self._within]
        names = [name for target in targets for name in names_in(target)]
        # each where it stands, or two names of one line would look like two runs of it
        loads = (located(name, ast.Name(name.id, ast.Load())) for name in names)
        calls = (self._tell(method, load, load.id, how) for load in loads)
        return [located(place, ast.Expr(call)) for call in calls]


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
        The same code with other constants; where it has no placeholder, the very object.

    Examples
    --------
    >>> tree = ast.Module(Instrumenter().statement(ast.parse("c = 2 * n").body[0]), [])
    >>> class Listener:
    ...     def named(self, site, value):
    ...         print("heard", value)
    ...         return value
    >>> exec(connect(compile(tree, "cell", "exec"), Listener()), {"n": 4})
    heard 8
    """
    consts = tuple(_exchange(item, recorder) for item in code.co_consts)
    is_same = all(map(operator.is_, consts, code.co_consts))
    return code if is_same else code.replace(co_consts=consts)


def _exchange(constant: object, recorder: object) -> object:
    if isinstance(constant, CodeType):
        return connect(constant, recorder)
    return recorder if type(constant) is str and constant == PLACEHOLDER else constant
