/**
 * How far a drag goes: steps that leave short numbers, and the window that the curve is drawn in.
 *
 * In: the leaf's own number and the present one.  Out: sizes of the same kind.  Pure.
 */

import { abs, floor, isFiniteNumber, log10, max, min, round } from "../../maths";

/** The numbers that a curve is drawn over. */
export interface Window {
  readonly from: number;
  readonly to: number;
}

/** Half a window, in steps. */
const STEPS = 100;

/** The smallest of 1, 2 and 5 times a power of ten that is not below `size`. */
function nice(size: number): number {
  const power = 10 ** floor(log10(size));
  return ([1, 2, 5].find((factor) => factor * power >= size * (1 - 1e-9)) ?? 10) * power;
}

/** One step of a drag or of an arrow key for a number of this size. */
export function stepOf(base: number): number {
  const size = abs(base);
  return nice((isFiniteNumber(size) && size >= 0.01 ? size : 1) / STEPS);
}

/** The number so many steps away, on the grid of the steps, written as shortly as it can be. */
export function stepped(from: number, steps: number, step: number): number {
  if (steps === 0) return from;
  const decimals = min(100, max(0, -floor(log10(step))));
  return Number((round(from / step + steps) * step).toFixed(decimals));
}

/** The window around the leaf's own number that holds the present one: doubled until it does. */
export function windowOf(base: number, value: number): Window {
  const centre = isFiniteNumber(base) ? base : 0;
  let half = STEPS * stepOf(centre);
  while (abs(value - centre) > half && isFiniteNumber(half)) half *= 2;
  return { from: centre - half, to: centre + half };
}
