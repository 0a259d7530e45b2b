// The page's part of the contract between a widget and its host: a model in memory.
//
// In: the front end's source and the traits, as JSON in the page.  Out: one live view.  The model
// cannot send, so the front end answers its own commands, as it does wherever there is no kernel.

const read = (id) => JSON.parse(document.getElementById(id).textContent);

function modelOf(traits) {
  const heard = new Map();
  const listeners = (event) => heard.get(event) ?? new Set();
  return {
    get: (name) => traits[name],
    set(name, value) {
      if (Object.is(traits[name], value)) return;
      traits[name] = value;
      for (const listener of [...listeners(`change:${name}`)]) listener();
    },
    on: (event, listener) => heard.set(event, listeners(event).add(listener)),
    off: (event, listener) => listeners(event).delete(listener),
    save_changes() {},
  };
}

/** Keeps the picture as high as the window has room for, unless its height was chosen. */
function fill(model, host) {
  const [least, around] = [320, 180];
  const give = (height) => model.set("height", Math.max(least, Math.round(height)));
  const fit = () => {
    const picture = host.querySelector(".gg-stage")?.clientHeight;
    if (picture) give(innerHeight - (document.body.scrollHeight - picture));
  };
  // in two frames the view has found its width, and with it what stands around the picture
  const settle = () => requestAnimationFrame(() => requestAnimationFrame(fit));
  give(innerHeight - around);
  addEventListener("resize", settle);
  model.on("change:mode", settle);
  settle();
}

const address = URL.createObjectURL(new Blob([read("module")], { type: "text/javascript" }));
const { default: widget } = await import(address);
URL.revokeObjectURL(address);
const host = document.getElementById("live");
const model = modelOf(read("traits"));
if (model.get("height") === 0) fill(model, host);
document.documentElement.classList.add("live");
document.getElementById("hint").hidden = false;
widget.initialize({ model });
widget.render({ model, el: host });
