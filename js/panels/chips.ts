/**
 * A row of chips, one per item: to be read, or to be pressed.
 *
 * In: what each chip says and how it looks.  Out: DOM that follows, and which chip was pressed.
 */

import { attributes, classes, className, createKeyed, html, onPress, text } from "../dom";

export interface Chip {
  readonly key: number;
  readonly text: string;
  /** Classes that say how it looks. */
  readonly mark?: string;
  /** Whether it is the chosen one, where chips are pressed. */
  readonly on?: boolean;
}

/** Chips to be read, whose row is called `label`; to be pressed where `press` hears of it. */
export function createChips(label: string, signal: AbortSignal, press?: (key: number) => void) {
  const element = html("div", "gg-chips", { role: press ? "group" : "list", "aria-label": label });
  const keyed = createKeyed<Chip, HTMLElement>(
    element,
    ({ key }) => `${key}`,
    ({ key }) =>
      press
        ? html("button", "", { type: "button", "data-chip": key })
        : html("span", "", { role: "listitem" }),
    (chip, { text: said, mark, on }) => {
      text(chip, said);
      className(chip, classes("gg-chip", !press && "gg-still", on && "gg-on", mark));
      attributes(chip, { "aria-pressed": on === undefined ? null : `${on}` });
    },
  );
  if (press) onPress(signal, element, "chip", press);
  return { element, show: keyed.show };
}
