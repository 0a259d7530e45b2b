"""The widget as its users meet it: read, hover, press, step."""

from playwright.sync_api import expect

SETUP = "%load_ext glassgrad\nimport glassgrad as gg\nfrom glassgrad import Value"
EXAMPLE = "%%autograd\na, b = Value(2.0), Value(-3.0)\nc = a * b + a"
CHANGE_THEME = "theme => window.jupyterapp.commands.execute('apputils:change-theme', { theme })"
NOT_RUN = "x = Value(3.0)\ny = x * x\ngg.show(y)"


def node(widget, index):
    return widget.locator(f'[data-node="{index}"]')


def test_first_lesson(open_notebook):
    notebook = open_notebook(lesson="01-your-first-gradient.ipynb")
    notebook.run_all()

    widget = notebook.widget(1)
    expect(widget.locator("[data-node]")).to_have_count(4)
    expect(node(widget, 2)).to_contain_text("a * b")
    expect(node(widget, 2)).to_contain_text("−6")
    expect(node(widget, 0)).to_contain_text("−2")
    expect(widget.locator(".gg-line")).to_have_count(2)
    expect(notebook.output(2)).to_have_text("c = -4.0    dc/da = -2.0    dc/db = 2.0")
    expect(notebook.page.locator(".jp-RenderedText[data-mime-type*=error]")).to_have_count(0)


def test_tooltip_tells_the_rule_with_numbers(open_notebook):
    notebook = open_notebook(SETUP, EXAMPLE)
    notebook.run_all()

    widget = notebook.widget(1)
    node(widget, 2).hover()
    tip = widget.locator(".gg-tip")
    expect(tip).to_be_visible()
    for text in ("a * b", "line 3", "received", "1 × 1 = 1", "−3 × 1 = −3", "2 × 1 = 2"):
        expect(tip).to_contain_text(text)


def test_tooltip_by_keyboard(open_notebook):
    notebook = open_notebook(SETUP, EXAMPLE)
    notebook.run_all()

    widget = notebook.widget(1)
    node(widget, 0).focus()
    expect(widget.locator(".gg-tip")).to_contain_text("from c (+): 1 × 1 = 1")
    expect(widget.locator(".gg-tip")).to_contain_text("from a * b (×): −3 × 1 = −3")


def test_buttons_change_the_page_and_the_kernel(open_notebook):
    notebook = open_notebook(SETUP, NOT_RUN, "print('x.grad is', x.grad)")
    notebook.run_all()
    widget = notebook.widget(1)
    expect(node(widget, 0)).to_contain_text("not run")
    expect(notebook.output(2)).to_have_text("x.grad is 0.0")

    widget.get_by_role("button", name="backward()").click()
    expect(node(widget, 0)).to_contain_text("6")
    expect(node(widget, 0)).not_to_contain_text("not run")
    notebook.run(2)
    expect(notebook.output(2)).to_have_text("x.grad is 6.0")

    widget.get_by_role("button", name="zero grads").click()
    expect(node(widget, 0)).to_contain_text("not run")
    notebook.run(2)
    expect(notebook.output(2)).to_have_text("x.grad is 0.0")


def test_step_through_the_tape(open_notebook):
    notebook = open_notebook(SETUP, EXAMPLE)
    notebook.run_all()
    widget = notebook.widget(1)
    say = widget.locator(".gg-say")
    last, back = (widget.get_by_role("button", name=f"{n} step") for n in ("Last", "Previous"))

    sentences = []
    last.click()
    for _ in range(4):
        expect(say).not_to_have_text(sentences[-1] if sentences else "")
        sentences.append(say.inner_text())
        back.click()
    assert len(set(sentences)) == 4
    product = sentences[2]
    for text in ("a * b", "each factor receives the other factor", "1 + (−3) = −2"):
        assert text in product

    widget.get_by_role("button", name="First step").click()
    expect(say).not_to_have_text(sentences[-1])
    chips = widget.locator(".gg-chip")
    chips.nth(1).click()
    expect(say).to_contain_text("b")


def test_a_value_shows_itself(open_notebook):
    notebook = open_notebook(SETUP, "p = Value(2.0) * 3\np")
    notebook.run_all()
    expect(node(notebook.widget(1), 0)).to_be_visible()


def test_hostile_labels_stay_text(open_notebook):
    labels = [
        "<img src=x onerror=alert(1)>",
        "P(x|y) {0} <b>",
        "</script><script>alert(2)</script>",
    ]
    notebook = open_notebook(
        SETUP,
        f"x, y, z = (Value(float(i), label=label) for i, label in enumerate({labels}))\n"
        "w = x * y + z\n"
        "w.backward()\n"
        "gg.show(w)",
        "gg.draw_dot(w)",
    )
    alerts = []
    notebook.page.on("dialog", lambda dialog: (alerts.append(dialog.message), dialog.dismiss()))
    notebook.run_all()

    widget = notebook.widget(1)
    for label in labels:
        shown = widget.locator("[data-node]").filter(has_text=label[:12])
        expect(shown.first).to_be_visible()
        shown.first.hover()
        expect(widget.locator(".gg-tip")).to_contain_text(label)
    expect(widget.locator("img, script, [onerror]")).to_have_count(0)
    expect(notebook.output(2)).to_be_visible()
    assert alerts == []


def test_a_large_graph_shows_its_nearest_thousand(open_notebook):
    notebook = open_notebook(
        SETUP,
        "w = [Value(1e-4 * i) for i in range(200)]\n"
        "loss = sum(sum((v * 0.5 for v in w), Value(0.1 * k)).tanh() for k in range(110))\n"
        "loss.backward()\n"
        "gg.show(loss, fold=False)",
    )
    notebook.run_all()
    widget = notebook.widget(1)
    expect(widget.locator(".gg-notice")).to_contain_text(
        "showing the 1,000 nearest loss", timeout=90_000
    )
    expect(widget.locator("[data-node]").first).to_be_visible()
    widget.get_by_role("button", name="zero grads").click()
    expect(widget).to_contain_text("not run")


def test_the_widget_follows_the_theme(open_notebook, screenshots, app):
    notebook = open_notebook(SETUP, EXAMPLE)
    notebook.run_all()
    widget = notebook.widget(1)
    for theme, name in (("dark", "JupyterLab Dark"), ("light", "JupyterLab Light")):
        notebook.page.evaluate(CHANGE_THEME, name)
        expect(widget).to_have_attribute("data-theme", theme)
        widget.get_by_role("button", name="Last step").click()
        widget.get_by_role("button", name="Previous step").click()
        widget.get_by_role("button", name="Previous step").click()
        node(widget, 2).hover()
        expect(widget.locator(".gg-tip")).to_be_visible()
        notebook.page.screenshot(path=screenshots / f"{app}-{theme}.png")
