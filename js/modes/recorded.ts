/**
 * Graphs for tests, computed by their own rules.
 *
 * In flow leaves and applications, in the order of a program; out flows the moment that a mode looks
 * at, after backward.  Data and slopes come from the rules as they travel on the wire.
 */

import { encoded } from "../checks";
import { type Expression, parseGraph, parseNumbers } from "../contract";
import { evaluate } from "../rules";
import { readingsAt } from "../scene/readings";
import { tapeOf } from "../tape";
import type { Moment } from "./mode";

type Row = readonly [symbol: string, forward: Expression, ...partials: Expression[]];

const ROWS: Readonly<Record<string, Row>> = {
  add: ["+", ["add", "x", "y"], 1, 1],
  sub: ["−", ["sub", "x", "y"], 1, -1],
  mul: ["×", ["mul", "x", "y"], "y", "x"],
  div: ["÷", ["div", "x", "y"], ["div", 1, "y"], ["neg", ["div", "out", "y"]]],
  tanh: ["tanh", ["tanh", "x"], ["sub", 1, ["pow", "out", 2]]],
  sigmoid: ["σ", ["sigmoid", "x"], ["mul", "out", ["sub", 1, "out"]]],
  relu: ["ReLU", ["where", ["le", "x", 0], 0, "x"], ["where", ["le", "x", 0], 0, 1]],
  exp: ["eˣ", ["exp", "x"], "out"],
  log: ["log", ["log", "x"], ["div", 1, "x"]],
  sqrt: ["√", ["sqrt", "x"], ["div", 1, ["mul", 2, "out"]]],
  "pow 3": ["x³", ["pow", "x", 3], ["mul", 3, ["pow", "x", 2]]],
  sign: ["sign", ["sign", "x"], 0],
};

interface Entry {
  readonly label: string;
  readonly data: number;
  readonly rule: string | null;
  readonly operands: readonly number[];
  readonly slopes: readonly (number | null)[];
  readonly kind: string;
}

/** A program in the making; every method answers the index of the new value. */
export class Program {
  readonly entries: Entry[] = [];

  #put(entry: Entry): number {
    return this.entries.push(entry) - 1;
  }

  leaf(label: string, data: number, kind = "leaf"): number {
    return this.#put({ label, data, rule: null, operands: [], slopes: [], kind });
  }

  of(label: string, rule: string, ...operands: number[]): number {
    const [, forward, ...partials] = ROWS[rule] as Row;
    const [x = Number.NaN, y = Number.NaN] = operands.map((at) => this.entries[at]?.data ?? 0);
    const data = evaluate(forward, { x, y });
    const slopes = partials.map((partial) => evaluate(partial, { x, y, out: data }));
    return this.#put({ label, data, rule, operands, slopes, kind: "result" });
  }

  /** An operation whose rule nobody here knows. */
  odd(label: string, operand: number, data: number, slope: number | null): number {
    return this.#put({
      label,
      data,
      rule: null,
      operands: [operand],
      slopes: [slope],
      kind: "result",
    });
  }
}

/** What a test may say otherwise than the program does. */
export interface Otherwise {
  /** By label: other data, as after an input was changed. */
  readonly data?: Readonly<Record<string, number>>;
  /** By label: what stands in `grad`; the others hold what one backward() leaves. */
  readonly grad?: Readonly<Record<string, number>>;
  readonly note?: Readonly<Record<string, string>>;
  /** Whether the class tells the order of operands. */
  readonly ordered?: boolean;
  readonly ran?: boolean;
  /** By label: how many operands are not drawn. */
  readonly hidden?: Readonly<Record<string, number>>;
}

const wireRule = ([symbol, forward, ...partials]: Row) => ({
  symbol,
  says: `the rule of ${symbol}`,
  variables: ["x", "y"].slice(0, partials.length),
  forward: { text: partials.length > 1 ? `{x} ${symbol} {y}` : `${symbol}({x})`, expr: forward },
  latex: "",
  partials: partials.map((expr) => ({ text: "{x}", expr })),
});

/** The moment of a program whose last value is the root. */
export function recorded(write: (program: Program) => unknown, otherwise: Otherwise = {}): Moment {
  const program = new Program();
  write(program);
  const { entries } = program;
  const each = <T>(pick: (entry: Entry) => T): T[] => entries.map(pick);
  const used = [...new Set(each(({ rule }) => rule))].filter((rule) => rule !== null);
  const edges = entries.flatMap(({ operands, slopes }, target) =>
    operands.map((source, at) => ({ source, target, at, slope: slopes[at] ?? null })),
  );
  const structure = parseGraph({
    format: "glassgrad",
    version: 1,
    root: entries.length - 1,
    title: entries.at(-1)?.label ?? "",
    total: entries.length + Object.keys(otherwise.hidden ?? {}).length,
    operations: entries.filter(({ operands }) => operands.length > 0).length,
    notice: null,
    messages: [],
    nodes: {
      id: entries.map((_, at) => at),
      label: each(({ label }) => label),
      op: each(({ rule, operands }) => rule ?? (operands.length > 0 ? "odd" : "")),
      symbol: each(({ rule }) => (rule === null ? "" : (ROWS[rule]?.[0] ?? ""))),
      kind: each(({ kind }) => kind),
      rule: each(({ rule }) => rule),
      line: each(() => null),
      text: each(() => null),
      hidden: each(({ label }) => otherwise.hidden?.[label] ?? 0),
    },
    edges: {
      source: edges.map(({ source }) => source),
      target: edges.map(({ target }) => target),
      operand: edges.map(({ at }) => (otherwise.ordered === false ? null : at)),
      count: edges.map(() => 1),
    },
    rules: Object.fromEntries(used.map((rule) => [rule, wireRule(ROWS[rule] as Row)])),
    code: null,
  });
  const unrun = parseNumbers(
    {
      ran: otherwise.ran ?? true,
      data: each(({ label, data }) => encoded(otherwise.data?.[label] ?? data)),
      grad: each(() => null),
      slope: edges.map(({ slope }) => encoded(slope)),
      notes: {
        nodes: Object.entries(otherwise.note ?? {}).map(([label, said]) => [
          entries.findIndex((entry) => entry.label === label),
          said,
        ]),
        edges: [],
        cells: [],
      },
    },
    structure,
  );
  const tape = tapeOf(structure, unrun);
  const held = (at: number): number | null =>
    otherwise.grad?.[entries[at]?.label ?? ""] ?? tape.gradients[at] ?? null;
  const numbers = unrun.ran ? { ...unrun, grad: entries.map((_, at) => held(at)) } : unrun;
  const readings = readingsAt(structure, numbers, tape, -1, 4);
  return { structure, numbers, tape, readings, pinned: -1, precision: 4, nudged: {} };
}

/** The index of a value by its label. */
export const at = ({ structure }: Moment, label: string): number =>
  structure.nodes.label.indexOf(label);
