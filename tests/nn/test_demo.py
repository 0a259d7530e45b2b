"""micrograd's demo notebook trains unchanged but for its imports, to the published numbers.

The cells are those of karpathy/micrograd, demo.ipynb; scikit-learn's ``make_moons`` is written out
with the same draws from NumPy's generator, so that the points are the same too.
"""

# ruff: noqa: N806

import random

import numpy as np
import pytest

from glassgrad.engine.value import Value
from glassgrad.nn import MLP

# step: (loss, accuracy), as the notebook prints them in its repository
PUBLISHED = {
    0: (0.8958441028683222, 0.50),
    1: (1.7235905336972022, 0.81),
    2: (0.7429006313851131, 0.77),
}


def make_moons(n_samples, noise):
    angles = np.linspace(0, np.pi, n_samples // 2)
    upper = np.column_stack([np.cos(angles), np.sin(angles)])
    lower = np.column_stack([1 - np.cos(angles), 1 - np.sin(angles) - 0.5])
    order = np.arange(n_samples)
    np.random.shuffle(order)
    X = np.concatenate([upper, lower])[order]
    y = np.repeat([0, 1], n_samples // 2)[order]
    return X + np.random.normal(scale=noise, size=X.shape), y


def test_the_demo_notebook():
    np.random.seed(1337)
    random.seed(1337)

    X, y = make_moons(n_samples=100, noise=0.1)
    y = y * 2 - 1  # make y be -1 or 1
    model = MLP(2, [16, 16, 1])  # 2-layer neural network
    assert len(model.parameters()) == 337

    def loss(batch_size=None):
        if batch_size is None:
            Xb, yb = X, y
        else:
            ri = np.random.permutation(X.shape[0])[:batch_size]
            Xb, yb = X[ri], y[ri]
        inputs = [list(map(Value, xrow)) for xrow in Xb]

        # forward the model to get scores
        scores = list(map(model, inputs))

        # svm "max-margin" loss
        losses = [(1 + -yi * scorei).relu() for yi, scorei in zip(yb, scores, strict=True)]
        data_loss = sum(losses) * (1.0 / len(losses))
        # L2 regularization
        alpha = 1e-4
        reg_loss = alpha * sum(p * p for p in model.parameters())
        total_loss = data_loss + reg_loss

        # also get accuracy
        accuracy = [(yi > 0) == (scorei.data > 0) for yi, scorei in zip(yb, scores, strict=True)]
        return total_loss, sum(accuracy) / len(accuracy)

    history = []
    for k in range(100):
        # forward
        total_loss, acc = loss()

        # backward
        model.zero_grad()
        total_loss.backward()

        # update (sgd)
        learning_rate = 1.0 - 0.9 * k / 100
        for p in model.parameters():
            p.data -= learning_rate * p.grad

        history.append((total_loss.data, acc))

    for step, published in PUBLISHED.items():
        assert history[step] == pytest.approx(published, rel=1e-9)
    assert history[-1][1] >= 0.99

    # visualize decision boundary
    h = 0.25
    x_min, x_max = X[:, 0].min() - 1, X[:, 0].max() + 1
    y_min, y_max = X[:, 1].min() - 1, X[:, 1].max() + 1
    xx, yy = np.meshgrid(np.arange(x_min, x_max, h), np.arange(y_min, y_max, h))
    Xmesh = np.c_[xx.ravel(), yy.ravel()]
    inputs = [list(map(Value, xrow)) for xrow in Xmesh]
    scores = list(map(model, inputs))
    Z = np.array([s.data > 0 for s in scores]).reshape(xx.shape)
    assert 0.2 < Z.mean() < 0.8
    assert loss(batch_size=20)[1] >= 0.95
