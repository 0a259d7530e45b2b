/**
 * The tooltip: an explanation as HTML over the picture.
 *
 * In: an explanation and a place for it.  Out: one element, refilled only when what it says changes.
 */

import { html } from "../dom";
import { round } from "../maths";
import type { Size } from "../scene/camera";
import type { Reading } from "../scene/readings";
import type { Explanation, Line, Row } from "./explain";
import { placeTip, type Surroundings } from "./place";

export interface Tooltip {
  readonly element: HTMLElement;
  /** Shows an explanation beside `node`; boxes are in pixels of the room. */
  show(said: Explanation, pinned: boolean, around: Surroundings, room: Size): void;
  hide(): void;
}

export function createTooltip(id: string): Tooltip {
  const element = html("div", "gg-tip", { id, role: "tooltip", hidden: true });
  let shown = "";
  return {
    element,
    show(said, pinned, around, room) {
      const key = JSON.stringify(said);
      if (key !== shown) {
        element.replaceChildren(...content(said));
        element.scrollTop = 0;
        shown = key;
      }
      element.hidden = false;
      element.classList.toggle("gg-pinned", pinned);
      const size = { width: element.offsetWidth, height: element.offsetHeight };
      const { x, y } = placeTip(size, around, room);
      element.style.translate = `${round(x)}px ${round(y)}px`;
    },
    hide() {
      element.hidden = true;
    },
  };
}

/** A reading as a coloured piece of text. */
export const readingOf = ({ text, tone }: Reading): HTMLElement =>
  html("b", tone ? `gg-${tone}` : "", {}, text);

function content({ name, place, data, grad, rows, notes }: Explanation): Node[] {
  const head = html(
    "div",
    "gg-tip-head",
    {},
    html("span", "gg-tip-name", {}, name),
    ...(data ? [number("data", data)] : []),
    ...(grad ? [number("grad", grad)] : []),
    html("span", "gg-tip-line", {}, place),
  );
  const list = html("div", "gg-tip-rows", {}, ...rows.flatMap(rowOf));
  return [head, list, ...notes.map((note) => html("div", "gg-tip-note", {}, note))];
}

const number = (key: string, reading: Reading): HTMLElement =>
  html("span", "gg-tip-number", {}, html("span", "gg-tip-key", {}, `${key} `), readingOf(reading));

const rowOf = ({ key, title, lines }: Row): Node[] => [
  html("span", "gg-tip-title", {}, title),
  html("div", `gg-tip-lines gg-tip-${key}`, {}, ...lines.map(lineOf)),
];

const lineOf = ({ text, result }: Line): HTMLElement =>
  html("div", "", {}, text, ...(result ? [readingOf(result)] : []));
