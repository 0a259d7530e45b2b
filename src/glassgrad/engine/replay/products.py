"""The loops of matrix products for `compiled`: plain Python that numba turns into machine code.

The factors are gathered first, so that the inner loops run over memory that lies together.
"""

from __future__ import annotations

import numpy as np

from glassgrad.engine.replay.numpy_functions import Array
from glassgrad.engine.replay.recording import Cells


def forward_products(step: Cells, factors: Cells, table: Array) -> None:
    """Fill the cells of one PRODUCTS step of a Bytecode."""
    _, out, stop, _, at_x, at_y, rows, columns, terms = step
    x = np.empty((rows, terms))
    y = np.empty((terms, columns))
    while out < stop:
        for row in range(rows):
            for term in range(terms):
                x[row, term] = table[factors[at_x + row * terms + term]]
        for column in range(columns):
            for term in range(terms):
                y[term, column] = table[factors[at_y + column * terms + term]]
        for row in range(rows):
            result = table[out : out + columns]
            result[:] = 0.0
            for term in range(terms):
                factor = x[row, term]
                for column in range(columns):
                    result[column] += factor * y[term, column]
            out += columns
        at_x += rows * terms
        at_y += columns * terms


def backward_products(step: Cells, factors: Cells, table: Array, grads: Array) -> None:
    """Hand the gradients of one PRODUCTS step of a Bytecode to its factors."""
    _, out, stop, _, at_x, at_y, rows, columns, terms = step
    x = np.empty((rows, terms))
    y = np.empty((terms, columns))
    to_y = np.empty((terms, columns))
    while out < stop:
        for row in range(rows):
            for term in range(terms):
                x[row, term] = table[factors[at_x + row * terms + term]]
        for column in range(columns):
            for term in range(terms):
                y[term, column] = table[factors[at_y + column * terms + term]]
        to_y[:] = 0.0
        for row in range(rows):
            grad = grads[out : out + columns]
            for term in range(terms):
                factor = x[row, term]
                to_x = 0.0
                for column in range(columns):
                    to_x += grad[column] * y[term, column]
                    to_y[term, column] += grad[column] * factor
                grads[factors[at_x + row * terms + term]] += to_x
            out += columns
        for column in range(columns):
            for term in range(terms):
                grads[factors[at_y + column * terms + term]] += to_y[term, column]
        at_x += rows * terms
        at_y += columns * terms
