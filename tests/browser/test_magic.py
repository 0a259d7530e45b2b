"""`%%autograd` in a real notebook: it stays out of the way, above all when a cell fails."""

from playwright.sync_api import expect

SETUP = "%load_ext glassgrad\nimport glassgrad as gg\nfrom glassgrad import Value"


def test_a_failing_cell_fails_as_it_would_alone(open_notebook):
    notebook = open_notebook(
        SETUP,
        "%%autograd\na = Value(2.0)\nb = a * 3\nprint('before')\nmissing + b",
        "print('never')",
    )
    notebook.run_all()

    failed = notebook.cell(1)
    expect(failed).to_contain_text("NameError: name 'missing' is not defined")
    expect(failed).to_contain_text("missing + b")
    expect(failed).to_contain_text("before")
    traceback = failed.locator(".jp-OutputArea-output").filter(has_text="NameError")
    expect(traceback).not_to_contain_text("glassgrad")

    widget = notebook.widget(1)
    expect(widget.locator("[data-node]").first).to_be_visible()
    expect(notebook.output(2)).to_have_count(0)


def test_a_syntax_error_points_into_the_cell(open_notebook):
    notebook = open_notebook(SETUP, "%%autograd\na = Value(2.0)\nb = a *")
    notebook.run_all()
    expect(notebook.cell(1)).to_contain_text("SyntaxError")
    expect(notebook.output(1)).not_to_contain_text("glassgrad")
    expect(notebook.widget(1)).to_have_count(0)


def test_output_stays_and_names_land_in_the_notebook(open_notebook):
    notebook = open_notebook(
        SETUP,
        "%%autograd\nprint('hello')\nx = Value(2.0)\ny = x * x",
        "print(y.data, x.grad, 'kept')",
    )
    notebook.run_all()
    expect(notebook.cell(1)).to_contain_text("hello")
    expect(notebook.widget(1)).to_be_visible()
    expect(notebook.output(2)).to_have_text("4.0 4.0 kept")


def test_a_cell_without_a_value_says_so(open_notebook):
    notebook = open_notebook(SETUP, "%%autograd\na = 2.0\nprint(a * 21)")
    notebook.run_all()
    expect(notebook.cell(1)).to_contain_text("42.0")
    expect(notebook.cell(1)).to_contain_text("This cell made no Value")


def test_a_class_of_ones_own(open_notebook):
    notebook = open_notebook(
        SETUP,
        "class Mine:\n"
        "    def __init__(self, data, _children=(), _op=''):\n"
        "        self.data, self.grad, self._op = data, 0.0, _op\n"
        "        self._prev = set(_children)\n"
        "        self._backward = lambda: None\n"
        "    def __mul__(self, other):\n"
        "        out = Mine(self.data * other.data, (self, other), '*')\n"
        "        def _backward():\n"
        "            self.grad += other.data * out.grad\n"
        "            other.grad += self.data * out.grad\n"
        "        out._backward = _backward\n"
        "        return out\n"
        "    def backward(self):\n"
        "        self.grad = 1.0\n"
        "        self._backward()\n",
        "%%autograd\nx = Mine(3.0)\ny = x * x",
        "print('x.grad is', x.grad)",
    )
    notebook.run_all()
    widget = notebook.widget(2)
    expect(widget.locator("[data-node]")).to_have_count(2)
    expect(widget.locator('[data-node="0"]')).to_contain_text("6")
    expect(notebook.output(3)).to_have_text("x.grad is 6.0")
