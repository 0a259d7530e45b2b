/**
 * What a verdict says: one sentence with the value, the cause and what it means.
 *
 * In: the moment and the verdict.  Out: the parts of a sentence, a row per cause.
 */

import { formatCount, formatNumber } from "../../format";
import { abs } from "../../maths";
import { memberOf, nameOf, short } from "../../names";
import { operandsOf, ruleOf } from "../../nodes";
import {
  figures,
  named,
  nodeNamed,
  numeral,
  type Part,
  type Phrase,
  say,
  signed,
  strong,
} from "../../phrases";
import { application, inNumbers } from "../../rules";
import type { Moment } from "../mode";
import { type Cause, FLAT, type Verdict } from "./trace";

/** Everything that a row of the table may mention. */
interface Words {
  /** "w.grad is 0" */
  readonly it: Phrase;
  /** The value at which the cause is, and its operand on the route. */
  readonly at: Part;
  readonly operand: Part;
  readonly atData: Part;
  readonly operandData: Part;
  readonly moment: Moment;
  readonly verdict: Verdict;
}

const TABLE: Readonly<Record<Cause, (words: Words) => Phrase>> = {
  sound: ({ it, moment, verdict }) =>
    verdict.node === moment.structure.root && verdict.about === "grad"
      ? say`${it}, as it should be: the result starts with 1.`
      : say`${it}: an ordinary number, and nothing is to blame.`,
  unknown: ({ it, at }) =>
    say`${it}, and the way to it leads through ${at}, whose rule could not be read.`,
  "dead relu": ({ it, at, operand, operandData, verdict }) =>
    verdict.about === "data"
      ? say`${it} because its input was ${operandData}; relu passes no gradient below 0, so nothing behind it learns from this example.`
      : say`${it} because ${at} is a relu and its input ${operand} was ${operandData}: relu passes no gradient below 0, so nothing behind it learns from this example.`,
  saturated: ({ it, at, atData, operand, operandData }) =>
    say`${it} because ${at} is saturated: at an input of ${operandData} (${operand}) it is ${atData}, so flat that its slope is 0.`,
  "zero factor": ({ it, at, moment, verdict }) =>
    say`${it} because in ${at} the other factor, ${otherFactor(moment, verdict)}, is exactly 0: whatever is multiplied by it changes nothing.`,
  flat: ({ it, at, operand, operandData }) =>
    say`${it} because ${at} does not change with ${operand} where that is ${operandData}: its slope there is 0.`,
  cancel: ({ it, moment, verdict }) => say`${it} ${cancelling(moment, verdict)}.`,
  underflow: ({ it, at }) =>
    say`${it} because the product at ${at} is smaller than the smallest number there is, and was rounded to 0.`,
  "not reached": ({ it, moment, verdict }) =>
    say`${it}, but its slopes give ${signed(moment.tape.gradients[verdict.node] ?? null, moment.precision)}: backward() has not come to it. Was a rule run before its gradient was complete, or set to 0 afterwards?`,
  "left over": ({ it, moment, verdict }) =>
    say`${it}, but its slopes give ${signed(moment.tape.gradients[verdict.node] ?? null, moment.precision)}: the rest was there before. Zero the gradients before backward().`,
  vanishing: ({ it, moment, verdict }) => say`${it}: ${chain(moment, verdict, "small")}`,
  exploding: ({ it, moment, verdict }) => say`${it}: ${chain(moment, verdict, "large")}`,
  "first non-finite": ({ it, at, atData, moment, verdict }) =>
    say`${it}${where(verdict, at)}${computed(moment, verdict.at)} = ${atData} is the first value that is not finite, made from numbers that are.`,
  given: ({ it, at, atData, verdict }) =>
    verdict.node === verdict.at && verdict.about === "data"
      ? say`${it}: it came in like that, nothing here made it.`
      : say`${it} because ${at} was ${atData} from the start.`,
  "zero times inf": ({ it, at, moment, verdict }) =>
    verdict.about === "data"
      ? say`${it}${where(verdict, at)}${computed(moment, verdict.at)}, and 0 × inf has no value.`
      : say`${it} because at ${at} a 0 meets an infinite slope, and 0 × inf has no value.`,
  "inf minus inf": ({ it, at, moment, verdict }) =>
    verdict.about === "data"
      ? say`${it}${where(verdict, at)}${computed(moment, verdict.at)}, and inf − inf has no value.`
      : say`${it} because contributions of inf and −inf meet at ${at}, and inf − inf has no value.`,
  pole: ({ it, at, operand, operandData }) =>
    say`${it} because the slope of ${at} has no bound at ${operand} = ${operandData}.`,
};

export function sayVerdict(moment: Moment, verdict: Verdict): Phrase {
  const { structure, numbers, precision } = moment;
  const name = (node: number): Part => named(node < 0 ? "" : nameOf(structure, node));
  const data = (node: number): Part => numeral(numbers.data[node] ?? null, precision);
  const words: Words = {
    it: subject(moment, verdict),
    at: name(verdict.at),
    operand: name(verdict.operand),
    atData: data(verdict.at),
    operandData: data(verdict.operand),
    moment,
    verdict,
  };
  return [...TABLE[verdict.cause](words), ...more(verdict), ...left(moment, verdict)];
}

/** "w.grad is 0", "loss is nan". */
function subject({ structure, precision }: Moment, { node, about, value }: Verdict): Phrase {
  const name = nameOf(structure, node);
  const what = strong(about === "data" ? name : memberOf(short(name), "grad"));
  const read = about === "data" ? numeral(value, precision) : signed(value, precision);
  return say`${what} is ${read}`;
}

function more({ others }: Verdict): Phrase {
  if (others === 0) return [];
  return others === 1
    ? say` The other route is stopped as well.`
    : say` The ${formatCount(others, "other route")} are stopped as well.`;
}

/** Where a value on the way left the graph: only the reader of the objects can know. */
function left({ structure: { edges }, numbers }: Moment, { node, route }: Verdict): Phrase {
  const way = [node, ...route.map((edge) => edges.target[edge] as number)];
  const notes = way.flatMap((each) => numbers.notes.get(each) ?? []);
  const note = notes.find((text) => text.includes(" left the graph "));
  return note ? say` ${note}` : [];
}

/** " because of l: ", or ": " where it is the value itself. */
const where = ({ node, at }: Verdict, name: Part): Phrase =>
  node === at ? say`: ` : say` because of ${name}: `;

/** "x * y" with its numbers: "0 × inf". */
function computed({ structure, numbers, precision }: Moment, node: number): Part {
  const rule = ruleOf(structure, node);
  const operands = operandsOf(structure, node);
  if (!rule || rule.variables.length !== operands.length) return nodeNamed(structure, node);
  const fillings = rule.variables.map((variable, at) => [
    variable,
    formatNumber(numbers.data[operands[at] as number] ?? null, precision),
  ]);
  return figures(inNumbers(application(rule), Object.fromEntries(fillings)));
}

function otherFactor({ structure }: Moment, { at, operand }: Verdict): Part {
  const { operandEdges, edges } = structure;
  const factors = (operandEdges[at] ?? []).map((edge) => edges.source[edge] as number);
  return named(nameOf(structure, factors.find((factor) => factor !== operand) ?? operand));
}

/** "because its contributions cancel: 3 from c and −3 from d". */
function cancelling({ structure, tape, precision }: Moment, { node, at }: Verdict): Phrase {
  const received = tape.received[at] ?? [];
  const shown = received.slice(0, 4).map(({ amount, from }, index) => {
    const comma = index === 0 ? "" : index === received.length - 1 ? " and " : ", ";
    return say`${comma}${signed(amount, precision)} from ${nodeNamed(structure, from)}`;
  });
  const rest = received.length > 4 ? " …" : "";
  const whose = at === node ? say`its contributions` : say`those of ${nodeNamed(structure, at)}`;
  return say`because ${whose} add up to 0: ${shown.flat()}${rest}`;
}

/** "the 8 slopes on the way from loss multiply to that; the smallest are 0.02 at h3 (tanh) …". */
function chain(moment: Moment, verdict: Verdict, kind: "small" | "large"): Phrase {
  const { structure, numbers, precision } = moment;
  const { slopes, route } = verdict;
  const sizes = slopes.map((slope, at) => ({ slope, edge: route[at] as number }));
  const order = kind === "small" ? 1 : -1;
  const worst = sizes
    .filter(({ slope }) => (kind === "small" ? abs(slope) < 1 : abs(slope) > 1))
    .sort((a, b) => order * (abs(a.slope) - abs(b.slope)))
    .slice(0, 2);
  const told = worst.map(({ slope, edge }, index) => {
    const node = structure.edges.target[edge] as number;
    const symbol = structure.nodes.symbol[node];
    const isFlat = abs(slope) < FLAT && /^(tanh|σ|sigmoid)$/.test(symbol ?? "");
    const why = isFlat ? say`, saturated at ${numeral(numbers.data[node] ?? null, precision)}` : [];
    const comma = index === 0 ? "" : " and ";
    return say`${comma}${numeral(slope, precision)} at ${nodeNamed(structure, node)}${why}`;
  });
  const root = nodeNamed(structure, structure.root);
  const count = formatCount(route.length, "slope");
  const are = worst.length === 1 ? "is" : "are";
  const extreme = kind === "small" ? "smallest" : "largest";
  const end = told.length > 0 ? say`; the ${extreme} ${are} ${told.flat()}` : [];
  if (route.length < 2) return say`that is the slope on its way from ${root}${end}.`;
  return say`the ${count} on its main way from ${root} multiply to that${end}.`;
}
