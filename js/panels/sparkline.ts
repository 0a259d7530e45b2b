/**
 * The course of the root's number, as a small line in the toolbar: a loss that falls.
 *
 * In: the numbers so far, as they travel.  Out: one line, and a sentence for those who cannot see it.
 */

import { attributes, html, svg } from "../dom";
import { formatNumber } from "../format";
import { max, min } from "../maths";
import type { State } from "../store";
import type { Panel } from "./toolbar";

const WIDTH = 72;
const HEIGHT = 20;

/** The numbers of a course that can be drawn; the others travel as text. */
export const drawable = (history: readonly unknown[]): readonly number[] =>
  history.filter((each): each is number => typeof each === "number");

/** The points of a line through some numbers, from left to right, the largest at the top. */
export function pointsOf(numbers: readonly number[]): string {
  const low = min(...numbers);
  const span = max(...numbers) - low || 1;
  const step = (WIDTH - 2) / max(1, numbers.length - 1);
  return numbers
    .map((each, at) => [1 + at * step, HEIGHT - 2 - ((each - low) / span) * (HEIGHT - 4)])
    .map((point) => point.map((each) => each.toFixed(1)).join(","))
    .join(" ");
}

export function createSparkline(): Panel {
  const line = svg("polyline");
  const box = { viewBox: `0 0 ${WIDTH} ${HEIGHT}`, width: WIDTH, height: HEIGHT };
  const picture = svg("svg", "", box, line);
  const element = html("span", "gg-course", { role: "img", hidden: true }, picture);
  let shown: State["history"] | null = null;
  return {
    element,
    show({ history, structure, precision }) {
      if (history === shown) return;
      shown = history;
      const numbers = drawable(history);
      element.hidden = numbers.length < 2;
      if (element.hidden) return;
      const [from, to] = [numbers[0] as number, numbers.at(-1) as number].map((each) =>
        formatNumber(each, precision),
      );
      const said = `${structure?.title ?? ""}: ${from} → ${to} in ${history.length} steps`;
      attributes(element, { "aria-label": said, title: said });
      attributes(line, { points: pointsOf(numbers) });
    },
  };
}
