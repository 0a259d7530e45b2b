/// <reference types="vite/client" />
// The golden files that the kernel's side writes: what it sends today, read by the front end.
import { describe, expect, it } from "vitest";
import { type Numbers, parseGraph, parseNumbers, type Structure } from "./contract";
import { layout } from "./layout/layered";
import { plainText } from "./phrases";
import { evaluate } from "./rules";
import { sentenceAt } from "./sentences";
import { tapeOf } from "./tape";

const files = import.meta.glob<{ graph: unknown; numbers: unknown }>("../tests/wire/*.json", {
  eager: true,
  import: "default",
});
const golden = Object.entries(files).map(([path, wire]) => {
  const structure = parseGraph(wire.graph);
  const name = path.replace(/^.*\/|\.json$/g, "");
  return { name, structure, numbers: parseNumbers(wire.numbers, structure) };
});
const named = (wanted: string) => {
  const found = golden.find(({ name }) => name === wanted);
  if (!found) throw new Error(`tests/wire has no ${wanted}.json`);
  return found;
};

/** Equal up to rounding; nan equals nan. */
function expectClose(actual: number, expected: number, what: string): void {
  const close = Math.abs(actual - expected) <= 1e-12 * Math.max(1, Math.abs(expected));
  expect(
    close || Object.is(actual, expected) || actual === expected,
    `${what}: ${actual}, not ${expected}`,
  ).toBe(true);
}

/** The numbers that a node's rule is evaluated with; null where it has none or lacks an operand. */
function environment(
  { nodes, edges, operandEdges, rules }: Structure,
  { data }: Numbers,
  node: number,
) {
  const rule = rules.get(nodes.rule[node] ?? "");
  const drawn = operandEdges[node] ?? [];
  if (!rule || drawn.length !== rule.variables.length) return null;
  const operands = drawn.map((edge) => data[edges.source[edge] as number] as number);
  const variables = Object.fromEntries(
    rule.variables.map((name, at) => [name, operands[at] as number]),
  );
  return { rule, drawn, env: { ...variables, out: data[node] as number } };
}

it("finds the golden files", () => {
  expect(golden.map(({ name }) => name)).toEqual(
    expect.arrayContaining([
      "exercise",
      "exercise-not-run",
      "folded",
      "foreign",
      "hostile-labels",
      "neuron",
      "nonfinite",
      "truncated",
    ]),
  );
});

it("reads the lines of functions that stand in other cells", () => {
  const { code } = named("called").structure;
  expect(code?.called?.map(({ title, first }) => [title, first])).toEqual([["layer, cell 1", 5]]);
});

describe.each(golden)("$name.json", ({ structure, numbers }) => {
  const { nodes, edges } = structure;

  it("evaluates to the values and slopes that the kernel computed", () => {
    for (const node of nodes.id.keys()) {
      const found = environment(structure, numbers, node);
      if (!found) continue;
      const { rule, drawn, env } = found;
      expectClose(evaluate(rule.forward.expr, env), env.out, `${nodes.label[node]}`);
      for (const [at, edge] of drawn.entries()) {
        const slope = evaluate(rule.partials[at]?.expr ?? Number.NaN, env);
        expectClose(
          slope,
          numbers.slope[edge] ?? Number.NaN,
          `slope ${at} of ${nodes.label[node]}`,
        );
      }
    }
  });

  it("can be laid out and told", () => {
    const sizes = nodes.id.map(() => ({ width: 120, height: 56 }));
    const pairs = edges.source.map((source, edge) => ({
      source,
      target: edges.target[edge] as number,
    }));
    const placed = layout({ sizes, edges: pairs });
    expect(placed.nodes.every(({ x, y }) => Number.isFinite(x + y))).toBe(true);
    const tape = tapeOf(structure, numbers);
    for (let step = 0; step < 2 * nodes.id.length; step++) {
      const sentence = plainText(sentenceAt(structure, numbers, tape, step));
      expect(sentence).toMatch(/\.$/);
      expect(sentence).not.toMatch(/undefined|NaN|Infinity|\[object/);
    }
  });
});

// A learner's own class may be wrong, and its numbers are shown as they are; so only our graphs.
const ours = golden.filter(
  ({ name, structure, numbers }) =>
    name !== "foreign" && numbers.ran && structure.total === structure.nodes.id.length,
);

it.each(ours)(
  "the tape of $name.json ends in the gradients of the kernel",
  ({ structure, numbers }) => {
    for (const [node, gradient] of tapeOf(structure, numbers).gradients.entries()) {
      const label = `${structure.nodes.label[node]}`;
      expectClose(gradient ?? Number.NaN, numbers.grad[node] ?? Number.NaN, label);
    }
  },
);

it("keeps what has not run apart from zero", () => {
  const { numbers } = named("exercise-not-run");
  expect(numbers.ran).toBe(false);
  expect(numbers.grad).toEqual([null, null, null, null]);
});

it("reads the exercise", () => {
  const { structure, numbers } = named("exercise");
  expect(structure.nodes.label).toEqual(["a", "b", "a * b", "c"]);
  expect([...numbers.data]).toEqual([2, -3, -6, -4]);
  expect(numbers.grad).toEqual([-2, 2, 1, 1]);
});

it("keeps hostile labels as they were written", () => {
  const { structure } = named("hostile-labels");
  expect(structure.nodes.label).toContain("<img src=x onerror=alert(1)>");
});

it("reads at which edges a rule does wrong", () => {
  const { structure, numbers } = named("foreign");
  const edges = [...numbers.wrong].map(([edge, { mark }]) => {
    const [source, target] = [structure.edges.source[edge], structure.edges.target[edge]];
    return [source, target, mark];
  });
  expect(edges).toEqual([[2, 3, "replaces"]]);
  expect(numbers.notes.get(3)).toBe([...numbers.wrong.values()][0]?.said);
});

it("decodes what is not finite", () => {
  const { numbers } = named("nonfinite");
  expect([...numbers.data]).toContain(Number.NEGATIVE_INFINITY);
  expect([...numbers.data]).toContainEqual(Number.NaN);
  expect(numbers.slope).toContain(Number.POSITIVE_INFINITY);
});

it("says that a part is not drawn", () => {
  const { structure, numbers } = named("truncated");
  expect(structure.notice).toMatch(/^[\d,]+ values; showing the [\d,]+ nearest \S+\.$/);
  expect(tapeOf(structure, numbers).complete).toBe(false);
});
