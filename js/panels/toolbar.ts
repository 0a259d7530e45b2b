/**
 * The bar above the picture: title, counts, the two commands, and what has to be said.
 *
 * In: the state.  Out: elements that follow it, and the commands the user gives.
 */

import type { Send } from "../commands";
import { button, html, on, text } from "../dom";
import { formatCount } from "../format";
import type { State } from "../store";

export interface Panel {
  readonly element: HTMLElement;
  show(state: State): void;
}

export function createToolbar(
  signal: AbortSignal,
  send: Send,
  ...menus: readonly HTMLElement[]
): Panel {
  const title = html("span", "gg-title");
  const counts = html("span", "gg-counts");
  const backward = button("backward()", "gg-primary");
  const zero = button("zero grads");
  on(signal, backward, "click", () => send({ command: "backward" }));
  on(signal, zero, "click", () => send({ command: "zero_grad" }));
  return {
    element: html("div", "gg-bar", {}, title, counts, ...menus, backward, zero),
    show({ structure }) {
      text(title, structure?.title ?? "");
      title.title = structure?.title ?? "";
      if (!structure) return;
      const values = formatCount(structure.total, "value");
      const operations = formatCount(structure.operations, "operation");
      text(counts, `${values} · ${operations}`);
    },
  };
}

export interface Notices {
  readonly element: HTMLElement;
  /** `more` is what the page found out by itself. */
  show(state: State, more?: string): void;
}

/** What is to be known about the graph as a whole, and what went wrong. */
export function createNotices(): Notices {
  const notice = html("div", "gg-notice", { role: "status", hidden: true });
  const error = html("div", "gg-error", { role: "alert", hidden: true });
  return {
    element: html("div", "gg-notices", {}, error, notice),
    show({ structure, error: failure }, more = "") {
      const all = [structure?.notice, ...(structure?.messages ?? []), more];
      const said = all.filter(Boolean).join("\n");
      text(notice, said);
      notice.hidden = said === "";
      text(error, failure);
      error.hidden = failure === "";
    },
  };
}
