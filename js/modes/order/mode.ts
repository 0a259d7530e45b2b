/**
 * Order lab: plain recursion beside the topological order, on the same graph.
 *
 * In: the recursion of `naive.ts` and how far it has come.  Out: its state in the picture, the two
 * orders as lanes and the two totals of every leaf.  It opens where the recursion first reads a
 * gradient that is not whole.
 */

import { button, classes, createKeyed, html, on, text } from "../../dom";
import { formatCount, formatNumber, grouped } from "../../format";
import { max, min } from "../../maths";
import { isConstant, nameOf, short } from "../../names";
import { countedNodes, hasOperands } from "../../nodes";
import { type Chip, createChips } from "../../panels/chips";
import {
  figures,
  listed,
  nodeNamed,
  numeral,
  type Phrase,
  say,
  signed,
  strong,
} from "../../phrases";
import { product } from "../../rules";
import type { Flow, NodeNote } from "../../scene/marks";
import { type NodeReading, readGradient, toneOf } from "../../scene/readings";
import { agree, type Known } from "../../tape";
import {
  type Mode,
  type ModePanel,
  type Moment,
  type Overlay,
  ofNumbers,
  type Tools,
} from "../mode";
import { createWalker } from "../walker";
import { heldAfter, type Recursion, type Run, recurse } from "./naive";

/** How many sends have been made. */
interface Slice {
  readonly done: number;
}

const recursion = ofNumbers(recurse);

export const ORDER: Mode<Slice> = {
  name: "order",
  title: "Order",
  hint: "plain recursion beside the topological order",
  begin: (moment) => ({ done: stopOf(recursion(moment)) }),
  read(value, moment) {
    const done = (value as Partial<Slice> | null)?.done;
    const { length } = recursion(moment).sends;
    return typeof done === "number" && done >= 0 && done <= length ? { done } : null;
  },
  overlay,
  panel,
  keys: (moment, _, { change }) => {
    const walk = (name: keyof typeof WALKS) => () => change((slice) => go(name, moment, slice));
    return { "[": walk("previous"), "]": walk("next") };
  },
};

// -- where it stands ---------------------------------------------------------------------------------

/** Where a gradient is first read too early; at the start when none is. */
export const stopOf = ({ runs, firstEarly }: Recursion): number => runs[firstEarly]?.from ?? 0;

const WALKS = {
  first: () => 0,
  previous: (done: number) => done - 1,
  next: (done: number) => done + 1,
  last: (_: number, { sends }: Recursion) => sends.length,
  stop: (_: number, found: Recursion) => stopOf(found),
} as const;

function go(name: keyof typeof WALKS, moment: Moment, { done }: Slice): Slice {
  const found = recursion(moment);
  const to = WALKS[name](done, found);
  return { done: max(0, min(found.sends.length, to)) };
}

/** The run that is about to send, or that sent last when nothing follows. */
const runAt = ({ runs, sends }: Recursion, done: number): number =>
  sends[done]?.run ?? runs.length - 1;

/** Whether what a run passes on is wrong: read too early, or for another time. */
const isWrong = ({ missing, earlier }: Run): boolean => missing.length > 0 || earlier > 0;

// -- the picture -------------------------------------------------------------------------------------

function overlay(moment: Moment, { done }: Slice): Overlay {
  const { structure, readings, precision, numbers } = moment;
  const found = recursion(moment);
  const held = heldAfter(structure, found, done);
  const last = found.sends[done - 1];
  const flows: (Flow | null)[] = structure.edges.source.map(() => null);
  found.sends.slice(0, done).forEach(({ edge, amount }, at) => {
    flows[edge] = { amount, when: at === done - 1 ? "now" : "past" };
  });
  return {
    readings: readings.map(
      (reading, node): NodeReading => ({
        ...reading,
        grad: readGradient(held[node] ?? null, precision),
      }),
    ),
    nodes: notes(found, done),
    flows,
    labels: last
      ? [
          {
            edge: last.edge,
            text: product(numbers.slope[last.edge], found.runs[last.run]?.read, precision),
            tone: toneOf(last.amount),
          },
        ]
      : [],
    look: found.runs[runAt(found, done)]?.node,
    sentence: sentenceAt(moment, found, done),
  };
}

function notes(found: Recursion, done: number): ReadonlyMap<number, NodeNote> {
  const current = runAt(found, done);
  const marks = new Map<number, NodeNote>();
  found.runs.slice(0, current + 1).forEach((run) => {
    if (isWrong(run)) marks.set(run.node, { className: "gg-wrong", spoken: "read too early" });
  });
  const now = found.runs[current];
  if (now && done < found.sends.length && !isWrong(now)) {
    marks.set(now.node, { className: "gg-on", spoken: "running" });
  }
  return marks;
}

// -- the sentence ------------------------------------------------------------------------------------

function sentenceAt(moment: Moment, found: Recursion, done: number): Phrase {
  const { structure, precision, tape } = moment;
  const { sends, runs } = found;
  const name = (node: number) => nodeNamed(structure, node);
  if (found.firstEarly < 0 && done === 0) {
    return say`${strong("Nothing to stop at.")} Here no rule runs before its gradient is whole, so plain recursion gives the same gradients as the topological order.`;
  }
  if (done === sends.length) return ending(moment, found);
  const next = runs[sends[done]?.run ?? -1];
  if (next && next.from === done && isWrong(next)) {
    const whole = signed(tape.gradients[next.node] ?? null, precision);
    const read = signed(next.read, precision);
    if (next.missing.length > 0) {
      const late = listed(next.missing.map((node) => [name(node)]));
      const has = next.missing.length === 1 ? "has" : "have";
      const what = next.begun ? "more to send" : "not contributed yet";
      return say`${strong("Read too early.")} Plain recursion runs the rule of ${name(next.node)} now and reads ${read}, but ${late} ${has} ${what}. The topological order waits until it is ${whole}.`;
    }
    return say`${strong("Run again.")} More arrived at ${name(next.node)}, so its rule runs again, and sends all of ${read} where only the news was due.`;
  }
  const last = sends[done - 1];
  if (!last) {
    return say`${strong("Plain recursion.")} ${name(structure.root)} starts with gradient 1, sends to its first operand, and goes straight on from there.`;
  }
  const from = structure.edges.target[last.edge] as number;
  const to = structure.edges.source[last.edge] as number;
  return say`${name(from)} sends ${signed(last.amount, precision)} to ${name(to)}, which makes ${signed(last.total, precision)}.`;
}

function ending({ structure, tape, precision }: Moment, found: Recursion): Phrase {
  if (found.cut) {
    const { source } = structure.edges;
    const contributions = source.filter((operand) => !isConstant(structure, operand)).length;
    return say`${strong("Cut here.")} Plain recursion would send ${figures(grouped(found.needed))} times, once for every path; the topological order sends ${numeral(contributions, precision)} times.`;
  }
  const off = leavesOf(structure).filter(
    (leaf) => !agree(found.totals[leaf], tape.gradients[leaf]),
  );
  if (off.length === 0 && leavesOf(structure).some((leaf) => tape.gradients[leaf] === null)) {
    return say`${strong("Not known.")} A rule on the way could not be read, so the totals behind it cannot be compared.`;
  }
  if (off.length === 0) {
    return say`${strong("Both agree.")} No rule ran before its gradient was whole, so the order made no difference.`;
  }
  const told = off.map(
    (leaf) =>
      say`${nodeNamed(structure, leaf)} with ${numeral(found.totals[leaf] ?? null, precision)} instead of ${numeral(tape.gradients[leaf] ?? null, precision)}`,
  );
  return say`${strong("Wrong.")} Plain recursion ends ${listed(told)}: values that are used more than once sent before they were whole, and then again.`;
}

/** What one asks the gradient of. */
const leavesOf = (structure: Moment["structure"]): readonly number[] =>
  countedNodes(structure).filter((node) => !hasOperands(structure, node));

// -- the panel ---------------------------------------------------------------------------------------

/** Chips of a lane, and rows of the table, beyond which the rest is counted. */
const MOST = { chips: 40, leaves: 40 } as const;

interface Total {
  readonly name: string;
  readonly now: Known;
  readonly naive: Known;
  readonly right: Known;
  readonly precision: number;
}

function panel({ change }: Tools<Slice>, signal: AbortSignal): ModePanel<Slice> {
  const walk = (name: keyof typeof WALKS): void =>
    change((slice, moment) => go(name, moment, slice));
  const walker = createWalker(signal, walk, () => walk("first"));
  const stop = button("first early read");
  on(signal, stop, "click", () => {
    walker.stop();
    walk("stop");
  });
  const count = html("span", "gg-count");
  const naive = createLane("plain recursion", signal);
  const right = createLane("topological order", signal);
  const table = createTotals();
  const code = html("pre", "gg-program", { "aria-label": "Plain recursion" }, PROGRAM);
  const lanes = html("div", "gg-lanes", {}, ...naive.cells, ...right.cells);
  const body = html("div", "gg-lab", {}, lanes, html("div", "gg-pair", {}, table.element, code));
  return {
    controls: [walker.element, stop, count],
    body,
    rest: walker.stop,
    show(moment, { done }) {
      const { structure } = moment;
      const found = recursion(moment);
      walker.show({ atStart: done === 0, atEnd: done === found.sends.length });
      stop.hidden = found.firstEarly < 0;
      stop.disabled = done === stopOf(found);
      text(count, `${grouped(done)} of ${formatCount(found.sends.length, "send")}`);
      naive.show(naiveChips(structure, found, done));
      right.show(rightChips(structure));
      table.show(totals(moment, found, done));
    },
  };
}

const PROGRAM = `def backward(v):
    for operand, slope in v:
        operand.grad += slope * v.grad
        backward(operand)`;

function naiveChips(structure: Moment["structure"], found: Recursion, done: number): Chip[] {
  const current = runAt(found, done);
  const isOver = done === found.sends.length;
  const from = max(0, min(current - MOST.chips / 2, found.runs.length - MOST.chips));
  return found.runs.slice(from, from + MOST.chips).map((run, at) => {
    const place = from + at;
    const reached = place < current || (isOver && place === current);
    const now = place === current && !isOver;
    const wrong = isWrong(run) && place <= current;
    return {
      key: place,
      text: short(nameOf(structure, run.node)) + (wrong ? " ✗" : ""),
      mark: classes(now && "gg-now", wrong ? "gg-bad" : reached && "gg-done"),
    };
  });
}

function rightChips(structure: Moment["structure"]): Chip[] {
  const order = countedNodes(structure)
    .reverse()
    .filter((node) => hasOperands(structure, node));
  return order.slice(0, MOST.chips).map((node) => ({
    key: node,
    text: short(nameOf(structure, node)),
  }));
}

function createLane(title: string, signal: AbortSignal) {
  const { element, show } = createChips(title, signal);
  return {
    cells: [html("span", "gg-lane", {}, title), element],
    show(items: readonly Chip[]) {
      show(items);
      const now = element.querySelector<HTMLElement>(".gg-now");
      if (now) element.scrollLeft = now.offsetLeft - element.offsetLeft - element.clientWidth / 2;
    },
  };
}

function totals({ structure, tape, precision }: Moment, found: Recursion, done: number): Total[] {
  const held = heldAfter(structure, found, done);
  return leavesOf(structure)
    .slice(0, MOST.leaves)
    .map((leaf) => ({
      name: short(nameOf(structure, leaf)),
      now: held[leaf] ?? null,
      naive: found.cut ? null : (found.totals[leaf] ?? null),
      right: tape.gradients[leaf] ?? null,
      precision,
    }));
}

function createTotals() {
  const rows = html("tbody");
  const heads = ["", "recursion so far", "in the end", "topological"].map((head) =>
    html(head ? "th" : "td", "", head ? { scope: "col" } : {}, head),
  );
  const keyed = createKeyed<Total & { key: string }, HTMLElement>(
    rows,
    ({ key }) => key,
    () => html("tr"),
    (row, { name, now, naive, right, precision }) => {
      const wrong = !agree(naive, right);
      const write = (value: Known) => (value === null ? "–" : formatNumber(value, precision));
      row.replaceChildren(
        html("th", "", { scope: "row" }, name),
        html("td", "", {}, write(now)),
        html("td", wrong ? "gg-bad" : "", {}, wrong ? `${write(naive)} ✗` : write(naive)),
        html("td", "", {}, write(right)),
      );
    },
  );
  const head = html("thead", "", {}, html("tr", "", {}, ...heads));
  const table = html("table", "gg-totals", {}, head, rows);
  return {
    element: html(
      "div",
      "gg-scroll",
      { tabindex: "0", role: "region", "aria-label": "Totals" },
      table,
    ),
    show: (items: readonly Total[]) =>
      keyed.show(items.map((item, at) => ({ ...item, key: `${at}` }))),
  };
}
