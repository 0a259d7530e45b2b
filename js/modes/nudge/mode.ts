/**
 * Nudge: another number at a leaf, and everything that follows from it, at once.
 *
 * In: drags, typed numbers and keys.  Out: the whole picture under the trial, with the old numbers
 * below the new ones, and a sentence that holds the gradient to what it promised.  A trial is a
 * question: the user's own values change only when somebody presses "keep".
 */

import type { Numbers } from "../../contract";
import { formatNumber } from "../../format";
import { abs, isFiniteNumber, round } from "../../maths";
import { isConstant } from "../../names";
import type { NodeNote } from "../../scene/marks";
import { type NodeReading, type Reading, readData, readGradient } from "../../scene/readings";
import { hover, pin } from "../../store";
import type { Ghost, Mode, Moment, Overlay } from "../mode";
import { createNudgePanel } from "./panel";
import { sayNudge } from "./says";
import { stepOf, stepped } from "./scale";
import { moveTo, NOTHING, pick } from "./slice";
import { canNudge, effectOf, readSlice, type Slice, trialOf } from "./trial";

/** Numbers of a trial are written with no more letters than this, so that cards keep their size. */
const LETTERS = 6;

export const NUDGE: Mode<Slice> = {
  name: "nudge",
  title: "Nudge",
  hint: "drag an input and watch everything follow",
  room: { data: "−0.123", grad: "−0.123" },
  begin: ({ structure, tape }) => {
    const leaves = [...structure.nodes.id.keys()].filter((node) => canNudge(structure, node));
    const first = leaves.find((leaf) => tape.gradients[leaf] !== 0) ?? leaves[0];
    return first === undefined ? NOTHING : pick(NOTHING, structure.nodes.id[first] as number);
  },
  read: readSlice,
  overlay,
  panel: createNudgePanel,
  press: (node, { structure }, _, tools) => {
    const id = structure.nodes.id[node] as number;
    if (canNudge(structure, node)) tools.change((slice) => pick(slice, id));
    else tools.update(pin(id));
  },
  grab: (node, moment, slice, tools) => {
    const { structure, numbers } = moment;
    if (!canNudge(structure, node)) return null;
    const id = structure.nodes.id[node] as number;
    const own = numbers.data[node] as number;
    const from = slice.data[id] ?? own;
    const step = stepOf(own);
    tools.change((now) => pick(now, id)); // the curve is there before the number moves
    return (pixels) => {
      const value = stepped(isFiniteNumber(from) ? from : 0, round(pixels), step);
      tools.change((now, at) => moveTo(at, pick(now, id), value), hover([]));
    };
  },
};

// -- the picture -------------------------------------------------------------------------------------

function overlay(moment: Moment, slice: Slice): Overlay {
  const trial = trialOf(moment, slice);
  const sentence = sayNudge(moment, trial, effectOf(moment, slice));
  const nodes = notes(moment, slice);
  const look = moment.structure.indexOf.get(slice.leaf);
  if (!("numbers" in trial) || Object.keys(slice.data).length === 0) {
    return { sentence, nodes, look, ghosts: ghosts(moment, moment.readings) };
  }
  const { numbers } = trial;
  const readings = moment.readings.map((reading, node) => read(moment, numbers, reading, node));
  return { sentence, nodes, look, numbers, readings, ghosts: ghosts(moment, readings) };
}

function notes({ structure }: Moment, slice: Slice): ReadonlyMap<number, NodeNote> {
  const found = new Map<number, NodeNote>();
  for (const [node, id] of structure.nodes.id.entries()) {
    if (!canNudge(structure, node)) continue;
    const spoken = id in slice.data ? "nudged" : "can be nudged";
    found.set(node, { className: id === slice.leaf ? "gg-loose gg-held" : "gg-loose", spoken });
  }
  return found;
}

/** The reading of a node under the trial; what has not changed keeps the one it has. */
function read(
  { structure, numbers, precision }: Moment,
  trial: Numbers,
  plain: NodeReading,
  node: number,
): NodeReading {
  if (structure.nodes.kind[node] === "constant") return plain;
  const [data, grad] = [trial.data[node] as number, trial.grad[node] ?? null];
  const sameData = Object.is(data, numbers.data[node]);
  const sameGrad = Object.is(grad, numbers.grad[node] ?? null);
  if (sameData && sameGrad) return plain;
  return {
    pending: false,
    data: sameData ? plain.data : shortened(readData(data, precision), data, precision),
    grad: sameGrad ? plain.grad : shortened(readGradient(grad, precision), grad, precision),
  };
}

/** A reading in few letters: with fewer digits, and at last with an exponent. */
export function shortened(reading: Reading, value: number | null, precision: number): Reading {
  if (value === null || reading.text.length <= LETTERS) return reading;
  for (let digits = precision - 1; digits > 0; digits--) {
    const text = formatNumber(value, digits);
    if (text.length <= LETTERS) return { ...reading, text };
  }
  const [mantissa = "", exponent = ""] = abs(value).toExponential(0).split("e");
  const sign = value < 0 ? "−" : "";
  const power = exponent.replace("+", "").replace("-", "−");
  return { ...reading, text: `${sign}${mantissa}e${power}` };
}

/**
 * The old numbers, where they read otherwise than the new ones.  All nodes have a place for them from
 * the start, so that the first frame of a drag takes no longer than the others.
 */
function ghosts(
  { structure, readings: plain }: Moment,
  readings: readonly NodeReading[],
): ReadonlyMap<number, Ghost> {
  const found = new Map<number, Ghost>();
  readings.forEach((now, node) => {
    if (isConstant(structure, node)) return;
    const before = plain[node] as NodeReading;
    const old = (key: "data" | "grad"): string =>
      now[key].text === before[key].text ? "" : before[key].text;
    found.set(node, { data: old("data"), grad: old("grad") });
  });
  return found;
}
