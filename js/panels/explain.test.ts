import { describe, expect, it } from "vitest";
import type { Numbers } from "../contract";
import { EXERCISE, NEURON, parsed, type Row } from "../fixtures";
import { readingsAt } from "../scene/readings";
import { tapeOf } from "../tape";
import { type Explanation, explain } from "./explain";

interface When {
  step?: number;
  ran?: boolean;
  overrides?: Record<string, unknown>;
  numbers?: Partial<Numbers>;
}

function explained(rows: readonly Row[], label: string, when: When = {}): Explanation {
  const { step = -1, ran = true, overrides = {} } = when;
  const { structure, numbers: unrun } = parsed(rows, overrides);
  const tape = tapeOf(structure, unrun);
  const after = ran ? { ...unrun, ran, grad: tape.gradients } : unrun;
  const numbers: Numbers = { ...after, ...when.numbers };
  const readings = readingsAt(structure, numbers, tape, step, 4);
  const node = rows.findIndex((row) => row.label === label);
  return explain({ structure, numbers, tape, readings, step, precision: 4 }, node);
}

/** A row's lines as text, the result at their end included. */
function lines(said: Explanation, key: string): string[] | undefined {
  const row = said.rows.find((one) => one.key === key);
  return row?.lines.map(({ text, result }) => text + (result?.text ?? ""));
}

describe("explain", () => {
  it("tells rule, received and sent with names and numbers", () => {
    const said = explained(EXERCISE, "a * b");
    expect(lines(said, "rule")).toEqual(["∂(a·b)/∂a = b = −3", "∂(a·b)/∂b = a = 2"]);
    expect(lines(said, "received")).toEqual(["from c (+): 1 × 1 = 1"]);
    expect(lines(said, "sends")).toEqual([
      "a.grad += b × grad = −3 × 1 = −3",
      "b.grad += a × grad = 2 × 1 = 2",
    ]);
  });

  it("gives each contribution its sign", () => {
    const sends = explained(EXERCISE, "a * b").rows.find(({ key }) => key === "sends");
    expect(sends?.lines.map(({ result }) => result?.tone)).toEqual(["neg", "pos"]);
  });

  it("lists what a value that is used twice received from each consumer", () => {
    expect(lines(explained(EXERCISE, "a"), "received")).toEqual([
      "from c (+): 1 × 1 = 1",
      "from a * b (×): −3 × 1 = −3",
    ]);
  });

  it("starts the root at 1", () => {
    expect(lines(explained(EXERCISE, "c"), "received")).toEqual([
      "the result starts with ∂c/∂c = 1",
    ]);
  });

  it("promises before backward and claims nothing", () => {
    const said = explained(EXERCISE, "a * b", { ran: false });
    expect(said.grad?.text).toBe("not run");
    expect(lines(said, "received")).toBeUndefined();
    expect(lines(said, "sends")).toEqual([
      "a.grad += b × grad = −3 × grad",
      "b.grad += a × grad = 2 × grad",
    ]);
  });

  it("knows on the tape only what has happened", () => {
    const early = explained(EXERCISE, "a", { step: 4 });
    expect(lines(early, "received")).toEqual(["from c (+): 1 × 1 = 1"]);
    expect(lines(explained(EXERCISE, "a * b", { step: 1 }), "received")).toBeUndefined();
  });

  it("writes a rule in its result where the table does", () => {
    expect(lines(explained(NEURON, "o"), "rule")).toEqual(["∂tanh(n)/∂n = 1 − o² = 0.5"]);
    expect(lines(explained(NEURON, "o"), "sends")).toEqual([
      "n.grad += (1 − o²) × grad = 0.5 × 1 = 0.5",
    ]);
  });

  it("keeps the rule's letters where names are long", () => {
    const name = "the_learning_rate_of_the_first_layer";
    const rows: readonly Row[] = [
      { label: name, data: 2 },
      {
        label: "o",
        data: 4,
        rule: "mul",
        operands: [
          [name, 2],
          [name, 2],
        ],
      },
    ];
    const rule = lines(explained(rows, "o"), "rule") ?? [];
    expect(rule[0]).toBe("∂(x·y)/∂x = y = 2");
    expect(rule.at(-1)).toContain("with x = the_learning_rate");
  });

  it("invents no order where the class does not tell", () => {
    const edges = {
      source: [0, 1, 2, 0],
      target: [2, 2, 3, 3],
      operand: [null, null, 0, 1],
      count: [1, 1, 1, 1],
    };
    const said = explained(EXERCISE, "a * b", { overrides: { edges } });
    expect(lines(said, "rule")).toEqual(["∂(x·y)/∂x = y", "∂(x·y)/∂y = x"]);
    expect(lines(said, "sends")).toEqual(["a.grad += −3 × 1 = −3", "b.grad += 2 × 1 = 2"]);
  });

  it("tells the slopes of the user's own operation as numbers", () => {
    const rows: readonly Row[] = [
      { label: "x", data: 1 },
      { label: "y", data: 2, op: "double", operands: [["x", 2]] },
    ];
    const said = explained(rows, "y");
    expect(lines(said, "rule")).toEqual(["slope for x: 2"]);
    expect(lines(said, "sends")).toEqual(["x.grad += 2 × 1 = 2"]);
  });

  it("says when a slope is unknown", () => {
    const rows: readonly Row[] = [
      { label: "x", data: 1 },
      { label: "y", data: 2, op: "odd", operands: [["x", null]] },
    ];
    expect(lines(explained(rows, "y"), "sends")).toEqual(["x.grad += unknown"]);
  });

  it("asks nothing of constants", () => {
    const rows: readonly Row[] = [
      { label: "a", data: 3 },
      { label: "0.5", data: 0.5, kind: "constant" },
      {
        label: "c",
        data: 1.5,
        rule: "mul",
        operands: [
          ["a", 0.5],
          ["0.5", 3],
        ],
      },
    ];
    const said = explained(rows, "c");
    expect(lines(said, "sends")).toEqual(["a.grad += y × grad = 0.5 × 1 = 0.5"]);
    expect(lines(said, "rule")).toEqual(["∂(x·y)/∂x = y = 0.5", "with x = a, y = 0.5"]);
    expect(explained(rows, "0.5").grad).toBeNull();
    expect(explained(rows, "0.5").rows).toEqual([]);
  });

  it("counts consumers that would not fit", () => {
    const many: Row[] = [{ label: "x", data: 1 }];
    for (let at = 0; at < 9; at++) {
      const before = at === 0 ? "x" : `y${at - 1}`;
      many.push({
        label: `y${at}`,
        data: 1,
        rule: "add",
        operands: [
          [before, 1],
          ["x", 1],
        ],
      });
    }
    const received = lines(explained(many, "x"), "received") ?? [];
    expect(received).toHaveLength(6);
    expect(received.at(-1)).toBe("… and 5 more");
  });

  it("tells the line, the source and what is unusual", () => {
    const { structure } = parsed(EXERCISE);
    const nodes = {
      ...structure.nodes,
      line: [1, 1, 2, 2],
      text: ["a", "b", "a * b", "c = a * b + a"],
      hidden: [0, 0, 1, 0],
    };
    const notes = new Map([[2, "Its rule could not be run."]]);
    const middle = explained(EXERCISE, "a * b", { overrides: { nodes }, numbers: { notes } });
    expect(middle.place).toBe("value, line 2");
    expect(middle.notes).toEqual(["1 operand is not drawn.", "Its rule could not be run."]);
    expect(lines(explained(EXERCISE, "c", { overrides: { nodes } }), "code")).toEqual([
      "c = a * b + a",
    ]);
  });

  it("says at both ends of an edge what a rule does wrong along it", () => {
    const said = "c's rule gives a the slope 2, where it is 1.";
    const wrong = new Map([[3, { mark: "2, not 1", said }]]);
    const notes = new Map([[3, said]]);
    const at = (label: string) => explained(EXERCISE, label, { numbers: { notes, wrong } }).notes;
    expect([at("a"), at("b"), at("c")]).toEqual([[said], [], [said]]);
  });
});
