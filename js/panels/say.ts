/**
 * The sentence of the present step.
 *
 * In: the parts of a sentence.  Out: one live region over the foot of the picture.  The picture
 * keeps room for it at all times, so that stepping never moves the notebook.
 */

import { button, html, icon, on } from "../dom";
import type { Part } from "../phrases";

export interface Say {
  readonly element: HTMLElement;
  show(parts: readonly Part[]): void;
}

const SIGNS = { "-1": "gg-neg", "0": "gg-zero", "1": "gg-pos" } as const;
export const CLOSE = "M4 4l8 8M12 4l-8 8";

export function createSay(signal: AbortSignal, leave: () => void): Say {
  const sentence = html("div", "gg-sentence", { "aria-live": "polite" });
  const close = button(icon(CLOSE, true), "gg-icon gg-plain", "Leave the steps");
  on(signal, close, "click", leave);
  const element = html("div", "gg-say", { hidden: true }, sentence, close);
  let shown: readonly Part[] = [];
  return {
    element,
    show(parts) {
      if (parts !== shown) sentence.replaceChildren(...parts.map(partOf));
      shown = parts;
      element.hidden = parts.length === 0;
    },
  };
}

function partOf({ text, kind, sign }: Part): Node | string {
  if (kind === "strong") return html("b", "", {}, text);
  if (kind === "name") return html("span", "gg-code-name", {}, text);
  if (kind === "number" && sign !== undefined) return html("span", SIGNS[`${sign}`], {}, text);
  return text;
}
