/**
 * What is known of each value at the present moment of the tape.
 *
 * In: structure, numbers, tape and position.  Out: per node the text of its data and of its
 * gradient, with a tone.  Cards, code lines and tooltips all read these, so that stepping back
 * hides the same gradients everywhere.
 */

import type { Numbers, Structure } from "../contract";
import { formatNumber, NOT_RUN } from "../format";
import { isFiniteNumber } from "../maths";
import { saysOf } from "../names";
import { isComputed } from "../nodes";
import { heldAt, type Known, stepAt, type Tape } from "../tape";

/** How a text is coloured: by sign, as not known yet, or as not a number. */
export type Tone = "" | "pos" | "neg" | "zero" | "wait" | "bad";

export interface Reading {
  readonly text: string;
  readonly tone: Tone;
}

export interface NodeReading {
  readonly data: Reading;
  readonly grad: Reading;
  /** Whether the tape has not come to this node yet. */
  readonly pending: boolean;
}

/** After a running total: contributions are still to arrive. */
export const MORE_TO_COME = " + …";

export const NOTHING: Reading = { text: "", tone: "wait" };
const TO_COME: Reading = { text: "…", tone: "wait" };
const NOT_YET: Reading = { text: "not yet", tone: "wait" };
const UNRUN: Reading = { text: NOT_RUN, tone: "wait" };
export const UNKNOWN: Reading = { text: "unknown", tone: "wait" };

/** The tone of a gradient or a contribution. */
export function toneOf(value: Known): Tone {
  if (value === null) return "wait";
  if (!isFiniteNumber(value)) return "bad";
  if (value === 0) return "zero";
  return value > 0 ? "pos" : "neg";
}

export const readData = (value: number, precision: number): Reading => ({
  text: formatNumber(value, precision),
  tone: isFiniteNumber(value) ? "" : "bad",
});

export const readGradient = (value: Known, precision: number): Reading =>
  value === null ? UNKNOWN : { text: formatNumber(value, precision), tone: toneOf(value) };

/** At rest: the numbers as the kernel has them. */
const atRest = (structure: Structure, numbers: Numbers, precision: number): NodeReading[] =>
  Array.from(numbers.data, (data, node) => {
    const says = saysOf(structure, node);
    if (says) return { data: { text: says, tone: "wait" }, grad: NOTHING, pending: false };
    const grad = numbers.grad[node] ?? null;
    return {
      data: readData(data, precision),
      grad: grad === null ? UNRUN : readGradient(grad, precision),
      pending: false,
    };
  });

/** Stepping: data up to the forward step, gradients as far as they have arrived. */
export function readingsAt(
  structure: Structure,
  numbers: Numbers,
  tape: Tape,
  position: number,
  precision: number,
): readonly NodeReading[] {
  const step = stepAt(tape, position);
  if (!step) return atRest(structure, numbers, precision);
  if (step.pass === "forward") {
    return Array.from(numbers.data, (data, node) => {
      const pending = node > step.node && isComputed(structure, node);
      return { data: pending ? TO_COME : readData(data, precision), grad: UNRUN, pending };
    });
  }
  const held = heldAt(tape, position);
  return Array.from(numbers.data, (data, node) => {
    const value = held[node];
    const last = structure.consumerEdges[node]?.at(-1);
    const more = last !== undefined && (structure.edges.target[last] as number) < step.node;
    const grad = value === undefined ? NOT_YET : readGradient(value, precision);
    return {
      data: readData(data, precision),
      grad: more && value !== undefined ? { ...grad, text: grad.text + MORE_TO_COME } : grad,
      pending: value === undefined,
    };
  });
}
