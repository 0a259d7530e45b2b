/** anywidget's entry: one `initialize` per model, one `render` per view, and their lifetimes. */

import { Store } from "./store";
import { connect, drive, type Model, senderOf } from "./sync";
import { mount } from "./view";

/** A lifetime that ends with the host's signal, where it gives one, or with the returned function. */
function lifetime(signal: AbortSignal | undefined): AbortController {
  const controller = new AbortController();
  const end = (): void => controller.abort();
  signal?.addEventListener("abort", end, { once: true, signal: controller.signal });
  return controller;
}

function initialize({ model, signal }: { model: Model; signal?: AbortSignal }): () => void {
  const life = lifetime(signal);
  drive(model, life.signal);
  return () => life.abort();
}

function render(props: { model: Model; el: HTMLElement; signal?: AbortSignal }): () => void {
  const { model, el } = props;
  const life = lifetime(props.signal);
  const store = new Store();
  connect(model, store, life.signal);
  mount(el, store, life.signal, senderOf(model, el));
  return () => life.abort();
}

export default { initialize, render };
