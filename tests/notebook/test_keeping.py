"""What a picture keeps of an earlier reading when its numbers are brought up to date."""

import glassgrad as gg
from glassgrad import Value


def said(widget):
    return widget.graph["messages"]


def test_a_sentence_about_numbers_goes_with_them_and_one_about_the_cell_stays(run):
    run("w = Value(1.0)\nfor _ in range(2):\n    (w * 2).backward()")
    (widget,) = run("%%autograd --accumulate\nloss = w * 2\nloss.backward()").widgets
    told = "This cell ran loss.backward() (line 3), so backward() was not run again."
    left, cell = said(widget)
    assert left.startswith("w.grad is 6, and this graph accounts for 2 of it")
    assert cell == told
    run("w.grad = 2.0")
    assert said(widget) == [told]
    run("w.grad = 6.0\nloss.grad = 1.0")
    assert said(widget) == [told]


def test_a_sentence_that_still_holds_stays():
    a = Value(2.0)
    b = a * 3
    a.data = 5.0
    widget = gg.show(b)
    (sentence,) = said(widget)
    assert sentence.startswith("b belongs to older numbers: b no longer follows")
    b.grad = 4.0
    widget.refresh()
    assert said(widget) == [sentence]
    a.data = 2.0
    widget.refresh()
    assert said(widget) == []
    widget.close()
