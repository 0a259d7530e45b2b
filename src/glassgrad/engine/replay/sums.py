"""Sums of products in a Recording: chains of ``+`` whose terms may be products.

``b + w1 * x1 + w2 * x2`` is recorded as four instructions.  Their intermediate results are used
by nobody else, so the chain can run as one dot product: (b, w1, w2) · (1, x1, x2).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeAlias

import numpy as np
import numpy.typing as npt

from glassgrad.engine.replay.recording import Cells, Recording

Bits: TypeAlias = npt.NDArray[np.bool_]


@dataclass(frozen=True, eq=False)
class Sums:
    """The sums of products of a recording.  One more cell than it has stands for the number 1.

    Parameters
    ----------
    ends : array of bool
        For each cell, whether it is the result of a sum of products.
    absorbed : array of bool
        For each cell, whether it is nothing but a part of one.
    first, count : array of int
        For each cell that is one, where its terms begin in `x` and `y`, and how many there are.
    x, y : array of int
        The cells of the factors of each term.
    """

    ends: Bits
    absorbed: Bits
    first: Cells
    count: Cells
    x: Cells
    y: Cells

    def terms(self, cells: Cells) -> tuple[Cells, Cells]:
        """Return the factors of sums that are equally long, one row for each of `cells`."""
        position = self.first[cells][:, None] + np.arange(self.count[cells[0]])
        return self.x[position], self.y[position]


def find_sums(recording: Recording) -> Sums:
    """Find every sum of at least three terms, or of two with a product among them.

    Examples
    --------
    >>> from glassgrad.engine.replay.recording import record
    >>> from glassgrad.engine.value import Value
    >>> b, w, x = Value(1.0), Value(2.0), Value(3.0)
    >>> sums = find_sums(record(b + w * x, [b, w, x]))
    >>> sums.x.tolist(), sums.y.tolist(), sums.absorbed.tolist()
    ([0, 1], [5, 2], [False, False, False, True, False, False])
    """
    leaves, size = recording.leaves, recording.size
    one = size
    uses, user = _uses(recording)
    is_add, is_mul = _made_by(recording, "add"), _made_by(recording, "mul")

    # An addition that only another addition uses is a part of that one: follow to the end.
    inner = is_add & (uses == 1) & is_add[user]
    end = np.where(inner, user, np.arange(size + 1))
    while not np.array_equal(end, further := end[end]):
        end = further

    additions = np.flatnonzero(is_add)
    operand = recording.operands[additions - leaves, :2]
    is_term = ~inner[operand]
    term = operand[is_term]  # as the additions stand in the recording: from left to right
    chain = np.repeat(end[additions], 2).reshape(-1, 2)[is_term]
    is_product = is_mul[term] & (uses[term] == 1)

    count = np.bincount(chain, minlength=size + 1)
    products = np.bincount(chain[is_product], minlength=size + 1)
    ends = (count > 2) | (products > 0)
    chosen = ends[chain]
    order = np.argsort(chain[chosen], kind="stable")
    chain, term, is_product = (column[chosen][order] for column in (chain, term, is_product))

    absorbed = inner.copy()
    absorbed[term[is_product]] = True
    x, y = term.copy(), np.full(len(term), one)
    x[is_product], y[is_product] = recording.operands[term[is_product] - leaves, :2].T
    count[~ends] = 0
    first = np.zeros(size + 1, np.intp)
    first[ends] = np.cumsum(count[ends]) - count[ends]
    _put_on_the_weights_side(uses, x, y, is_product, chain)
    return Sums(ends, absorbed, first, count, x, y)


def _uses(recording: Recording) -> tuple[Cells, Cells]:
    """Return for each cell how often it is used, and by which cell, if it is only one."""
    user = np.zeros(recording.size + 1, np.intp)
    operand = recording.operands.ravel()
    there = operand >= 0
    by = np.repeat(np.arange(recording.leaves, recording.size), 3)
    user[operand[there]] = by[there]
    uses = np.bincount(operand[there], minlength=recording.size + 1)
    uses[[recording.root, *recording.outputs]] += 2  # they are wanted for themselves
    return uses, user


def _made_by(recording: Recording, name: str) -> Bits:
    made = np.zeros(recording.size + 1, bool)
    for position, primitive in enumerate(recording.primitives):
        if primitive.name == name:
            made[recording.leaves : recording.size] = recording.operation == position
    return made


def _put_on_the_weights_side(
    uses: Cells, x: Cells, y: Cells, is_product: Bits, chain: Cells
) -> None:
    """Exchange the factors (b, 1) of a single term where b belongs to the weights in `y`.

    Only rows that are equal make a matrix.  A bias is used as often as the weights of its neuron,
    so in ``x1 * w1 + x2 * w2 + b`` it goes to the side of the w.
    """
    pattern = np.zeros((2, len(uses)), np.intp)  # for each sum: how often its factors are used
    pattern[:, chain[is_product]] = uses[x[is_product]], uses[y[is_product]]
    alone = ~is_product
    to_y = alone & (uses[x] == pattern[1, chain]) & (uses[x] != pattern[0, chain])
    x[to_y], y[to_y] = y[to_y], x[to_y]
