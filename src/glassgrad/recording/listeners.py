"""The functions of recorded cells in, the same functions listening while a cell runs out.

A function is born with the code that it would have without us. While a recorded cell runs, the one
that defined it or a later one, it has another code: the same body, telling a recorder what it
computes. Afterwards it has its own code back, the very object. So whoever looks at a function sees
what was written, and a function that nobody needs any more is known to nobody.
"""

from __future__ import annotations

import ast
import functools
from abc import ABCMeta
from collections.abc import Mapping
from threading import RLock
from types import BuiltinFunctionType, CodeType, FunctionType
from typing import TYPE_CHECKING, cast

from glassgrad.recording.ear import Ear
from glassgrad.recording.functions import Definition, Functions, Group, Scope
from glassgrad.recording.handed import handed, innermost, only_calls, reads
from glassgrad.recording.instrument import connect

if TYPE_CHECKING:
    from glassgrad.recording.recorder import Recorder

CALLS_THEM: Mapping[type, tuple[str, ...]] = {
    FunctionType: (),
    classmethod: ("__func__",),
    staticmethod: ("__func__",),
    property: ("fget", "fset", "fdel"),
    functools.cached_property: ("func",),
    functools.partial: ("func",),
    type(functools.cache(len)): ("__wrapped__",),
}
"""Kinds of object that decorators make of a function, and that only call what they hold there."""


class Listeners:
    """The functions that listen while one cell runs.

    Parameters
    ----------
    recorder : Recorder
        What they tell.
    functions : Functions, optional
        Those of earlier cells; the new ones are added.
    has_lambdas : bool, optional
        Whether statements of the cell may hand over a function that has no name.
    """

    def __init__(
        self, recorder: Recorder, functions: Functions | None, has_lambdas: bool = False
    ) -> None:
        self._recorder = recorder
        self._functions = Functions() if functions is None else functions
        self._has_lambdas = has_lambdas
        self._codes: dict[Definition, CodeType | None] = {}
        self._plain: dict[int, CodeType] = {}  # by the identity of code that listens
        self._ready: dict[tuple[Scope, int], tuple[Group, CodeType | None]] = {}
        self._trusted: dict[int, tuple[object, bool]] = {}
        self._closed: dict[Scope, bool] = {}
        self._left: set[tuple[str, int]] = set()
        self._blind = False
        self._compiling = RLock()  # threads may define the same function at once
        self._listen_all()

    def defined(self, scope: Scope, told: int, thing: object) -> None:
        """Hear that a function or a class is defined, and what its decorators made of it."""
        born = scope.born.pop(told, ())
        if _only_calls(thing):
            for function, site in born:
                self.learn(scope, site, function)

    def learn(self, scope: Scope, site: int, function: object) -> None:
        """Hear of a function, and let it listen."""
        if type(function) is not FunctionType or self._blind:
            return
        ready = self._ready.get((scope, site))  # a loop may make thousands of them
        if ready is None or ready[0].plain is not function.__code__:
            key = function.__name__, function.__code__.co_firstlineno
            if key in self._left or self._is_closed(scope):
                return
            group = self._functions.group(function.__code__, scope.definition(site))
            ready = self._ready[scope, site] = group, self._listening(group, function)
        group, code = ready
        if group.add(function) and code is not None:
            function.__code__ = code

    def argument(self, scope: Scope, site: int, function: object, call: int) -> None:
        """Hear that a function is an argument: it is left alone, unless it is only called."""
        if not scope.trusted.get(call, False):
            self._leave(function)
        elif scope.defines(site):
            self.learn(scope, site, function)

    def is_trusted(self, thing: object) -> bool:
        """Whether something only calls what it is handed; found out once per class, or per code."""
        thing = innermost(thing)
        kind = type(thing)
        if kind is BuiltinFunctionType:  # that of a list is another one each time
            return only_calls(thing)
        if kind is FunctionType:
            key: object = cast(FunctionType, thing).__code__
        else:
            key = thing if issubclass(kind, type) else kind
        known = self._trusted.get(id(key))
        if known is None:
            known = self._trusted[id(key)] = key, only_calls(thing)
        return known[1]

    def leave(self, statement: ast.stmt, variables: Mapping[str, object]) -> None:
        """Leave the functions alone that the next statement hands to who may read their code.

        Parameters
        ----------
        statement : ast.stmt
            A statement of the cell, as it is written.
        variables : mapping
            The user's variables.
        """
        if self._blind:
            self._blind = False
            self._listen_all()
        may_hand = len(self._functions) or self._has_lambdas or hasattr(statement, "body")
        if not may_hand:
            return
        given = handed(statement, variables)
        if given.defined:
            self._left |= given.defined
            self._ready.clear()
        for function in given.functions:
            self._leave(function)
        if given.unseen:
            self._blind = True
            self.restore()

    def restore(self) -> None:
        """Give all functions their own code back."""
        for group in self._functions.groups():
            code = self._codes.get(group.definition)
            for function in group.alive() if code is not None else ():
                if function.__code__ is code:
                    function.__code__ = group.plain

    def close(self) -> None:
        """Let no function listen any more, and keep no code: the collector sees no cycle in it."""
        self.restore()
        self._blind = True
        for known in (self._codes, self._plain, self._ready, self._trusted, self._closed):
            known.clear()

    def _leave(self, function: object) -> None:
        if type(function) is not FunctionType:
            return
        plain = self._plain.get(id(function.__code__), function.__code__)
        if self._functions.forget(function, plain):
            function.__code__ = plain

    def _listen_all(self) -> None:
        for group in self._functions.groups():
            functions = [f for f in group.alive() if f.__code__ is group.plain]
            code = self._listening(group, functions[0]) if functions else None
            if code is not None:
                for function in functions:
                    function.__code__ = code

    def _listening(self, group: Group, function: FunctionType) -> CodeType | None:
        """Return the code with which functions of a definition listen; None where they cannot."""
        definition, plain = group.definition, group.plain
        with self._compiling:
            try:
                return self._codes[definition]
            except KeyError:
                code = definition.code(plain)
                if code is not None:
                    code = connect(code, Ear(self._recorder, self, definition))
                    self._plain[id(code)] = plain
                self._codes[definition] = code
                definition.scope.owner = plain, function.__globals__
            return code

    def _is_closed(self, scope: Scope) -> bool:
        """Whether functions are defined where they may be given to who reads their code."""
        known = self._closed.get(scope)
        if known is None:
            known = self._closed[scope] = scope.owner is not None and reads(*scope.owner)
        return known


def _only_calls(thing: object) -> bool:
    """Whether what decorators made of a function or a class runs the functions as they are."""
    kind = type(thing)
    if kind is type or issubclass(kind, ABCMeta):
        return True
    held = [getattr(thing, name, None) for name in CALLS_THEM.get(kind, ())]
    return kind in CALLS_THEM and all(_only_calls(inner) for inner in held if inner is not None)
