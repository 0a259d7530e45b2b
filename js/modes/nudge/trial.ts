/**
 * A trial: some leaves with other numbers, and what follows from them.
 *
 * In: the moment and the slice.  Out: the graph's numbers under the trial, from the page's own rules
 * or from the kernel's answer, and what the change of one leaf did to the root.  Pure; the kernel's
 * numbers are never changed here.
 */

import { type Numbers, parseNumbers, type Structure } from "../../contract";
import { isFiniteNumber, max, min, round } from "../../maths";
import { remember } from "../../remember";
import { callsOf, replay, rootOver } from "../../replay";
import { type Tape, tapeOf } from "../../tape";
import type { Moment } from "../mode";
import { type Window, windowOf } from "./scale";

/** What is kept: ids, because it travels. */
export interface Slice {
  /** The leaf in hand, −1 for none. */
  readonly leaf: number;
  /** By id: the number that stands in for the leaf's own. */
  readonly data: Readonly<Record<string, number>>;
}

/** Reads a slice; a number that a leaf has by now, because it was kept, is no change any more. */
export function readSlice(value: unknown, { structure, numbers }: Moment): Slice | null {
  if (typeof value !== "object" || value === null) return null;
  const { leaf, data } = value as { leaf?: unknown; data?: Slice["data"] | null };
  if (typeof leaf !== "number" || typeof data !== "object" || data === null) return null;
  const nodeOf = (id: string): number => structure.indexOf.get(Number(id)) ?? -1;
  const entries = Object.entries(data);
  const fits = entries.every(
    ([id, number]) => canNudge(structure, nodeOf(id)) && isFiniteNumber(number),
  );
  if (!fits || (leaf !== -1 && !structure.indexOf.has(leaf))) return null;
  const open = entries.filter(([id, number]) => number !== numbers.data[nodeOf(id)]);
  return { leaf, data: Object.fromEntries(open) };
}

/** An input or a parameter: what a user typed in, and may type otherwise. */
export const canNudge = ({ nodes }: Structure, node: number): boolean =>
  nodes.kind[node] === "leaf" || nodes.kind[node] === "parameter";

/** Where the trial's numbers come from. */
export type Trial =
  | { readonly from: "page"; readonly numbers: Numbers }
  /** `data` is what the kernel was asked about, which may not be the latest. */
  | { readonly from: "kernel"; readonly numbers: Numbers; readonly data: unknown }
  /** The kernel has been asked, or is to be. */
  | { readonly from: "waiting"; readonly unknown: number }
  /** It cannot be computed anywhere. */
  | { readonly from: "nobody"; readonly said: string; readonly data: unknown };

/** What the change of the leaf in hand, the others as they are now, did to the root. */
export interface Effect {
  readonly leaf: number;
  readonly before: number;
  readonly after: number;
  readonly rootBefore: number;
  /** Nan also where nobody has computed it, or not yet. */
  readonly rootAfter: number;
  /** The gradient of the root at `before`; null where a slope on the way is unknown. */
  readonly slope: number | null;
  readonly window: Window;
  /** The root over the window; null where it cannot be computed here. */
  readonly curve: readonly (readonly [x: number, y: number])[] | null;
}

export const changesOf = ({ indexOf }: Structure, { data }: Slice): ReadonlyMap<number, number> =>
  new Map(
    Object.entries(data).map(([id, value]) => [indexOf.get(Number(id)) as number, value] as const),
  );

/** What is computed once for the kernel's numbers, and for each trial on them. */
interface Bench {
  readonly trial: (moment: Moment, slice: Slice) => Trial;
  readonly effect: (moment: Moment, slice: Slice) => Effect | null;
}

const benches = new WeakMap<Numbers, Bench>();

function benchOf({ structure, numbers }: Moment): Bench {
  const bench = benches.get(numbers) ?? createBench(structure, numbers);
  benches.set(numbers, bench);
  return bench;
}

export const trialOf = (moment: Moment, slice: Slice): Trial =>
  benchOf(moment).trial(moment, slice);

/** What the leaf in hand did; null with none in hand. */
export const effectOf = (moment: Moment, slice: Slice): Effect | null =>
  benchOf(moment).effect(moment, slice);

/** So many applications of rules are spent on one curve. */
const BUDGET = 12_000;
const SAMPLES = { most: 120, least: 24 } as const;

function createBench(structure: Structure, numbers: Numbers): Bench {
  const calls = callsOf(structure, numbers);
  const trial = remember((moment: Moment, slice: Slice): Trial => {
    const found = replay(structure, numbers, calls, changesOf(structure, slice));
    return "numbers" in found
      ? { from: "page", numbers: found.numbers }
      : answerOf(structure, moment.nudged, found.unknown);
  });
  /** The numbers with every leaf but the one in hand changed; `others` is their JSON. */
  const resting = remember((others: string): Numbers => {
    const changes = changesOf(structure, { leaf: -1, data: JSON.parse(others) });
    const found = replay(structure, numbers, calls, changes);
    return "numbers" in found ? found.numbers : numbers;
  });
  const tape = remember((at: Numbers) => tapeOf(structure, at));
  const curve = remember((others: string, leaf: number, from: number, to: number) => {
    const root = rootOver(structure, resting(others), calls, leaf);
    return root && sampled(root, { from, to }, BUDGET / (structure.nodes.id.length - leaf));
  });
  const effect = remember((moment: Moment, slice: Slice): Effect | null => {
    const leaf = structure.indexOf.get(slice.leaf);
    if (leaf === undefined) return null;
    const { [slice.leaf]: changed, ...others } = slice.data;
    const now = trial(moment, slice);
    const rest = now.from === "page" ? resting(JSON.stringify(others)) : numbers;
    const before = numbers.data[leaf] as number;
    const after = changed ?? before;
    const window = windowOf(before, after);
    return {
      leaf,
      before,
      after,
      rootBefore: rest.data[structure.root] as number,
      rootAfter: "numbers" in now ? (now.numbers.data[structure.root] as number) : Number.NaN,
      slope: slopeOf(moment, now.from === "page" ? tape(rest) : null, leaf, others),
      window,
      curve: curve(JSON.stringify(others), leaf, window.from, window.to),
    };
  });
  return { trial, effect };
}

/**
 * The gradient that the step is held to: of the others as they are now, where the page knows; else
 * what backward left, as long as the others are as they were.
 */
function slopeOf(
  { numbers, tape: drawn }: Moment,
  tape: Tape | null,
  leaf: number,
  others: Slice["data"],
): number | null {
  if (drawn.complete) return (tape ?? drawn).gradients[leaf] ?? null;
  return numbers.ran && Object.keys(others).length === 0 ? (numbers.grad[leaf] ?? null) : null;
}

/** What the kernel made of the trial that it was last asked about. */
function answerOf(structure: Structure, nudged: Moment["nudged"], unknown: number): Trial {
  const { error, numbers, data } = nudged;
  if (typeof error === "string" && error) return { from: "nobody", said: error, data };
  try {
    return { from: "kernel", numbers: parseNumbers(numbers, structure), data };
  } catch {
    return { from: "waiting", unknown }; // nothing yet, or of an earlier graph
  }
}

type Point = readonly [x: number, y: number];

function sampled(root: (x: number) => number, { from, to }: Window, wanted: number): Point[] {
  const samples = round(min(SAMPLES.most, max(SAMPLES.least, wanted)));
  return Array.from({ length: samples + 1 }, (_, at): Point => {
    const x = from + ((to - from) * at) / samples;
    return [x, root(x)];
  });
}
