/**
 * The menu of modes in the toolbar: one button, and a list that opens below it.
 *
 * In: the modes and which one is on.  Out: the user's choice, "" for plain looking.
 */

import { attributes, button, html, icon, text } from "../dom";
import type { Mode } from "../modes/mode";
import { handleKey } from "../stage";
import type { State } from "../store";
import type { Panel } from "./toolbar";

const LOOK = { name: "", title: "Look", hint: "read the picture and step along the tape" };
const DOWN = "M4 6l4 4 4-4";

type Entry = Pick<Mode, "name" | "title" | "hint">;

export function createMenu(
  signal: AbortSignal,
  modes: readonly Entry[],
  choose: (name: string) => void,
): Panel {
  const entries = [LOOK, ...modes];
  const word = html("span");
  const opener = button(word, "gg-mode");
  opener.append(icon(DOWN, true));
  attributes(opener, { "aria-haspopup": "menu", "aria-expanded": "false" });
  const items = entries.map(({ name, title, hint }) =>
    html(
      "button",
      "gg-mode-item",
      { type: "button", role: "menuitemradio", tabindex: "-1", "data-mode": name },
      html("b", "", {}, title),
      html("span", "", {}, hint),
    ),
  );
  const list = html("div", "gg-modes", { role: "menu", "aria-label": "Mode", hidden: true });
  list.append(...items);
  const element = html("div", "gg-menu", {}, opener, list);

  const open = (at: number): void => {
    list.hidden = false;
    attributes(opener, { "aria-expanded": "true" });
    items[(at + items.length) % items.length]?.focus();
  };
  const close = (): void => {
    list.hidden = true;
    attributes(opener, { "aria-expanded": "false" });
  };
  const dismiss = (): void => {
    close();
    opener.focus();
  };
  const checked = (): number =>
    items.findIndex((item) => item.getAttribute("aria-checked") === "true");
  const focused = (): number => items.findIndex((item) => item.matches(":focus"));

  opener.addEventListener("click", () => (list.hidden ? open(checked()) : close()), { signal });
  list.addEventListener(
    "click",
    ({ target }) => {
      const item = target instanceof Element ? target.closest("[data-mode]") : null;
      if (!item) return;
      dismiss();
      choose(item.getAttribute("data-mode") ?? "");
    },
    { signal },
  );
  const isOutside = ({ relatedTarget }: FocusEvent): boolean =>
    !(relatedTarget instanceof Node && element.contains(relatedTarget));
  element.addEventListener("focusout", (event) => isOutside(event) && close(), { signal });
  element.addEventListener(
    "keydown",
    (event) => {
      if (list.hidden) handleKey(event, { ArrowDown: () => open(0), ArrowUp: () => open(-1) });
      else {
        handleKey(event, {
          ArrowDown: () => open(focused() + 1),
          ArrowUp: () => open(focused() - 1),
          Home: () => open(0),
          End: () => open(-1),
          Escape: dismiss,
        });
      }
    },
    { signal },
  );
  return {
    element,
    show({ mode }: State) {
      const on = entries.find(({ name }) => name === mode) ?? LOOK;
      text(word, on.title);
      attributes(opener, { "aria-label": `Mode: ${on.title}`, "data-on": on !== LOOK });
      entries.forEach((entry, at) => {
        attributes(items[at] as HTMLElement, { "aria-checked": `${entry === on}` });
      });
    },
  };
}
