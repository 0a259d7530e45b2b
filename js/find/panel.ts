/**
 * The field of the search, over the picture's upper right corner.
 *
 * In: what was found.  Out: the query, and which of the found nodes to go to.
 */

import { attributes, button, focusOn, html, icon, on, text } from "../dom";
import { formatCount } from "../format";
import { handleKey } from "../keys";
import { CLOSE } from "../panels/say";

export interface Finder {
  readonly element: HTMLElement;
  /** Puts the cursor into the field. */
  focus(): void;
  show(query: string | null, found: readonly number[]): void;
}

/** `visit` points at a found node; `close` ends the search, at the node that was visited last. */
export function createFinder(
  signal: AbortSignal,
  seek: (query: string) => void,
  visit: (node: number) => void,
  close: (last: number | undefined) => void,
): Finder {
  const values = { type: "search", "aria-label": "Find a value", autocomplete: "off" };
  const field = html("input", "gg-query", { ...values, placeholder: "name, operation, code" });
  const count = html("span", "gg-found", { role: "status" });
  const done = button(icon(CLOSE, true), "gg-icon gg-plain", "End the search");
  const element = html("div", "gg-find", { role: "search", hidden: true }, field, count, done);
  let found: readonly number[] = [];
  let at = 0;
  const tell = (): void => {
    const all = formatCount(found.length, "value");
    const place = found.length > 1 ? `${at + 1} of ${all}` : all;
    text(count, field.value.trim() ? place : "");
  };
  const go = (to: number): void => {
    if (found.length === 0) return;
    at = (to + found.length) % found.length;
    tell();
    visit(found[at] as number);
  };
  on(signal, field, "input", () => {
    seek(field.value);
    go(0);
  });
  const end = (): void => close(field.value ? found[at] : undefined);
  on(signal, done, "click", end);
  on(signal, field, "keydown", (event) =>
    handleKey(event, { Enter: () => go(at + (event.shiftKey ? -1 : 1)), Escape: end }),
  );
  return {
    element,
    focus: () => focusOn(field),
    show(query, nodes) {
      element.hidden = query === null;
      if (query !== null && field.value !== query) field.value = query;
      if (nodes !== found) at = 0;
      found = nodes;
      attributes(field, { "data-none": query !== "" && nodes.length === 0 });
      tell();
    },
  };
}
