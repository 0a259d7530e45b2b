"""Cells that compute with tensors of PyTorch behave as they would alone."""

import pytest

SETUP = "import torch\nw = torch.tensor([1.0, 2.0], requires_grad=True)"
SCALARS = """\
a = torch.tensor(2.0, requires_grad=True)
b = torch.tensor(-3.0, requires_grad=True)
c = a * b + a"""


@pytest.fixture(autouse=True)
def torch_is_there(run):
    run(SETUP)


def shown(run, cell):
    return "\n".join(run(f"%%autograd --text\n{cell}").texts)


def test_every_gradient_is_shown(run):
    out = shown(run, SCALARS)
    assert "c       data -4   grad  1" in out
    assert "a * b   data -6   grad  1" in out
    assert "a       data  2   grad -2" in out
    assert "unknown" not in out


def test_the_users_own_backward_still_runs(run):
    shown(run, SCALARS)
    assert run("c.backward()\na.grad.item()").result.result == -4.0


def test_a_tensor_of_several_elements_is_no_value(run):
    """Whatever was met first: a tensor is asked, and not its class."""
    assert "made no Value" in shown(run, "w * 2")
    assert "s   data 3" in shown(run, "v = w * 1\ns = w.sum()")
    assert "made no Value" in shown(run, "s = w * 2\ns")
