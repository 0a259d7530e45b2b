/**
 * The wire, version 1: what the kernel sends, checked once and typed from here on.
 *
 * In flows JSON from the `graph` and `numbers` traits (or from a page without a kernel); out flow
 * `Structure`, which travels once, and `Numbers`, which change.  Everything behind this file may
 * trust indices, lengths and types, because nothing that breaks them comes past it.
 *
 * Nodes are meant by their index into the columns, which is a topological order: an operand's
 * index is always smaller than its result's.  Edges are meant by their index too.  Strings are the
 * user's data and never markup.
 */

import {
  anything,
  array,
  type Check,
  check,
  column,
  columns,
  decimal,
  indexBelow,
  list,
  mismatch,
  NON_FINITE,
  nullable,
  optional,
  RESTART,
  record,
  rows,
  shape,
  shown,
  text,
  truth,
  WireError,
  whole,
} from "./checks";

export const VERSION = 1;

export type Kind = "leaf" | "parameter" | "constant" | "result" | "group";

/** A number, a variable, or a function's name followed by its arguments. */
export type Expression = number | string | readonly [string, ...Expression[]];

/** A formula: a template for people (`"1 − {out}²"`) and the tree that `rules.ts` evaluates. */
export interface Formula {
  readonly text: string;
  readonly expr: Expression;
}

/** One primitive: its symbol, its rule in words, and the formulas of its result and slopes. */
export interface Rule {
  readonly symbol: string;
  readonly says: string;
  readonly variables: readonly string[];
  readonly forward: Formula;
  /** The result in LaTeX, over `variables`. */
  readonly latex: string;
  /** The slope of the result against each operand, in the order of `variables`. */
  readonly partials: readonly Formula[];
}

export interface NodeColumns {
  /** Ids in the kernel's graph, ascending. */
  readonly id: readonly number[];
  readonly label: readonly string[];
  readonly op: readonly string[];
  readonly symbol: readonly string[];
  readonly kind: readonly Kind[];
  /** The key into `Structure.rules`, or null for a leaf and an operation we do not know. */
  readonly rule: readonly (string | null)[];
  readonly line: readonly (number | null)[];
  readonly text: readonly (string | null)[];
  /** How many operands are not drawn. */
  readonly hidden: readonly number[];
}

export interface EdgeColumns {
  /** The operand. */
  readonly source: readonly number[];
  /** The result. */
  readonly target: readonly number[];
  /** The operand's position, or null where the user's class does not tell. */
  readonly operand: readonly (number | null)[];
  /** How many uses this edge stands for. */
  readonly count: readonly number[];
}

/** Lines of source, with what they made. */
export interface Block {
  /** The number of the first line. */
  readonly first: number;
  readonly lines: readonly string[];
  /** The line that raised, or null. */
  readonly failed: number | null;
  readonly marks: readonly Mark[];
}

/** A function of another cell, of which lines ran: its heading, "layer, cell 3", and its lines. */
export interface Called extends Block {
  readonly title: string;
}

/** The cell's source beside the graph. */
export interface Code extends Block {
  readonly called?: readonly Called[] | undefined;
  /** Slopes that were measured with a nudge of `h`, per node; null where none was. */
  readonly measured?: Measured | undefined;
}

/** What a line of code made. */
export interface Mark {
  readonly line: number;
  readonly nodes: readonly number[];
  /** The same once per time that the line ran, in order, where it ran more than once. */
  readonly runs?: readonly (readonly number[])[] | undefined;
}

export interface Measured {
  readonly h: number;
  readonly slope: readonly (number | null)[];
}

/** A card that stands for many values. */
export interface Group {
  /** What the `opened` trait calls it. */
  readonly name: string;
  /** What it counts, where it has no number because several of its values are used; else "". */
  readonly says: string;
  /** How many values it stands for. */
  readonly size: number;
}

/** What is folded in a picture. */
export interface Folds {
  /** The groups that are open: name and label. */
  readonly opened: readonly [name: string, label: string][];
  /** By the index of its node. */
  readonly groups: ReadonlyMap<number, Group>;
}

/** What is built once from the columns. */
interface Views {
  /** Per node the edges from its operands, in operand order (unknown positions last). */
  readonly operandEdges: readonly (readonly number[])[];
  /** Per node the edges to its consumers, in the order in which backward uses them. */
  readonly consumerEdges: readonly (readonly number[])[];
  /** From a node's id to its index. */
  readonly indexOf: ReadonlyMap<number, number>;
}

export interface Structure extends Views {
  readonly root: number;
  readonly title: string;
  /** Values in the whole graph, also those not drawn. */
  readonly total: number;
  /** Operations in the whole graph, also those not drawn. */
  readonly operations: number;
  readonly notice: string | null;
  readonly messages: readonly string[];
  readonly nodes: NodeColumns;
  readonly edges: EdgeColumns;
  readonly rules: ReadonlyMap<string, Rule>;
  readonly code: Code | null;
  /** Only in a folded picture. */
  readonly folds?: Folds | undefined;
}

export interface Numbers {
  /** Whether backward has run. */
  readonly ran: boolean;
  /** Per node. */
  readonly data: Float64Array;
  /** Per node; null while backward has not run, which is not the same as 0 or NaN. */
  readonly grad: readonly (number | null)[];
  /** Per edge: the local slope; null where it is unknown. */
  readonly slope: readonly (number | null)[];
  /** What is unusual, where something is: sentences by node. */
  readonly notes: ReadonlyMap<number, string>;
  /** By node: the number of the cell that left a part of its gradient, where that is known. */
  readonly cells: ReadonlyMap<number, number>;
  /** The edges along which a rule does wrong. */
  readonly wrong: ReadonlyMap<number, Wrong>;
  /** By edge into a group of several outputs: the sum of what it sends along. */
  readonly flows: ReadonlyMap<number, number | null>;
}

/** What a rule does wrong along an edge: in a few words, often two numbers, and in sentences. */
export interface Wrong {
  readonly mark: string;
  readonly said: string;
}

/** Check a `graph` message and index it. */
export function parseGraph(value: unknown): Structure {
  const graph = record(value, "graph");
  checkVersion(graph);
  const nodes = nodeColumns(graph.nodes, "nodes");
  const size = nodes.id.length;
  const edges = edgeColumns(size)(graph.edges, "edges");
  const rules = new Map(
    Object.entries(record(graph.rules, "rules")).map(([name, value]) => [
      name,
      rule(value, `rules.${name}`),
    ]),
  );
  for (const [node, name] of nodes.rule.entries()) {
    if (name !== null && !rules.has(name)) {
      throw mismatch(`nodes.rule[${node}]`, "one of the rules sent along", name);
    }
  }
  const rest = shape<Omit<Structure, "nodes" | "edges" | "rules" | keyof Views>>({
    root: indexBelow(size),
    title: text,
    total: whole,
    operations: whole,
    notice: nullable(text),
    messages: list(text),
    code: nullable(code(size)),
    folds: optional(folds(size)),
  })(graph, "");
  const indexOf = new Map(nodes.id.map((id, index) => [id, index]));
  return { ...rest, nodes, edges, rules, ...adjacency(edges, size), indexOf };
}

/** Check a `numbers` message against the structure it belongs to. */
export function parseNumbers(value: unknown, structure: Structure): Numbers {
  const nodes = structure.nodes.id.length;
  const edges = structure.edges.source.length;
  const { data, notes, ...rest } = shape<NumbersMessage>({
    ran: truth,
    data: column(decimal, nodes),
    grad: column(nullable(decimal), nodes),
    slope: column(nullable(decimal), edges),
    notes: shape({
      nodes: rows(indexBelow(nodes), text),
      cells: rows(indexBelow(nodes), whole),
      edges: rows(indexBelow(edges), text, text),
      flows: optional(rows(indexBelow(edges), nullable(decimal))),
    }),
  })(record(value, "numbers"), "");
  return {
    ...rest,
    data: Float64Array.from(data),
    notes: new Map(notes.nodes),
    cells: new Map(notes.cells),
    wrong: new Map(notes.edges.map(([edge, mark, said]) => [edge, { mark, said }])),
    flows: new Map(notes.flows),
  };
}

interface NumbersMessage extends Pick<Numbers, "ran" | "grad" | "slope"> {
  readonly data: readonly number[];
  readonly notes: {
    readonly nodes: readonly [node: number, said: string][];
    readonly cells: readonly [node: number, cell: number][];
    readonly edges: readonly [edge: number, mark: string, said: string][];
    readonly flows?: readonly [edge: number, flow: number | null][] | undefined;
  };
}

const COLUMNS = ["data", "grad", "slope"] as const;

/** The traits of which a `numbers` message is put together. */
export const NUMBERS = [
  ...COLUMNS.map((name) => `sent_${name}` as const),
  "changes",
  "notes",
] as const;

/** Puts a `numbers` message together: columns as they were sent whole, and what changed since. */
export function joined(get: (name: (typeof NUMBERS)[number]) => unknown): Record<string, unknown> {
  const changes = record(get("changes"), "changes");
  const columns = COLUMNS.map((name) => {
    const whole = array(get(`sent_${name}`), name);
    if (changes[name] === undefined) return [name, whole];
    const { at, to } = record(changes[name], `changes.${name}`);
    const places = list(indexBelow(whole.length))(at, `changes.${name}.at`);
    const news = column(anything, places.length)(to, `changes.${name}.to`);
    const now = [...whole];
    for (const [which, place] of places.entries()) now[place] = news[which];
    return [name, now];
  });
  return { ...Object.fromEntries(columns), ran: changes.ran, notes: get("notes") };
}

/** The traits that say a `numbers` message. */
export const apart = ({ ran, notes, ...columns }: Record<string, unknown>) => ({
  ...Object.fromEntries(COLUMNS.map((name) => [`sent_${name}`, columns[name]])),
  changes: { ran },
  notes,
});

// -- version and neighbours -----------------------------------------------------------------------

function checkVersion(graph: Record<string, unknown>): void {
  if (graph.format !== "glassgrad") {
    throw new WireError("This is not a glassgrad graph. Show a Value with gg.show(value).");
  }
  if (graph.version !== VERSION) {
    throw new WireError(
      `This page reads version ${VERSION} of a glassgrad graph and was sent version ` +
        `${shown(graph.version)}. ${RESTART}`,
    );
  }
}

/** List the edges at each node, so that nobody has to search the columns. */
export function adjacency(
  { source, target, operand }: EdgeColumns,
  size: number,
): Pick<Structure, "operandEdges" | "consumerEdges"> {
  const operandEdges = Array.from({ length: size }, (): number[] => []);
  const consumerEdges = Array.from({ length: size }, (): number[] => []);
  const position = (edge: number): number => operand[edge] ?? Number.MAX_SAFE_INTEGER;
  for (const edge of source.keys()) {
    operandEdges[target[edge] as number]?.push(edge);
    consumerEdges[source[edge] as number]?.push(edge);
  }
  for (const edges of operandEdges) edges.sort((a, b) => position(a) - position(b));
  for (const edges of consumerEdges) {
    edges.sort(
      (a, b) => (target[b] as number) - (target[a] as number) || position(a) - position(b),
    );
  }
  return { operandEdges, consumerEdges };
}

const KINDS: ReadonlySet<unknown> = new Set<Kind>([
  "leaf",
  "parameter",
  "constant",
  "result",
  "group",
]);
const kind = check<Kind>("leaf, parameter, constant, result or group", (value) => KINDS.has(value));

// -- the parts of a graph -------------------------------------------------------------------------
// Constants, so below what they are made of.

/** The columns of the nodes; their ids ascend. */
const nodeColumns: Check<NodeColumns> = (value, where) => {
  const nodes = columns({
    id: whole,
    label: text,
    op: text,
    symbol: text,
    kind,
    rule: nullable(text),
    line: nullable(whole),
    text: nullable(text),
    hidden: whole,
  })(value, where);
  nodes.id.forEach((id, index) => {
    // The id of a group is that of its last value, so a folded picture has them in any order.
    const isFolded = nodes.kind.includes("group");
    if (index > 0 && !isFolded && id <= (nodes.id[index - 1] as number)) {
      throw mismatch(`${where}.id[${index}]`, "larger than the id before it", id);
    }
  });
  return nodes;
};

/** The columns of the edges; an operand comes before its result. */
const edgeColumns =
  (size: number): Check<EdgeColumns> =>
  (value, where) => {
    const end = indexBelow(size);
    const fields = { source: end, target: end, operand: nullable(whole), count: whole };
    const edges = columns(fields)(value, where);
    edges.source.forEach((operand, edge) => {
      if (operand >= (edges.target[edge] as number)) {
        const what = "an operand that comes before its result";
        throw mismatch(`${where}.source[${edge}]`, what, operand);
      }
    });
    return edges;
  };

const folds =
  (size: number): Check<Folds> =>
  (value, where) => {
    const opened = rows<[string, string]>(text, text);
    const groups = rows<[number, string, string, number]>(indexBelow(size), text, text, whole);
    const found = shape({ opened, groups })(value, where);
    return {
      ...found,
      groups: new Map(found.groups.map(([at, name, says, size]) => [at, { name, says, size }])),
    };
  };

const expression: Check<Expression> = (value, where) => {
  if (Array.isArray(value)) {
    const [name, ...operands] = value as unknown[];
    const checked = operands.map((operand, at) => expression(operand, `${where}[${at + 1}]`));
    return [text(name, `${where}[0]`), ...checked];
  }
  return typeof value === "string" && !NON_FINITE.has(value) ? value : decimal(value, where);
};

const rule: Check<Rule> = (value, where) => {
  const formula = shape<Formula>({ text, expr: expression });
  const found = shape<Rule>({
    symbol: text,
    says: text,
    variables: list(text),
    forward: formula,
    latex: text,
    partials: list(formula),
  })(value, where);
  column(anything, found.variables.length)(found.partials, `${where}.partials`);
  return found;
};

const code = (size: number): Check<Code> => {
  const nodes = list(indexBelow(size));
  const block = {
    first: whole,
    lines: list(text),
    failed: nullable(whole),
    marks: list(shape<Mark>({ line: whole, nodes, runs: optional(list(nodes)) })),
  };
  const slope = column(nullable(decimal), size);
  return shape<Code>({
    ...block,
    called: optional(list(shape<Called>({ title: text, ...block }))),
    measured: optional(shape<Measured>({ h: decimal, slope })),
  });
};
