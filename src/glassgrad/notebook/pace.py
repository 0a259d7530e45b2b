"""How often a picture is sent: at most about thirty times a second, and the last state always.

In flow changes of traits, as fast as a loop makes them; out flow as many messages as a page can
draw. Messages that come faster queue up in the browser, and the picture lags seconds behind.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable, Iterable
from typing import Any

import anywidget

INTERVAL = 1 / 30
"""Seconds from one message to the next, at least."""


class Pace:
    """Tells when the next one is due.

    Parameters
    ----------
    clock : callable, optional
        Returns seconds.

    Examples
    --------
    >>> seconds = iter([0.0, 0.0, 0.01, 0.05])
    >>> pace = Pace(lambda: next(seconds))
    >>> pace.is_due(), pace.mark(), pace.is_due(), pace.is_due()
    (True, None, False, True)
    """

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._next = float("-inf")

    def is_due(self) -> bool:
        """Whether the interval is over."""
        return self._clock() >= self._next

    def mark(self, interval: float = INTERVAL) -> None:
        """Begin an interval."""
        self._next = self._clock() + interval


class PacedWidget(anywidget.AnyWidget):
    """A widget that sends what is large at most so often; the rest travels at once."""

    PACED: frozenset[str] = frozenset()
    """The names of the traits that wait."""

    def __init__(self, **traits: Any) -> None:
        self._pace = Pace()
        self._late: set[str] = set()
        self._is_waiting = False
        super().__init__(**traits)

    def send_state(self, key: str | Iterable[str] | None = None) -> None:
        """Send traits to the page: those that wait later, and then as they are by then.

        Parameters
        ----------
        key : str or iterable of str, optional
            Their names; by default all.
        """
        keys = {key} if isinstance(key, str) else None if key is None else set(key)
        if keys and keys <= self.PACED and not self._pace.is_due() and self._wait():
            self._late |= keys
            return
        if keys is None or keys & self.PACED:  # together, since they may speak of each other
            self._pace.mark()
            late, self._late = self._late, set()
            keys = None if keys is None else keys | late
        super().send_state(keys)

    def flush(self) -> None:
        """Send what waits."""
        late, self._late = self._late, set()
        if late:
            self._pace.mark()
            super().send_state(late)

    def close(self) -> None:
        """Take the widget out of the page."""
        self._late = set()
        super().close()

    def _wait(self) -> bool:
        """Have the rest sent by the kernel's loop; False where there is none to do it."""
        if self._is_waiting:
            return True
        try:
            loop = asyncio.get_running_loop()
        except RuntimeError:
            return False

        def send() -> None:
            self._is_waiting = False
            self.flush()

        self._is_waiting = True
        loop.call_later(INTERVAL, send)
        return True
