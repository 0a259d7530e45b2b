/** The list of keys over the widget: opened by `?`, closed by Escape. */

import { button, focusedBeside, focusOn, html, icon, on } from "../dom";
import { KEYS } from "../keys";
import { CLOSE } from "./say";

export interface Help {
  readonly element: HTMLElement;
  toggle(): void;
  /** Closes the list, and answers whether it was open. */
  close(): boolean;
}

export function createHelp(signal: AbortSignal): Help {
  const done = button(icon(CLOSE, true), "gg-icon gg-plain gg-shut", "Close the list of keys");
  // Hosts style definition lists, so these are plain pairs.
  const rows = KEYS.flatMap(([keys, does]) => [
    html("b", "", {}, keys),
    html("span", "", {}, does),
  ]);
  const values = { role: "dialog", "aria-label": "Keys", hidden: true };
  const element = html("div", "gg-help", values, done, html("div", "gg-pairs", {}, ...rows));
  let before: Element | null = null;
  const close = (): boolean => {
    if (element.hidden) return false;
    element.hidden = true;
    focusOn(before);
    return true;
  };
  on(signal, done, "click", close);
  return {
    element,
    close,
    toggle() {
      if (close()) return;
      before = focusedBeside(element);
      element.hidden = false;
      focusOn(done);
    },
  };
}
