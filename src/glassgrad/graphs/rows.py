"""A sequence that is as long as its columns, and makes a row when somebody asks for one."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import TypeVar, overload

_T = TypeVar("_T")


class Rows(Sequence[_T]):
    """A sequence whose items are made from columns when they are asked for."""

    __slots__ = ("_make", "_range")

    def __init__(self, make: Callable[[int], _T], rows: range) -> None:
        self._make = make
        self._range = rows

    def __len__(self) -> int:
        return len(self._range)

    @overload
    def __getitem__(self, index: int) -> _T: ...
    @overload
    def __getitem__(self, index: slice) -> Rows[_T]: ...
    def __getitem__(self, index: int | slice) -> _T | Rows[_T]:
        if isinstance(index, slice):
            return Rows(self._make, self._range[index])
        return self._make(self._range[index])

    def __iter__(self) -> Iterator[_T]:
        return map(self._make, self._range)

    def __repr__(self) -> str:
        return repr(list(self)) if len(self) <= 10 else f"<{len(self):,} rows>"
