/**
 * The root against one leaf: a curve, its tangent, where the leaf was and where it is.
 *
 * In: an effect.  Out: an SVG drawn by hand, and the numbers of the leaf that somebody drags along
 * its axis to.  What is not finite leaves a gap in the curve.
 */

import { attributes, on, svg, text } from "../../dom";
import { formatNumber } from "../../format";
import { abs, floor, isFiniteNumber, max, min, toTenths } from "../../maths";
import { promised } from "./says";
import type { Window } from "./scale";
import type { Effect } from "./trial";

const SIZE = { width: 400, height: 176 } as const;
/** Where the curve itself is drawn; around it stand the numbers of the axes. */
const AREA = { x: 58, y: 10, width: 332, height: 136 } as const;

/** A number's place along an axis of so many pixels. */
type Scale = (value: number) => number;

/** The interval that the curve and both points need, with a little air. */
export function heights(effect: Effect): Window {
  const { curve, rootBefore, rootAfter } = effect;
  const all = [...(curve ?? []).map(([, y]) => y), rootBefore, rootAfter].filter(isFiniteNumber);
  const sorted = all.sort((a, b) => a - b);
  // A pole would make everything else flat, so of many points the outermost do not count.
  const spare = sorted.length > 40 && isWild(sorted) ? floor(sorted.length / 20) : 0;
  const low = min(sorted[spare] ?? 0, ...[rootBefore, rootAfter].filter(isFiniteNumber));
  const high = max(
    sorted[sorted.length - 1 - spare] ?? 0,
    ...[rootBefore, rootAfter].filter(isFiniteNumber),
  );
  const air = (high - low) * 0.08 || max(1, abs(low)) * 0.5;
  return { from: low - air, to: high + air };
}

/** Whether the outer twentieths reach much further than all between them. */
function isWild(sorted: readonly number[]): boolean {
  const spare = floor(sorted.length / 20);
  const inner = (sorted[sorted.length - 1 - spare] as number) - (sorted[spare] as number);
  return (sorted.at(-1) as number) - (sorted[0] as number) > 6 * inner;
}

const scale =
  ({ from, to }: Window, length: number, flip = false): Scale =>
  (value) => {
    const share = (value - from) / (to - from || 1);
    return length * (flip ? 1 - share : share);
  };

/** The path of a curve: pieces between the points that are not finite. */
export function pathOf(
  points: readonly (readonly [number, number])[],
  across: Scale,
  up: Scale,
): string {
  let isOpen = false;
  return points
    .map(([x, y]) => {
      const [px, py] = [across(x), up(y)];
      const wasOpen = isOpen;
      // Far outside the picture the shape does not matter, and huge numbers break some renderers.
      isOpen = isFiniteNumber(py) && abs(py) < 1e4;
      return isOpen ? `${wasOpen ? "L" : "M"}${toTenths(px)} ${toTenths(py)}` : "";
    })
    .join("");
}

export interface Plot {
  readonly element: SVGSVGElement;
  show(effect: Effect, leaf: string, root: string, precision: number): void;
}

export function createPlot(signal: AbortSignal, drag: (value: number) => void): Plot {
  const [zero, curve, tangent, gap] = ["zero", "curve", "tangent", "gap"].map((name) =>
    svg("path", `gg-plot-${name}`),
  ) as [SVGPathElement, SVGPathElement, SVGPathElement, SVGPathElement];
  const before = svg("circle", "gg-plot-before", { r: 4.5 });
  const now = svg("circle", "gg-plot-now", { r: 5.5 });
  const inner = svg("svg", "", { ...AREA }, zero, tangent, curve, gap, before, now);
  const frame = svg("rect", "gg-plot-frame", { ...AREA, rx: 4 });
  const words = ["low", "high", "from", "to", "leaf", "root"].map((name) =>
    svg("text", `gg-plot-text gg-plot-${name}`),
  ) as [
    SVGTextElement,
    SVGTextElement,
    SVGTextElement,
    SVGTextElement,
    SVGTextElement,
    SVGTextElement,
  ];
  const [low, high, left, right, below, beside] = words;
  const box = `0 0 ${SIZE.width} ${SIZE.height}`;
  const element = svg("svg", "gg-plot", { viewBox: box, role: "img" }, frame, inner, ...words);
  let window: Window = { from: 0, to: 1 };
  watchDrag(element, signal, (share) => drag(window.from + share * (window.to - window.from)));

  const place = (word: SVGTextElement, x: number, y: number, said: string): void => {
    attributes(word, { x, y });
    text(word, said);
  };
  return {
    element,
    show(effect, leaf, root, precision) {
      window = effect.window;
      const rise = heights(effect);
      const across = scale(window, AREA.width);
      const up = scale(rise, AREA.height, true);
      const { slope } = effect;
      const line = (x: number): number => effect.rootBefore + (slope ?? 0) * (x - effect.before);
      const ends = [window.from, window.to].map((x) => [x, line(x)] as const);
      const expected = promised(effect);
      const here = toTenths(across(effect.after));
      attributes(curve, { d: effect.curve ? pathOf(effect.curve, across, up) : "" });
      attributes(tangent, { d: slope === null ? "" : pathOf(ends, across, up) });
      attributes(zero, {
        d: rise.from < 0 && rise.to > 0 ? `M0 ${toTenths(up(0))}h${AREA.width}` : "",
      });
      const actual = up(effect.rootAfter);
      const said = expected === null ? Number.NaN : up(effect.rootBefore + expected);
      const isSeen = isFiniteNumber(actual) && isFiniteNumber(said);
      attributes(gap, { d: isSeen ? `M${here} ${toTenths(said)}V${toTenths(actual)}` : "" });
      dot(before, across(effect.before), up(effect.rootBefore));
      dot(now, here, actual);
      const write = (value: number): string => formatNumber(value, min(3, precision));
      place(low, AREA.x - 6, AREA.y + AREA.height - 4, write(rise.from));
      place(high, AREA.x - 6, AREA.y + 9, write(rise.to));
      place(left, AREA.x, SIZE.height - 10, write(window.from));
      place(right, AREA.x + AREA.width, SIZE.height - 10, write(window.to));
      place(below, AREA.x + AREA.width / 2, SIZE.height - 10, leaf);
      place(beside, AREA.x - 6, AREA.y + AREA.height / 2 + 4, root);
      attributes(element, { "aria-label": spoken(effect, leaf, root, precision) });
    },
  };
}

function dot(circle: SVGCircleElement, x: number, y: number): void {
  const isSeen = isFiniteNumber(x) && isFiniteNumber(y);
  attributes(circle, {
    cx: isSeen ? toTenths(x) : 0,
    cy: isSeen ? toTenths(y) : 0,
    visibility: isSeen ? null : "hidden",
  });
}

function spoken(effect: Effect, leaf: string, root: string, precision: number): string {
  const write = (value: number | null): string => formatNumber(value, precision);
  const at = `${root} is ${write(effect.rootAfter)} at ${leaf} ${write(effect.after)}`;
  const slope = effect.slope === null ? "unknown" : write(effect.slope);
  return `Curve of ${root} over ${leaf}: ${at}; the tangent at ${write(effect.before)} has slope ${slope}.`;
}

/** Calls with the share of the window that is pointed at, from 0 to 1. */
function watchDrag(
  element: SVGSVGElement,
  signal: AbortSignal,
  drag: (share: number) => void,
): void {
  const follow = (event: PointerEvent): void => {
    const { left, width } = element.getBoundingClientRect();
    const x = ((event.clientX - left) / max(1, width)) * SIZE.width;
    drag(min(1, max(0, (x - AREA.x) / AREA.width)));
  };
  const pressed = (event: PointerEvent): void => {
    if (event.button !== 0) return;
    element.setPointerCapture(event.pointerId);
    follow(event);
  };
  const moved = (event: PointerEvent): void => {
    if (element.hasPointerCapture(event.pointerId)) follow(event);
  };
  on(signal, element, "pointerdown", pressed);
  on(signal, element, "pointermove", moved);
}
