/**
 * Path ledger: every way from a value to the result, and what each adds to its gradient.
 *
 * In: a press on a value, and which path is looked at.  Out: that path lit in the picture with its
 * slopes, and a ledger of products whose sum is the gradient.
 */

import { attributes, classes, className, createKeyed, html, onPress, text } from "../../dom";
import { formatCount, formatNumber, grouped, joinedBy } from "../../format";
import { max, min } from "../../maths";
import { isConstant, memberOf, nameOf, short } from "../../names";
import { countedNodes, hasOperands } from "../../nodes";
import { readingOf } from "../../panels/tooltip";
import {
  figures,
  named,
  nodeNamed,
  numeral,
  type Phrase,
  plainText,
  say,
  signed,
  strong,
} from "../../phrases";
import type { Flow, NodeNote } from "../../scene/marks";
import { readGradient, toneOf } from "../../scene/readings";
import { agree, type Known, times } from "../../tape";
import {
  type Mode,
  type ModePanel,
  type Moment,
  type Overlay,
  ofNumbers,
  type Tools,
} from "../mode";
import { createWalker } from "../walker";
import { type Ledger, ledgerOf, nodesOn, type Path, sumsOf } from "./paths";

interface Slice {
  /** The id of the value. */
  readonly of: number;
  /** The number of the path that is lit, −1 for all of them. */
  readonly at: number;
}

/** So many paths are listed at most. */
const MOST_PATHS = 50;

const ledger = ofNumbers((structure, numbers, node: number) =>
  ledgerOf(structure, numbers, node, MOST_PATHS),
);

export const PATHS: Mode<Slice> = {
  name: "paths",
  title: "Paths",
  hint: "every way from a value to the result, and their sum",
  begin: (moment) => ({ of: moment.structure.nodes.id[opening(moment)] as number, at: -1 }),
  read(value, moment) {
    const { of, at } = (value ?? {}) as Partial<Slice>;
    const node = typeof of === "number" ? moment.structure.indexOf.get(of) : undefined;
    if (of === undefined || node === undefined || typeof at !== "number") return null;
    return at >= -1 && at < ledger(moment, node).paths.length ? { of, at } : null;
  },
  overlay,
  panel,
  press: (node, { structure }, _, { change }) => {
    if (isConstant(structure, node)) return;
    change(() => ({ of: structure.nodes.id[node] as number, at: -1 }));
  },
  keys: (_moment, _slice, { change }) => ({
    "[": () => change((slice, moment) => go("previous", moment, slice)),
    "]": () => change((slice, moment) => go("next", moment, slice)),
  }),
};

/** The value to begin with: the leaf with the most ways, for there the sum is worth a look. */
function opening(moment: Moment): number {
  const { structure } = moment;
  const { consumerEdges, root } = structure;
  const leaves = countedNodes(structure).filter(
    (node) => node !== root && !hasOperands(structure, node),
  );
  const uses = (node: number): number => (consumerEdges[node] ?? []).length;
  return leaves.reduce((best, leaf) => (uses(leaf) > uses(best) ? leaf : best), leaves[0] ?? root);
}

const WALKS = {
  first: () => 0,
  previous: (at: number) => at - 1,
  next: (at: number) => at + 1,
  last: (_: number, count: number) => count - 1,
} as const;

function go(name: keyof typeof WALKS, moment: Moment, slice: Slice): Slice {
  const count = ledger(moment, nodeOf(moment, slice)).paths.length;
  return { ...slice, at: max(-1, min(count - 1, WALKS[name](slice.at, count))) };
}

const nodeOf = ({ structure }: Moment, { of }: Slice): number => structure.indexOf.get(of) ?? 0;

// -- the picture -------------------------------------------------------------------------------------

function overlay(moment: Moment, slice: Slice): Overlay {
  const { structure, numbers, precision } = moment;
  const node = nodeOf(moment, slice);
  const { paths } = ledger(moment, node);
  const one = paths[slice.at];
  const lit = new Set((one ? [one] : paths).flatMap(({ edges }) => edges));
  const touched = new Set([
    node,
    structure.root,
    ...[...lit].map((edge) => structure.edges.target[edge] as number),
  ]);
  const nodes = new Map<number, NodeNote>();
  for (const other of structure.nodes.id.keys()) {
    if (other === node) nodes.set(other, { className: "gg-on", spoken: "its paths are shown" });
    else if (!touched.has(other)) nodes.set(other, { className: "gg-dim", spoken: "" });
    else if (one) nodes.set(other, { className: "gg-lit", spoken: "on this path" });
  }
  const edges = new Map<number, string>();
  for (const edge of structure.edges.source.keys()) {
    edges.set(edge, lit.has(edge) ? "gg-lit" : "gg-dim");
  }
  return {
    nodes,
    edges,
    flows: one ? flowsOn(moment, one) : structure.edges.source.map(() => null),
    labels: (one?.edges ?? []).map((edge) => ({
      edge,
      text: formatNumber(numbers.slope[edge] ?? null, precision),
      tone: toneOf(numbers.slope[edge] ?? null),
    })),
    look: node,
    sentence: sentence(moment, node, slice.at),
  };
}

/** What comes down one path: the product so far, from the result on. */
function flowsOn({ structure, numbers }: Moment, { edges }: Path): (Flow | null)[] {
  const flows: (Flow | null)[] = structure.edges.source.map(() => null);
  let amount: Known = 1;
  for (const edge of [...edges].reverse()) {
    amount = times(amount, numbers.slope[edge]);
    flows[edge] = { amount, when: "now" };
  }
  return flows;
}

// -- the sentence ------------------------------------------------------------------------------------

function sentence(moment: Moment, node: number, at: number): Phrase {
  const { structure, precision } = moment;
  const { paths, count } = ledger(moment, node);
  const path = paths[at];
  const name = nodeNamed(structure, node);
  const root = nodeNamed(structure, structure.root);
  if (node === structure.root) {
    return say`${name} is the result: no path, and gradient 1 with respect to itself. Press another value.`;
  }
  if (!path) {
    const ways = formatCount(count, "path");
    const lead = String(count) === "1" ? "leads" : "lead";
    return say`${strong(`${ways} ${lead}`)} from ${name} to ${root}. Along a path the slopes multiply; over all paths the products add up to the gradient.${total(moment, node)}`;
  }
  const head = strong(`Path ${at + 1} of ${grouped(count)}.`);
  const sum = sumsOf(paths)[at] ?? null;
  const soFar = at === 0 ? [] : say` With the paths before it: ${signed(sum, precision)}.`;
  const end = at === paths.length - 1 ? total(moment, node) : [];
  return say`${head} ${product(moment, path)} = ${signed(path.product, precision)}.${soFar}${end}`;
}

const MOST_FACTORS = 8;

/** "−3 × 1": the slopes from the result back to the value. */
function product({ numbers, precision }: Moment, { edges }: Path): Phrase {
  const factors = [...edges].reverse().map((edge) => {
    const slope = numbers.slope[edge] ?? null;
    return slope === null ? "?" : formatNumber(slope, precision);
  });
  const cut = factors.length - MOST_FACTORS;
  const shown = cut > 0 ? [...factors.slice(0, MOST_FACTORS - 1), "…"] : factors;
  return [figures(joinedBy("×", shown))];
}

/** " Their sum, −2, is a.grad.", or why it is not. */
function total(moment: Moment, node: number): Phrase {
  const { structure, numbers, tape, precision } = moment;
  const { paths, count } = ledger(moment, node);
  const grad = named(memberOf(short(nameOf(structure, node)), "grad"));
  const due = tape.gradients[node] ?? null;
  if (BigInt(paths.length) < count) {
    const listed = sumsOf(paths).at(-1) ?? null;
    return say` The ${numeral(paths.length, precision)} largest add up to ${signed(listed, precision)} of ${signed(due, precision)}.`;
  }
  const partial = tape.complete ? "" : " as far as the graph is drawn";
  const held = numbers.grad[node] ?? null;
  const sum = signed(due, precision);
  if (!numbers.ran || held === null) {
    return say` The sum is ${sum}${partial}: what backward() will put into ${grad}.`;
  }
  return agree(held, due)
    ? say` The sum is ${sum}${partial}, and so is ${grad}.`
    : say` The sum is ${sum}${partial}, but ${grad} holds ${signed(held, precision)}: backward() ran more than once, or something was left from before.`;
}

// -- the panel ---------------------------------------------------------------------------------------

interface Row {
  readonly at: number;
  readonly way: string;
  /** The slopes along it, from the result on. */
  readonly factors: string;
  readonly product: Known;
  readonly sum: Known;
  readonly on: boolean;
  readonly precision: number;
}

function panel({ change }: Tools<Slice>, signal: AbortSignal): ModePanel<Slice> {
  const walk = (name: keyof typeof WALKS): void =>
    change((slice, moment) => go(name, moment, slice));
  const walker = createWalker(signal, walk, () => change((slice) => ({ ...slice, at: -1 })));
  const count = html("span", "gg-count");
  const rows = html("div", "gg-ledger", { role: "group", "aria-label": "Paths" });
  const keyed = createKeyed<Row, HTMLElement>(rows, ({ at }) => `${at}`, createRow, updateRow);
  onPress(signal, rows, "path", (at) => {
    walker.stop();
    change((slice) => ({ ...slice, at: slice.at === at ? -1 : at }));
  });
  return {
    controls: [walker.element, count],
    body: rows,
    rest: walker.stop,
    show(moment, slice) {
      const node = nodeOf(moment, slice);
      const found = ledger(moment, node);
      walker.show({ atStart: slice.at < 0, atEnd: slice.at >= found.paths.length - 1 });
      showCount(count, moment, node, found);
      keyed.show(rowsOf(moment, node, found, slice.at));
      reveal(rows, keyed.get(`${slice.at}`));
    },
  };
}

function showCount(element: HTMLElement, { structure }: Moment, node: number, found: Ledger): void {
  const root = structure.root;
  const [from, to] = [nameOf(structure, node), nameOf(structure, root)].map(short);
  const listed = BigInt(found.paths.length) < found.count;
  const many = formatCount(found.count, "path");
  text(element, `${from} → ${to}: ${many}${listed ? `, the ${found.paths.length} largest` : ""}`);
  element.title = `${found.count}`;
}

function rowsOf(moment: Moment, node: number, { paths }: Ledger, lit: number): Row[] {
  const sums = sumsOf(paths);
  return paths.map((path, at) => ({
    at,
    way: nodesOn(moment.structure, node, path)
      .map((each) => short(nameOf(moment.structure, each)))
      .join(" → "),
    factors: plainText(product(moment, path)),
    product: path.product,
    sum: sums[at] ?? null,
    on: at === lit,
    precision: moment.precision,
  }));
}

const createRow = ({ at }: Row): HTMLElement =>
  html("button", "", { type: "button", "data-path": at });

function updateRow(row: HTMLElement, item: Row, before: Row | null): void {
  className(row, classes("gg-path", item.on && "gg-on"));
  attributes(row, { "aria-current": item.on ? "true" : null });
  const same = before && before.way === item.way && before.product === item.product;
  if (same && before.sum === item.sum && before.precision === item.precision) return;
  const read = (value: Known) => readingOf(readGradient(value, item.precision));
  row.replaceChildren(
    html("span", "gg-path-number", {}, `${item.at + 1}`),
    html("span", "gg-way", { title: item.way }, item.way),
    html("span", "gg-factors", {}, `${item.factors} =`),
    html("span", "gg-product", {}, read(item.product)),
    html("span", "gg-sum", {}, "sum ", read(item.sum)),
  );
}

/** Scrolls the ledger itself, never the page. */
function reveal(rows: HTMLElement, row: HTMLElement | undefined): void {
  if (!row) return;
  const top = row.offsetTop - rows.offsetTop;
  if (top < rows.scrollTop) rows.scrollTop = top;
  const below = top + row.offsetHeight - rows.clientHeight;
  if (below > rows.scrollTop) rows.scrollTop = below;
}
