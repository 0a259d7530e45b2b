"""The functions of recorded cells in, the same functions listening while a cell runs out.

A function is born with the code that it would have without us. While a recorded cell runs, the one
that defined it or a later one, it has another code: the same body, telling a recorder what it
computes. Afterwards it has its own code back, the very object. So whoever looks at a function sees
what was written, and a function that nobody needs any more is known to nobody.

Listened to are functions at the top level of a cell, lambdas that are not written into a call, and
methods. What a decorator made of a function is called by us only if it is known to call it: a
compiler would read the code instead. For the same reason a function that is handed to somebody
else is left alone from then on, see `glassgrad.recording.handed`. The methods of a Value class are
left alone too: the line that computes ``a * b`` is the line that matters, not the one inside
``__mul__``.
"""

from __future__ import annotations

import ast
import functools
from abc import ABCMeta
from collections.abc import Callable, Iterator, Mapping
from types import CodeType, FunctionType
from typing import TYPE_CHECKING, TypeVar
from weakref import WeakKeyDictionary, ref

from glassgrad.recording.ear import Ear
from glassgrad.recording.handed import handed
from glassgrad.recording.instrument import connect
from glassgrad.recording.recompile import Function, listening
from glassgrad.recording.sites import Script, Spot

if TYPE_CHECKING:
    from glassgrad.recording.recorder import Recorder

_T = TypeVar("_T")

CALLS_THEM = frozenset(
    {
        FunctionType,
        classmethod,
        staticmethod,
        property,
        functools.cached_property,
        functools.partial,
        type(functools.cache(len)),
    }
)
"""Kinds of object that decorators make of a function, and that do nothing but call it."""


class Definition:
    """A function as it stands in a cell.

    Parameters
    ----------
    node : ast.FunctionDef, ast.AsyncFunctionDef or ast.Lambda
        Its tree, which was compiled already and may be changed now.
    script : Script
        The cell.

    Attributes
    ----------
    name : str
        What it is called, with its class: ``"Neuron.__call__"``.
    first, last : int
        Its lines, decorators included.
    filename : str
        What its cell is called in tracebacks.
    spots : list of Spot
        The places that its listening code mentions.
    """

    def __init__(self, node: Function, script: Script) -> None:
        self.script = script
        self.name = "lambda"
        starts = [node.lineno, *(mark.lineno for mark in getattr(node, "decorator_list", ()))]
        self.first, self.last = min(starts), node.end_lineno or node.lineno
        self.filename = ""
        self.spots: list[Spot] = []
        self._node: Function | None = node
        self._code: CodeType | None = None

    def code(self, plain: CodeType) -> CodeType | None:
        """Return code that listens, with a placeholder; None where there is none that fits."""
        node, self._node = self._node, None
        if node is not None:
            if not isinstance(node, ast.Lambda):
                self.name = plain.co_qualname
            self.filename = plain.co_filename
            self._code, sites = listening(node, plain)
            self.spots = [Spot(self, site) for site in sites]
        fits = self._code is not None and self._code.co_freevars == plain.co_freevars
        return self._code if fits else None

    @property
    def title(self) -> str:
        """What stands above its lines: ``"layer, cell 3"``."""
        return f"{self.name}, cell {self.script.number}" if self.script.number else self.name

    @property
    def lines(self) -> list[str]:
        """Its lines, as they are written."""
        return list(self.script.lines[self.first - 1 : self.last])


class Functions:
    """The functions that recorded cells have defined, as long as they are there.

    Examples
    --------
    >>> list(Functions().known())
    []
    """

    def __init__(self) -> None:
        self._known: WeakKeyDictionary[FunctionType, tuple[Definition, CodeType]] = (
            WeakKeyDictionary()
        )

    def learn(self, function: FunctionType, definition: Definition) -> None:
        """Remember a function, with the code that is its own."""
        self._known[function] = definition, function.__code__

    def forget(self, function: FunctionType) -> None:
        """Leave a function alone from now on."""
        self._known.pop(function, None)

    def __len__(self) -> int:
        return len(self._known)

    def known(self) -> Iterator[tuple[FunctionType, Definition]]:
        """Give the functions that have their own code, each with its definition."""
        for function, (definition, plain) in list(self._known.items()):
            if function.__code__ is plain:
                yield function, definition


class Listeners:
    """The functions that listen while one cell runs.

    Parameters
    ----------
    recorder : Recorder
        What they tell.
    nodes : mapping of int to ast.AST
        The functions of the cell by the place of their definition; it may still grow.
    script : Script
        The cell.
    functions : Functions, optional
        Those of earlier cells; the new ones are added.
    """

    def __init__(
        self,
        recorder: Recorder,
        nodes: Mapping[int, Function],
        script: Script,
        functions: Functions | None,
    ) -> None:
        self._recorder = recorder
        self._nodes = nodes
        self._script = script
        self._functions = Functions() if functions is None else functions
        self._definitions: dict[int, Definition] = {}
        self._codes: dict[Definition, CodeType | None] = {}
        self._born: list[tuple[FunctionType, int]] = []
        self._left: set[str] = set()
        self._changed: list[tuple[ref[FunctionType], CodeType, CodeType]] = []
        for function, definition in self._functions.known():
            self._listen(function, definition)

    def defining(self, site: int) -> Callable[[_T], _T]:
        """Return the innermost decorator of a function: it notes the function, and returns it."""

        def note(function: _T) -> _T:
            if isinstance(function, FunctionType):
                self._born.append((function, site))
            return function

        return note

    def defined(self, _site: int, thing: object) -> None:
        """Hear that a function or a class is defined, and what its decorators made of it."""
        born, self._born = self._born, []
        if _only_calls(thing):
            for function, site in born:
                self._learn(function, site)

    def lambda_(self, site: int, function: _T) -> _T:
        """Hear of a lambda, and return it."""
        if isinstance(function, FunctionType):
            self._learn(function, site)
        return function

    def leave(self, statement: ast.stmt, variables: Mapping[str, object]) -> None:
        """Leave the functions alone that the next statement hands to who may read their code.

        Parameters
        ----------
        statement : ast.stmt
            A statement of the cell, as it is written.
        variables : mapping
            The user's variables.
        """
        if not len(self._functions) and not hasattr(statement, "body"):
            return
        functions, names = handed(statement, variables)
        self._left |= names
        for function in functions:
            self._functions.forget(function)
        self._give_back(functions)

    def restore(self) -> None:
        """Give all functions their own code back."""
        self._give_back(None)
        self._changed.clear()
        self._born.clear()

    def _give_back(self, functions: set[FunctionType] | None) -> None:
        for reference, plain, code in self._changed:
            function = reference()
            if function is None or function.__code__ is not code:
                continue
            if functions is None or function in functions:
                function.__code__ = plain

    def _learn(self, function: FunctionType, site: int) -> None:
        if function.__name__ in self._left:
            return
        definition = self._definitions.get(site)
        if definition is None:
            definition = self._definitions[site] = Definition(self._nodes[site], self._script)
        self._functions.learn(function, definition)
        self._listen(function, definition)

    def _listen(self, function: FunctionType, definition: Definition) -> None:
        plain = function.__code__
        try:
            code = self._codes[definition]
        except KeyError:
            code = definition.code(plain)
            if code is not None:
                code = connect(code, Ear(self._recorder, definition.spots))
            self._codes[definition] = code
        if code is not None:
            function.__code__ = code
            self._changed.append((ref(function), plain, code))


def _only_calls(thing: object) -> bool:
    """Whether what decorators made of a function or a class runs the functions as they are."""
    return type(thing) in CALLS_THEM or type(thing) is type or isinstance(thing, ABCMeta)
