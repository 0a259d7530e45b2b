/**
 * Graphs for the tests, as the wire would send them.
 *
 * In flows a short table of values; out flow the two messages.  The lessons' graphs are here, so
 * that every test speaks of the same ones.
 */

import { type Numbers, parseGraph, parseNumbers, type Structure } from "./contract";

type Expr = number | string | Expr[];
type Rule = [symbol: string, says: string, forward: [string, Expr], ...partials: [string, Expr][]];

const RULES: Record<string, Rule> = {
  add: [
    "+",
    "a sum hands its gradient to each operand unchanged",
    ["{x} + {y}", ["add", "x", "y"]],
    ["1", 1],
    ["1", 1],
  ],
  sub: [
    "−",
    "the first operand receives the gradient, the second its negative",
    ["{x} − {y}", ["sub", "x", "y"]],
    ["1", 1],
    ["−1", ["neg", 1]],
  ],
  mul: [
    "×",
    "each factor receives the other factor times the gradient",
    ["{x} · {y}", ["mul", "x", "y"]],
    ["{y}", "y"],
    ["{x}", "x"],
  ],
  tanh: [
    "tanh",
    "the gradient is multiplied by one minus the square of the result",
    ["tanh({x})", ["tanh", "x"]],
    ["1 − {out}²", ["sub", 1, ["pow", "out", 2]]],
  ],
  relu: [
    "ReLU",
    "the gradient passes where the input is positive and stops where it is not",
    ["0 if {x} ≤ 0 else {x}", ["where", ["le", "x", 0], 0, "x"]],
    ["0 if {x} ≤ 0 else 1", ["where", ["le", "x", 0], 0, 1]],
  ],
};

export interface Row {
  label: string;
  data: number;
  op?: string;
  /** A row of the table, or null for the user's own operation. */
  rule?: string | null;
  /** Labels of the operands, in order, each with the slope against it. */
  operands?: [label: string, slope: number | null][];
  kind?: string;
  hidden?: number;
}

/** The `graph` and `numbers` messages of a table of values in topological order. */
export function messages(rows: readonly Row[], overrides: Record<string, unknown> = {}) {
  const at = (label: string) => rows.findIndex((row) => row.label === label);
  const edges = rows.flatMap((row, target) =>
    (row.operands ?? []).map(([label, slope], operand) => ({
      source: at(label),
      target,
      operand,
      slope,
    })),
  );
  const used = [...new Set(rows.map((row) => row.rule ?? "").filter((name) => name in RULES))];
  const each = <T>(pick: (row: Row) => T): T[] => rows.map(pick);
  const graph = {
    format: "glassgrad",
    version: 1,
    root: rows.length - 1,
    title: rows.at(-1)?.label ?? "",
    total: rows.length,
    operations: rows.filter((row) => row.operands).length,
    notice: null,
    messages: [],
    nodes: {
      id: rows.map((_, index) => index),
      label: each((row) => row.label),
      op: each((row) => row.op ?? row.rule ?? ""),
      symbol: each((row) => RULES[row.rule ?? ""]?.[0] ?? row.op ?? ""),
      kind: each((row) => row.kind ?? (row.operands || row.hidden ? "result" : "leaf")),
      rule: each((row) => row.rule ?? null),
      line: each(() => null),
      text: each(() => null),
      hidden: each((row) => row.hidden ?? 0),
    },
    edges: {
      source: edges.map((edge) => edge.source),
      target: edges.map((edge) => edge.target),
      operand: edges.map((edge) => edge.operand),
      count: edges.map(() => 1),
    },
    rules: Object.fromEntries(used.map((name) => [name, wireRule(RULES[name] as Rule)])),
    code: null,
    ...overrides,
  };
  const numbers = {
    ran: false,
    data: each((row) => row.data),
    grad: each(() => null as number | null),
    slope: edges.map((edge) => edge.slope),
    notes: { nodes: [] as unknown[], edges: [] as unknown[], cells: [] as unknown[] },
  };
  return { graph, numbers };
}

/** Good for the few rules above. */
const latexOf = (text: string): string =>
  text
    .replace(/(\w+)\((.*)\)/, "\\operatorname{$1}\\left($2\\right)")
    .replaceAll("·", "\\cdot")
    .replace("−", "-")
    .replace(/[{]([xy])[}]/g, "$1");

function wireRule([symbol, says, [text, expr], ...partials]: Rule) {
  return {
    symbol,
    says,
    variables: ["x", "y"].slice(0, partials.length),
    forward: { text, expr },
    latex: latexOf(text),
    partials: partials.map(([template, tree]) => ({ text: template, expr: tree })),
  };
}

export function parsed(
  rows: readonly Row[],
  overrides: Record<string, unknown> = {},
): { structure: Structure; numbers: Numbers } {
  const { graph, numbers } = messages(rows, overrides);
  const structure = parseGraph(graph);
  return { structure, numbers: parseNumbers(numbers, structure) };
}

/** `c = a * b + a` at 2 and −3. */
export const EXERCISE: readonly Row[] = [
  { label: "a", data: 2 },
  { label: "b", data: -3 },
  {
    label: "a * b",
    data: -6,
    rule: "mul",
    operands: [
      ["a", -3],
      ["b", 2],
    ],
  },
  {
    label: "c",
    data: -4,
    rule: "add",
    operands: [
      ["a * b", 1],
      ["a", 1],
    ],
  },
];

/** The neuron `o = tanh(x1*w1 + x2*w2 + b)` of the lecture. */
export const NEURON: readonly Row[] = [
  { label: "x1", data: 2 },
  { label: "w1", data: -3 },
  {
    label: "x1*w1",
    data: -6,
    rule: "mul",
    operands: [
      ["x1", -3],
      ["w1", 2],
    ],
  },
  { label: "x2", data: 0 },
  { label: "w2", data: 1 },
  {
    label: "x2*w2",
    data: 0,
    rule: "mul",
    operands: [
      ["x2", 1],
      ["w2", 0],
    ],
  },
  {
    label: "x1*w1 + x2*w2",
    data: -6,
    rule: "add",
    operands: [
      ["x1*w1", 1],
      ["x2*w2", 1],
    ],
  },
  { label: "b", data: 6.8813735870195432 },
  {
    label: "n",
    data: 0.8813735870195432,
    rule: "add",
    operands: [
      ["x1*w1 + x2*w2", 1],
      ["b", 1],
    ],
  },
  { label: "o", data: 0.7071067811865477, rule: "tanh", operands: [["n", 0.5]] },
];

/** `L = (a*b + c) * f` of the lecture. */
export const LOSS: readonly Row[] = [
  { label: "a", data: 2 },
  { label: "b", data: -3 },
  {
    label: "e",
    data: -6,
    rule: "mul",
    operands: [
      ["a", -3],
      ["b", 2],
    ],
  },
  { label: "c", data: 10 },
  {
    label: "d",
    data: 4,
    rule: "add",
    operands: [
      ["e", 1],
      ["c", 1],
    ],
  },
  { label: "f", data: -2 },
  {
    label: "L",
    data: -8,
    rule: "mul",
    operands: [
      ["d", -2],
      ["f", 4],
    ],
  },
];

const blog = (() => {
  const [a, b] = [-4, 2];
  const c = a + b;
  const d = b * c;
  const c2 = 1 + c;
  const c3 = c2 + -a;
  const c4 = c + c3;
  const d2 = d * 2;
  const s = b + a;
  const t = Math.tanh(s);
  const d3 = d2 + t;
  const d4 = d + d3;
  return { a, b, c, d, c2, c3, c4, d2, s, t, d3, d4, g: c4 - d4 };
})();

/** The blog's contrived example: 13.9640, −5.0707, 1.9293. */
export const BLOG: readonly Row[] = [
  { label: "a", data: blog.a },
  { label: "b", data: blog.b },
  {
    label: "c",
    data: blog.c,
    rule: "add",
    operands: [
      ["a", 1],
      ["b", 1],
    ],
  },
  { label: "1", data: 1, kind: "constant" },
  {
    label: "c + 1",
    data: blog.c2,
    rule: "add",
    operands: [
      ["c", 1],
      ["1", 1],
    ],
  },
  { label: "-1", data: -1, kind: "constant" },
  {
    label: "-a",
    data: -blog.a,
    rule: "mul",
    operands: [
      ["a", -1],
      ["-1", blog.a],
    ],
  },
  {
    label: "c + 1 + -a",
    data: blog.c3,
    rule: "add",
    operands: [
      ["c + 1", 1],
      ["-a", 1],
    ],
  },
  {
    label: "c'",
    data: blog.c4,
    rule: "add",
    operands: [
      ["c", 1],
      ["c + 1 + -a", 1],
    ],
  },
  {
    label: "d",
    data: blog.d,
    rule: "mul",
    operands: [
      ["b", blog.c],
      ["c", blog.b],
    ],
  },
  { label: "2", data: 2, kind: "constant" },
  {
    label: "d * 2",
    data: blog.d2,
    rule: "mul",
    operands: [
      ["d", 2],
      ["2", blog.d],
    ],
  },
  {
    label: "b + a",
    data: blog.s,
    rule: "add",
    operands: [
      ["b", 1],
      ["a", 1],
    ],
  },
  { label: "tanh(b + a)", data: blog.t, rule: "tanh", operands: [["b + a", 1 - blog.t ** 2]] },
  {
    label: "d * 2 + tanh(b + a)",
    data: blog.d3,
    rule: "add",
    operands: [
      ["d * 2", 1],
      ["tanh(b + a)", 1],
    ],
  },
  {
    label: "d'",
    data: blog.d4,
    rule: "add",
    operands: [
      ["d", 1],
      ["d * 2 + tanh(b + a)", 1],
    ],
  },
  {
    label: "g",
    data: blog.g,
    rule: "sub",
    operands: [
      ["c'", 1],
      ["d'", -1],
    ],
  },
];
