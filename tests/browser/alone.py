"""The widget alone: the built script on an empty page that is none of Jupyter's.

In goes a value, out comes its picture, with a model in memory.  Every listener on such a page is
ours, and a test of the page alone needs no kernel.
"""

from pathlib import Path

import glassgrad as gg

STATIC = Path(gg.__file__).parent / "static"

# Every listener and observer is written down, until its signal or the widget ends it.
WATCH = """
const alive = window.alive = new Set();
const add = EventTarget.prototype.addEventListener;
EventTarget.prototype.addEventListener = function (type, listener, options) {
  const entry = { target: this, type };
  const signal = options?.signal;
  if (!(this instanceof AbortSignal)) {
    alive.add(entry);
    if (signal) add.call(signal, "abort", () => alive.delete(entry));
  }
  return add.call(this, type, listener, options);
};
for (const name of ["ResizeObserver", "MutationObserver"]) {
  const { observe, disconnect } = window[name].prototype;
  window[name].prototype.observe = function (...args) {
    alive.add(this);
    observe.apply(this, args);
  };
  window[name].prototype.disconnect = function () { alive.delete(this); disconnect.call(this); };
}
"""
OPEN = """async ({ script, style, traits, width }) => {
  document.head.append(Object.assign(document.createElement("style"), { textContent: style }));
  const heard = new Map();
  window.model = {
    get: name => traits[name],
    set(name, value) { traits[name] = value; heard.get(`change:${name}`)?.forEach(f => f()); },
    on: (name, f) => heard.set(name, (heard.get(name) ?? new Set()).add(f)),
    off: (name, f) => heard.get(name)?.delete(f),
    save_changes() {}, send() {},
  };
  window.heard = () => [...heard.values()].reduce((sum, { size }) => sum + size, 0);
  const address = URL.createObjectURL(new Blob([script], { type: "text/javascript" }));
  const { default: widget } = await import(address);
  window.render = () => {
    const el = document.createElement("div");
    el.style.width = width;
    document.body.append(el);
    const stops = [widget.initialize({ model }), widget.render({ model, el })];
    return () => stops.forEach(stop => stop());
  };
  window.close = window.render();
}"""


NUMBERS = ("sent_data", "sent_grad", "sent_slope", "changes", "notes")


def traits(root, **others):
    widget = root.show() if hasattr(root, "show") else gg.show(root)
    found = {name: getattr(widget, name) for name in ("graph", *NUMBERS)}
    widget.close()
    scalars = {"step": -1, "selected": -1, "playing": False, "rankdir": "LR", "precision": 4}
    more = {"theme": "auto", "height": 0, "error": "", "mode": "", "progress": {}, "speed": 1}
    return {**found, **scalars, **more, **others}


def open_widget(page, root, width="820px", **others):
    files = {"script": "index.js", "style": "theme.css"}
    texts = {name: (STATIC / file).read_text(encoding="utf-8") for name, file in files.items()}
    page.evaluate(OPEN, {**texts, "traits": traits(root, **others), "width": width})
    return page.locator(".gg").first


def square():
    a = gg.Value(3.0, label="a")
    b = a * a
    b.label = "b"
    return b


def chain(length, start=1.0):
    value = gg.Value(start, label="x")
    for _ in range(length):
        value = value * 1.5 + 1.0
    return value


def exercise():
    """Return `c = a * b + a` before backward."""
    a, b = gg.Value(2.0, label="a"), gg.Value(-3.0, label="b")
    c = a * b + a
    c.label = "c"
    return c
