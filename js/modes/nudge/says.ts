/**
 * What a nudge did, in words: the actual change beside what the gradient promised.
 *
 * In: the moment, the trial and the effect of the leaf in hand.  Out: the parts of a sentence.
 */

import { formatNumber } from "../../format";
import { abs, isFiniteNumber } from "../../maths";
import { nameOf } from "../../names";
import {
  figures,
  nodeNamed,
  numeral,
  type Part,
  type Phrase,
  say,
  signed,
  strong,
} from "../../phrases";
import { near } from "../../replay";
import { product } from "../../rules";
import type { Moment } from "../mode";
import type { Effect, Trial } from "./trial";

/** What the gradient promises for the step that was made. */
export const promised = ({ slope, before, after }: Effect): number | null =>
  slope === null ? null : slope * (after - before);

export function sayNudge(moment: Moment, trial: Trial, effect: Effect | null): Phrase {
  if (trial.from === "nobody") return say`${strong("Not from here.")} ${trial.said}`;
  if (trial.from === "waiting") {
    const name = nodeNamed(moment.structure, trial.unknown);
    return say`${strong("One moment.")} The page has no rule for ${name}, so the kernel is asked.`;
  }
  if (!effect || effect.after === effect.before) return opening(moment);
  return [...moved(moment, effect), ...compared(moment, effect)];
}

function opening({ structure, precision }: Moment): Phrase {
  const root = nodeNamed(structure, structure.root);
  const now = numeral(1, precision).text;
  return say`${strong("Nudge.")} Drag the number of an input sideways, or press it and type below; ${root} follows at once. A gradient is the change of ${root} per ${now} of the input, as long as the step is small. Your own values stay as they are until you press keep.`;
}

/** "a from 2 to 2.3: c goes from −4 to −4.6, a change of −0.6." */
function moved({ structure, precision }: Moment, effect: Effect): Phrase {
  const write = (value: number): Part => numeral(value, precision);
  const root = nodeNamed(structure, structure.root);
  const leaf = nameOf(structure, effect.leaf);
  const ends = `${formatNumber(effect.before, precision)} → ${formatNumber(effect.after, precision)}`;
  const head = strong(`${leaf}: ${ends}.`);
  if (!isFiniteNumber(effect.rootAfter - effect.rootBefore)) {
    return say`${head} ${root} goes from ${write(effect.rootBefore)} to ${write(effect.rootAfter)}.`;
  }
  const change = write(effect.rootAfter - effect.rootBefore);
  return say`${head} ${root} goes from ${write(effect.rootBefore)} to ${write(effect.rootAfter)}, a change of ${change}.`;
}

function compared({ structure, precision }: Moment, effect: Effect): Phrase {
  const { slope, before, after, rootBefore, rootAfter } = effect;
  const leaf = nodeNamed(structure, effect.leaf);
  const expected = promised(effect);
  if (slope === null || expected === null) return [];
  const change = rootAfter - rootBefore;
  if (!isFiniteNumber(expected) || !isFiniteNumber(change)) return [];
  const text = product(slope, after - before, precision);
  const told = say` grad × step = ${figures(text)} = ${signed(expected, precision)}`;
  if (near(expected, change) || abs(change - expected) < 1e-12) {
    return say`${told}: exactly that, because along ${leaf} it is a straight line.`;
  }
  const gap = numeral(abs(change - expected), precision);
  return say`${told}: off by ${gap}, as far as the curve has bent away from its tangent.`;
}
