"""Matrix products hidden in a heap of dot products.

A layer computes every weight row times every sample: if the dot products are looked at as pairs
(row of x, row of y), all pairs of some rows of x with some rows of y are there, and that is one
matrix product.  Rows are compared by the cells they read, so what is found is exact.
"""

from __future__ import annotations

import numpy as np

from glassgrad.engine.replay.recording import Cells

# A matrix product costs a few array calls more than being one of many single dot products, which
# cost about 8 ns per term; where these lines cross was measured and matters little.
_TERMS_PER_BLOCK = 64
_TERMS_PER_STACK = 1024


def blocks(x: Cells, y: Cells) -> list[Cells]:
    """Sort dot products into stacks of matrix products.

    Parameters
    ----------
    x, y : array of int, shape (products, terms)
        The cells of the factors: product ``i`` is the sum of ``x[i] * y[i]``.

    Returns
    -------
    list of array of int, each of shape (stack, rows, columns)
        The positions of the products.  Along a row `x` stays the same, along a column `y`.
        Each product is in exactly one stack; those that share too little have one row and column.

    Examples
    --------
    >>> weights, samples = np.arange(64).reshape(2, 32), np.arange(64, 1088).reshape(32, 32)
    >>> every_pair = np.repeat(weights, 32, axis=0), np.tile(samples, (2, 1))
    >>> [stack.shape for stack in blocks(*every_pair)]
    [(1, 2, 32)]
    """
    row, column = _identity(x), _identity(y)
    count, terms = x.shape
    stacks: list[Cells] = []
    single = np.ones(count, bool)
    if row.max() + 1 < count or column.max() + 1 < count:
        for shape, found in _by_shape(row, column).items():
            area = shape[0] * shape[1] * terms
            if area >= _TERMS_PER_BLOCK and area * len(found) >= _TERMS_PER_STACK:
                stack = np.stack(found)
                single[stack] = False
                stacks.append(stack)
    if single.any():
        stacks.append(np.flatnonzero(single).reshape(-1, 1, 1))
    return stacks


def _identity(rows: Cells) -> Cells:
    """Return a number for each row, the same for equal rows, in order of appearance."""
    seen: dict[bytes, int] = {}
    width = rows.shape[1] * rows.itemsize
    whole = np.ascontiguousarray(rows).view(f"V{width}").ravel().tolist()
    return np.array([seen.setdefault(row, len(seen)) for row in whole], np.intp)


def _by_shape(row: Cells, column: Cells) -> dict[tuple[int, int], list[Cells]]:
    """Collect the rows that meet the same columns: each such set is a full block."""
    order = np.lexsort((column, row))
    starts = np.flatnonzero(np.diff(row[order])) + 1
    meets: dict[bytes, list[Cells]] = {}
    for products in np.split(order, starts):
        meets.setdefault(column[products].tobytes(), []).append(products)
    shapes: dict[tuple[int, int], list[Cells]] = {}
    for found in meets.values():
        block = np.stack(found)
        shapes.setdefault((block.shape[0], block.shape[1]), []).append(block)
    return shapes
