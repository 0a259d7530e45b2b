"""Building large graphs without the cyclic garbage collector.

A graph holds no cycle: its values are freed by reference counts as soon as nothing uses them.
The cyclic collector cannot know that, and each time enough new values exist it looks through them
for cycles that are not there.
"""

from __future__ import annotations

import gc
from collections.abc import Iterator
from contextlib import contextmanager


@contextmanager
def pause_gc() -> Iterator[None]:
    """Pause Python's cyclic garbage collector inside a ``with`` block, or in a decorated function.

    Memory that no cycle holds is freed as always.  Blocks may be nested; at the end of each one
    the collector is on or off as it was before, also when an exception leaves the block.

    Put one training step into it, not a whole program: cycles made elsewhere wait until the end.

    Examples
    --------
    >>> import gc
    >>> from glassgrad.engine.value import Value
    >>> with pause_gc():
    ...     loss = sum(Value(x) ** 2 for x in range(100))
    ...     loss.backward()
    >>> loss.data, gc.isenabled()
    (328350.0, True)
    """
    was_enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        (gc.enable if was_enabled else gc.disable)()
