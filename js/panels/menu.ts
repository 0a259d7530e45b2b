/**
 * A menu in the toolbar: one button, and a list that opens below it.
 *
 * In: entries, and how they stand.  Out: the user's choice, by name.  The modes are one such menu,
 * the ways of viewing another.
 */

import { attributes, button, dataAt, html, icon, on, text } from "../dom";
import { handleKey } from "../keys";
import { max } from "../maths";

export interface Entry {
  readonly name: string;
  readonly title: string;
  /** One clause beside the title. */
  readonly hint: string;
}

/** How an entry stands: whether it is the chosen one or switched on, and what its hint is now. */
export interface Standing {
  readonly checked?: boolean;
  readonly hint?: string;
}

export interface Menu {
  readonly element: HTMLElement;
  show(word: string, label: string, isOn: boolean, standing: (name: string) => Standing): void;
}

const DOWN = "M4 6l4 4 4-4";

/** A press calls `choose`, which answers whether the list stays open. */
export function createMenu(
  signal: AbortSignal,
  label: string,
  role: "menuitemradio" | "menuitem",
  entries: readonly Entry[],
  choose: (name: string) => boolean,
): Menu {
  const word = html("span");
  const opener = button(word, "gg-mode");
  opener.append(icon(DOWN, true));
  attributes(opener, { "aria-haspopup": "menu", "aria-expanded": "false" });
  const items = entries.map(({ name, title }) =>
    html(
      "button",
      "gg-mode-item",
      { type: "button", role, tabindex: "-1", "data-item": name },
      html("b", "", {}, title),
      html("span"),
    ),
  );
  const list = html("div", "gg-modes", { role: "menu", "aria-label": label, hidden: true });
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
    max(
      0,
      items.findIndex((item) => item.getAttribute("aria-checked") === "true"),
    );
  const focused = (): number => items.findIndex((item) => item.matches(":focus"));

  const start = (): number => (role === "menuitemradio" ? checked() : 0);
  on(signal, opener, "click", () => (list.hidden ? open(start()) : close()));
  on(signal, list, "click", ({ target }) => {
    const name = dataAt(target, "item");
    if (name === null) return;
    opener.focus();
    if (!choose(name)) close();
    else items[entries.findIndex((entry) => entry.name === name)]?.focus();
  });
  const isOutside = ({ relatedTarget }: FocusEvent): boolean =>
    !(relatedTarget instanceof Node && element.contains(relatedTarget));
  on(signal, element, "focusout", (event) => isOutside(event) && close());
  on(signal, element, "keydown", (event) => {
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
  });
  return {
    element,
    show(shown, spoken, isOn, standing) {
      text(word, shown);
      attributes(opener, { "aria-label": spoken, "data-on": isOn });
      entries.forEach(({ name, hint }, at) => {
        const item = items[at] as HTMLElement;
        const { checked, hint: now = hint } = standing(name);
        if (checked !== undefined && role === "menuitem") {
          attributes(item, { role: "menuitemcheckbox" });
        }
        attributes(item, { "aria-checked": checked === undefined ? null : `${checked}` });
        text(item.lastChild as HTMLElement, now);
      });
    },
  };
}
