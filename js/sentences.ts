/**
 * What a step does, in words.
 *
 * In flow the structure, its numbers and the tape; out flow the parts of a few short sentences, so
 * that a panel can set names and numbers apart without any markup in between.
 *
 * Every value is on the tape, but only an operation does something, so only operations are counted
 * as steps: the graph of `c = a * b + a` takes two, forward and backward alike.
 */

import type { Kind, Numbers, Structure } from "./contract";
import { formatCount, formatNumber, joinedBy } from "./format";
import { nameOf } from "./names";
import { isComputed, operandsOf, ruleOf } from "./nodes";
import {
  figures,
  listed,
  named,
  nodeNamed,
  numeral,
  type Part,
  type Phrase,
  say,
  signed,
  strong,
} from "./phrases";
import { application, fill, inNumbers, product } from "./rules";
import { type BackwardStep, type Contribution, type Known, stepAt, type Tape } from "./tape";

/** Say what the step at `position` of the `step` trait does; empty when there is no such step. */
export function sentenceAt(
  structure: Structure,
  numbers: Numbers,
  tape: Tape,
  position: number,
  precision = 4,
): readonly Part[] {
  const step = stepAt(tape, position);
  if (!step) return [];
  const graph = { structure, numbers, tape, precision };
  return step.pass === "forward" ? forward(graph, step.node) : backward(graph, step);
}

/** What every clause looks at. */
interface Graph {
  readonly structure: Structure;
  readonly numbers: Numbers;
  readonly tape: Tape;
  readonly precision: number;
}

const KINDS: Readonly<Record<Kind, string>> = {
  leaf: "an input",
  parameter: "a parameter",
  constant: "a constant",
  result: "a value without operands",
  group: "a group",
};

// -- forward -------------------------------------------------------------------------------------

function forward(graph: Graph, node: number): Phrase {
  const name = nameIn(graph, node);
  const data = number(graph, graph.numbers.data[node] ?? null);
  if (!isComputed(graph.structure, node)) return say`${name} is ${kindOf(graph, node)}: ${data}.`;
  const count = countOf(graph, node);
  const head = strong(`Forward, step ${count.forward} of ${count.all}.`);
  const formula = computation(graph, node);
  return formula
    ? say`${head} ${formula} = ${data}.`
    : say`${head} ${unfamiliar(graph, node)}: ${data}.`;
}

/** "c = a * b + a = −6 + 2", or null where the rule or an operand is missing. */
function computation(graph: Graph, node: number): Phrase | null {
  const { structure, numbers, precision } = graph;
  const rule = ruleOf(structure, node);
  const operands = operandsOf(graph.structure, node);
  if (!rule || operands.length !== rule.variables.length) return null;
  const fillings = (write: (operand: number) => string) =>
    Object.fromEntries(rule.variables.map((letter, at) => [letter, write(operands[at] as number)]));
  const template = application(rule);
  const written = fill(
    template,
    fillings((operand) => nameOf(graph.structure, operand)),
  );
  const valued = inNumbers(
    template,
    fillings((operand) => formatNumber(numbers.data[operand] ?? null, precision)),
  );
  const name = nameIn(graph, node);
  const middle = sameFormula(written, name.text) ? [] : say` = ${named(written)}`;
  return say`${name}${middle} = ${figures(valued)}`;
}

/** Whether a label already is the formula: "a*b" is "a · b", "relu(x)" is "ReLU(x)". */
function sameFormula(a: string, b: string): boolean {
  const spellings = { "·": "*", "−": "-", "÷": "/", "^": "**", " ": "" } as const;
  const bare = (text: string) =>
    Object.entries(spellings)
      .reduce((plain, [sign, ascii]) => plain.replaceAll(sign, ascii), text)
      .toLowerCase();
  return bare(a) === bare(b);
}

/** "t is computed by myop from x (2)", for an operation whose formula is not known. */
function unfamiliar(graph: Graph, node: number): Phrase {
  const { structure, numbers } = graph;
  const op = structure.nodes.op[node];
  const by = op ? say` by ${named(op)}` : [];
  const from = operandsOf(graph.structure, node).map(
    (operand) => say`${nameIn(graph, operand)} (${number(graph, numbers.data[operand] ?? null)})`,
  );
  const hidden = structure.nodes.hidden[node] ?? 0;
  if (hidden > 0) from.push(say`${formatCount(hidden, "operand")} not drawn`);
  return say`${nameIn(graph, node)} is computed${by} from ${listed(from)}`;
}

// -- backward ------------------------------------------------------------------------------------

function backward(graph: Graph, step: BackwardStep): Phrase {
  const { node, contributions } = step;
  if (!isComputed(graph.structure, node)) return complete(graph, step);
  const count = countOf(graph, node);
  const head = strong(`Step ${count.backward} of ${count.all}.`);
  if (step.gradient === null) {
    return say`${head} The gradient of ${nameIn(graph, node)} is unknown, because a rule after it could not be read; so what it passes on is unknown too.`;
  }
  const hidden = graph.structure.nodes.hidden[node] ?? 0;
  const absent = `${formatCount(hidden, "operand")} ${hidden === 1 ? "is" : "are"} not drawn`;
  if (contributions.length === 0) return say`${head} ${holding(graph, step)}; its ${absent}.`;
  return [
    ...say`${head} ${holding(graph, step)}, so it can pass it on: ${passing(graph, step)}.`,
    ...additions(graph, contributions),
    ...(ruleOf(graph.structure, node) ? arrivals(graph, step) : []),
    ...(hidden > 0 ? say` ${absent}.` : []),
  ];
}

/** A leaf passes nothing on. */
function complete(graph: Graph, { node, gradient }: BackwardStep): Phrase {
  const name = nameIn(graph, node);
  const kind = kindOf(graph, node);
  if (node === graph.structure.root) {
    return say`${name} is the result and ${kind} at once; its gradient with respect to itself is ${amount(graph, gradient)}.`;
  }
  if (gradient === null) {
    return say`${name} is ${kind}; its gradient is unknown, because a rule on the way to it could not be read.`;
  }
  const state = graph.tape.complete
    ? "its gradient is complete"
    : "its gradient from what is drawn";
  const received = graph.tape.received[node] ?? [];
  const ledger = received.length > 1 ? say` It came one by one: ${oneByOne(graph, received)}.` : [];
  return [...say`${name} is ${kind}; ${state}: ${amount(graph, gradient)}.`, ...ledger];
}

/** "1 from c makes 1, −3 from a * b makes −2": each contribution with the running total. */
function oneByOne(graph: Graph, contributions: readonly Contribution[]): Phrase {
  const rest = contributions.length - MOST_ARRIVALS;
  const shown =
    rest > 0 ? [...contributions.slice(0, 2), ...contributions.slice(-2)] : contributions;
  const steps = shown.map(({ from, amount: sent, total }, at) => {
    const gap = rest > 0 && at === 2 ? "… " : "";
    return say`${gap}${amount(graph, sent)} from ${nameIn(graph, from)} makes ${amount(graph, total)}`;
  });
  return steps.flatMap((step, at) => (at === 0 ? step : say`, ${step}`));
}

/** "a * b has its whole gradient (1, from c)". */
function holding(graph: Graph, { node, gradient }: BackwardStep): Phrase {
  const name = nameIn(graph, node);
  const held = amount(graph, gradient);
  if (node === graph.structure.root)
    return say`${name} is the result and its own gradient is ${held}`;
  const received = graph.tape.received[node] ?? [];
  const origin =
    received.length > 1
      ? say`: ${oneByOne(graph, received)}`
      : say`, from ${sourcesOf(graph, received)}`;
  const whole = graph.tape.complete ? "its whole gradient" : "its gradient from what is drawn";
  return say`${name} has ${whole} (${held}${origin})`;
}

/** The rule in words; where the table has none, what the user's own rule was seen to send. */
function passing(graph: Graph, { node, gradient, contributions }: BackwardStep): Phrase {
  const rule = ruleOf(graph.structure, node);
  if (rule) return say`${rule.says.replace(/\bthe gradient\b/, "that gradient")}`;
  if (contributions.every(({ amount: sent }) => sent === null)) {
    return say`its own rule (written in the class) could not be read, so what it sends is unknown`;
  }
  const sent = contributions.map(
    (one) => say`${sharing(graph, one, gradient)} to ${nameIn(graph, one.operand)}`,
  );
  return say`its own rule (written in the class) sends ${listed(sent)}`;
}

/** One sentence per operand at which contributions meet. */
const additions = (graph: Graph, contributions: readonly Contribution[]): Phrase =>
  byOperand(contributions).flatMap((here) => {
    const [first] = here;
    if (!first || !meets(here)) return [];
    const name = nameIn(graph, first.operand);
    const before = (graph.tape.received[first.operand] ?? []).slice(0, first.earlier);
    const total = here.at(-1)?.total ?? null;
    if (total === null) return say` What ${name} holds is unknown, because one of its slopes is.`;
    const again = here.length === 1 ? "" : ` is used ${times(here.length)} here`;
    if (before.length === 0) {
      const all = here.length === 2 ? "both uses count" : "every use counts";
      return say` ${name}${again} and ${all}: ${sum(graph, here)} = ${amount(graph, total)}.`;
    }
    const held = say`${name} already held ${amount(graph, first.before)} from ${sourcesOf(graph, before)}`;
    const and = again && ` and${again}`;
    const many = before.length + here.length;
    const adding = `the ${WORDS[many] ?? many} contributions add`;
    return say` ${held}${and}; ${adding}: ${sum(graph, [...before, ...here])} = ${amount(graph, total)}.`;
  });

/** One sentence for the operands to which this is the first contribution. */
function arrivals(graph: Graph, { gradient, contributions }: BackwardStep): Phrase {
  const firsts = byOperand(contributions).filter((here) => !meets(here));
  if (firsts.length === 0) return [];
  const received = firsts.map(([one]) => {
    const { edge, operand } = one as Contribution;
    const uses = graph.structure.edges.count[edge] ?? 1;
    const name = nameIn(graph, operand);
    const used = uses > 1 ? `, used ${times(uses)},` : "";
    return say`${name}${used} receives ${sharing(graph, one as Contribution, gradient)}`;
  });
  return say` ${listed(received)}.`;
}

function byOperand(contributions: readonly Contribution[]): Contribution[][] {
  const groups = new Map<number, Contribution[]>();
  for (const one of contributions) {
    const group = groups.get(one.operand);
    if (group) group.push(one);
    else groups.set(one.operand, [one]);
  }
  return [...groups.values()];
}

/** Whether an operand that gets these in one step has more than one contribution to add. */
const meets = (here: readonly Contribution[]): boolean =>
  here.length > 1 || (here[0]?.earlier ?? 0) > 0;

// -- phrases -------------------------------------------------------------------------------------

/** Of more contributions than this only the first and the last two are listed. */
const MOST_ARRIVALS = 5;
const WORDS = ["no", "one", "two", "three", "four"];

/** "−3 × 1 = −3". */
function sharing(graph: Graph, { slope, amount: sent }: Contribution, gradient: Known): Phrase {
  if (slope === null || gradient === null) return say`an unknown amount`;
  return say`${figures(product(slope, gradient, graph.precision))} = ${amount(graph, sent)}`;
}

/** "1 + (−3)"; of many terms only the ends. */
function sum(graph: Graph, contributions: readonly Contribution[]): Part {
  const terms = contributions.map(({ amount: sent }) => formatNumber(sent, graph.precision));
  if (terms.length > WORDS.length) terms.splice(2, terms.length - 3, "…");
  return figures(joinedBy("+", terms));
}

/** "c and a * b": the results that contributions came from. */
function sourcesOf(graph: Graph, contributions: readonly Contribution[]): Phrase {
  const results = [...new Set(contributions.map(({ from }) => from))];
  return listed(results.map((result) => [nameIn(graph, result)]));
}

const times = (count: number): string => (count === 2 ? "twice" : `${WORDS[count] ?? count} times`);

const nameIn = ({ structure }: Graph, node: number): Part => nodeNamed(structure, node);

const kindOf = ({ structure: { nodes } }: Graph, node: number): string =>
  KINDS[nodes.kind[node] ?? "leaf"];

const number = ({ precision }: Graph, value: number | null): Part => numeral(value, precision);

const amount = ({ precision }: Graph, value: Known): Part => signed(value, precision);

// -- the graph -----------------------------------------------------------------------------------

/** Where a node stands among the drawn operations, from 1, in both directions. */
function countOf(graph: Graph, node: number): { forward: number; backward: number; all: number } {
  const { structure } = graph;
  const operations = [...structure.nodes.id.keys()].filter((one) => isComputed(structure, one));
  const place = operations.indexOf(node);
  return { forward: place + 1, backward: operations.length - place, all: operations.length };
}
