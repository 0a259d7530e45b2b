import { describe, expect, it } from "vitest";
import { BLOG, EXERCISE, LOSS, NEURON, parsed, type Row } from "./fixtures";
import { agree, flowOf, heldAt, plus, stepAt, tapeOf, times } from "./tape";

function tape(rows: readonly Row[]) {
  const { structure, numbers } = parsed(rows);
  return tapeOf(structure, numbers);
}

function gradients(rows: readonly Row[]): Record<string, number | null> {
  const found = tape(rows).gradients;
  return Object.fromEntries(rows.map(({ label }, node) => [label, found[node] ?? null]));
}

describe("tapeOf", () => {
  it("walks c = a * b + a as the exercise does", () => {
    const { backward, forward } = tape(EXERCISE);
    const labels = (nodes: { node: number }[]) => nodes.map(({ node }) => EXERCISE[node]?.label);
    expect(labels([...forward])).toEqual(["a", "b", "a * b", "c"]);
    expect(labels([...backward])).toEqual(["c", "a * b", "b", "a"]);
    expect(gradients(EXERCISE)).toEqual({ a: -2, b: 2, "a * b": 1, c: 1 });
  });

  it("keeps each contribution with the running total", () => {
    expect(tape(EXERCISE).backward[1]?.contributions).toEqual([
      {
        edge: 0,
        from: 2,
        operand: 0,
        position: 0,
        slope: -3,
        amount: -3,
        earlier: 1,
        before: 1,
        total: -2,
      },
      {
        edge: 1,
        from: 2,
        operand: 1,
        position: 1,
        slope: 2,
        amount: 2,
        earlier: 0,
        before: 0,
        total: 2,
      },
    ]);
  });

  it("gives the lecture's gradients", () => {
    expect(gradients(LOSS)).toEqual({ a: 6, b: -4, c: -2, d: -2, e: -2, f: 4, L: 1 });
    expect(gradients(NEURON)).toMatchObject({ x1: -1.5, w1: 1, x2: 0.5, w2: 0 });
  });

  it("gives the blog's gradients", () => {
    expect(BLOG.at(-1)?.data).toBeCloseTo(13.964, 4);
    expect(gradients(BLOG).a).toBeCloseTo(-5.0707, 4);
    expect(gradients(BLOG).b).toBeCloseTo(1.9293, 4);
  });

  it("adds both uses of a * a", () => {
    const square: Row[] = [
      { label: "a", data: 3 },
      {
        label: "a * a",
        data: 9,
        rule: "mul",
        operands: [
          ["a", 3],
          ["a", 3],
        ],
      },
    ];
    expect(gradients(square).a).toBe(6);
    expect(
      tape(square).received[0]?.map(({ earlier, before, total }) => [earlier, before, total]),
    ).toEqual([
      [0, 0, 3],
      [1, 3, 6],
    ]);
  });

  it("lets an unknown slope stay unknown, behind it too", () => {
    const rows: Row[] = [
      { label: "a", data: 1 },
      { label: "b", data: 1 },
      { label: "f", data: 1, rule: null, op: "f", operands: [["a", null]] },
      {
        label: "g",
        data: 1,
        rule: "add",
        operands: [
          ["f", 1],
          ["b", 1],
        ],
      },
      {
        label: "h",
        data: 1,
        rule: "add",
        operands: [
          ["g", 1],
          ["a", 1],
        ],
      },
    ];
    expect(gradients(rows)).toEqual({ a: null, b: 1, f: 1, g: 1, h: 1 });
  });

  it("keeps nan and infinity as numbers", () => {
    const { structure, numbers } = parsed(EXERCISE);
    const slope = [Number.POSITIVE_INFINITY, Number.NaN, 0, 1];
    expect(tapeOf(structure, { ...numbers, slope }).gradients).toEqual([
      Number.NaN,
      Number.NaN,
      0,
      1,
    ]);
    const steep = [Number.POSITIVE_INFINITY, 0, 1, 1];
    expect(tapeOf(structure, { ...numbers, slope: steep }).gradients[0]).toBe(
      Number.POSITIVE_INFINITY,
    );
  });

  it("knows when a part of the graph is not drawn", () => {
    const { structure, numbers } = parsed(EXERCISE, { total: 5000 });
    expect(tapeOf(structure, numbers).complete).toBe(false);
    expect(tape(EXERCISE).complete).toBe(true);
  });

  it("takes a single value", () => {
    const only = tape([{ label: "a", data: 1 }]);
    expect(only.backward).toEqual([{ node: 0, gradient: 1, contributions: [] }]);
  });
});

describe("positions on the tape", () => {
  it("count forward, then backward", () => {
    const exercise = tape(EXERCISE);
    expect(stepAt(exercise, -1)).toBeNull();
    expect(stepAt(exercise, 3)).toMatchObject({ pass: "forward", index: 3, node: 3 });
    expect(stepAt(exercise, 4)).toMatchObject({ pass: "backward", index: 0, node: 3, gradient: 1 });
    expect(stepAt(exercise, 7)).toMatchObject({
      pass: "backward",
      index: 3,
      node: 0,
      gradient: -2,
    });
    expect(stepAt(exercise, 8)).toBeNull();
  });

  it("tell what each value holds by then", () => {
    const exercise = tape(EXERCISE);
    const nothing = [undefined, undefined, undefined, undefined];
    expect(heldAt(exercise, -1)).toEqual(nothing);
    expect(heldAt(exercise, 3)).toEqual(nothing);
    expect(heldAt(exercise, 4)).toEqual([1, undefined, 1, 1]);
    expect(heldAt(exercise, 5)).toEqual([-2, 2, 1, 1]);
    expect(heldAt(exercise, 7)).toEqual([-2, 2, 1, 1]);
  });
});

describe("flowOf", () => {
  it("is slope × gradient once backward has run", () => {
    const { structure, numbers } = parsed(EXERCISE);
    expect(flowOf(structure, numbers, 0)).toBeNull();
    const ran = { ...numbers, ran: true, grad: [-2, 2, 1, 1] };
    expect([0, 1, 2, 3].map((edge) => flowOf(structure, ran, edge))).toEqual([-3, 2, 1, 1]);
  });
});

describe("what may be unknown", () => {
  it("makes sums and products unknown, and contradicts nothing", () => {
    expect([plus(2, 3), plus(2, null), plus(undefined, 3)]).toEqual([5, null, null]);
    expect([times(2, 3), times(null, 3), times(0, undefined)]).toEqual([6, null, null]);
    expect([agree(null, 1), agree(1, undefined), agree(Number.NaN, Number.NaN)]).toEqual([
      true,
      true,
      true,
    ]);
  });

  it("agrees but for rounding", () => {
    expect([agree(0.1 + 0.2, 0.3), agree(1e20, 1e20 + 1e6)]).toEqual([true, true]);
    expect([agree(1, 1.001), agree(Number.NaN, 1), agree(-Infinity, Infinity)]).toEqual([
      false,
      false,
      false,
    ]);
  });
});
