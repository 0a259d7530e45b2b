/**
 * The tooltip: an explanation as HTML over the picture.
 *
 * In: an explanation and a place for it.  Out: one element, refilled only when what it says changes.
 */

import { html } from "../dom";
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
      element.style.translate = `${Math.round(x)}px ${Math.round(y)}px`;
    },
    hide() {
      element.hidden = true;
    },
  };
}

/** A reading as a coloured piece of text. */
export function readingOf({ text, tone }: Reading): HTMLElement {
  return html("b", tone ? `gg-${tone}` : "", {}, text);
}

function content({ name, place, data, grad, rows, notes }: Explanation): Node[] {
  const head = html(
    "div",
    "gg-tip-head",
    {},
    html("span", "gg-tip-name", {}, name),
    html("span", "gg-tip-line", {}, place),
  );
  const gradient = grad ? [number("grad", grad)] : [];
  const numbers = html("div", "gg-tip-numbers", {}, number("data", data), ...gradient);
  const list = html("div", "gg-tip-rows", {}, ...rows.flatMap(rowOf));
  return [head, numbers, list, ...notes.map((note) => html("div", "gg-tip-note", {}, note))];
}

function number(key: string, reading: Reading): HTMLElement {
  return html("span", "", {}, html("span", "gg-tip-key", {}, `${key} `), readingOf(reading));
}

function rowOf({ title, lines }: Row): Node[] {
  return [
    html("span", "gg-tip-title", {}, title),
    html("div", "gg-tip-lines", {}, ...lines.map(lineOf)),
  ];
}

function lineOf({ text, result }: Line): HTMLElement {
  return html("div", "", {}, text, ...(result ? [readingOf(result)] : []));
}
