import { describe, expect, it } from "vitest";
import { EXERCISE, NEURON, parsed, type Row } from "./fixtures";
import { plainText } from "./phrases";
import { sentenceAt } from "./sentences";
import { tapeOf } from "./tape";

/** The sentences of a whole tape, forward and then backward. */
function told(rows: readonly Row[], overrides: Record<string, unknown> = {}): string[] {
  const { structure, numbers } = parsed(rows, overrides);
  const tape = tapeOf(structure, numbers);
  return Array.from({ length: 2 * rows.length }, (_, position) =>
    plainText(sentenceAt(structure, numbers, tape, position)),
  );
}

/** What backward says at one value. */
function back(rows: readonly Row[], label: string, overrides: Record<string, unknown> = {}) {
  const node = rows.findIndex((row) => row.label === label);
  return told(rows, overrides)[2 * rows.length - 1 - node];
}

describe("sentenceAt", () => {
  it("tells the exercise from end to end", () => {
    expect(told(EXERCISE)).toEqual([
      "a is an input: 2.",
      "b is an input: −3.",
      "Forward, step 1 of 2. a * b = 2 × (−3) = −6.",
      "Forward, step 2 of 2. c = a * b + a = −6 + 2 = −4.",
      "Step 1 of 2. c is the result and its own gradient is 1, so it can pass it on: a sum hands its gradient to each operand unchanged. a * b receives 1 × 1 = 1 and a receives 1 × 1 = 1.",
      "Step 2 of 2. a * b has its whole gradient (1, from c), so it can pass it on: each factor receives the other factor times that gradient. a already held 1 from c; the two contributions add: 1 + (−3) = −2. b receives 2 × 1 = 2.",
      "b is an input; its gradient is complete: 2.",
      "a is an input; its gradient is complete: −2. It came one by one: 1 from c makes 1, −3 from a * b makes −2.",
    ]);
  });

  it("is silent outside the tape", () => {
    const { structure, numbers } = parsed(EXERCISE);
    const tape = tapeOf(structure, numbers);
    expect(sentenceAt(structure, numbers, tape, -1)).toEqual([]);
    expect(sentenceAt(structure, numbers, tape, 8)).toEqual([]);
  });

  it("sets names, numbers and the step's count apart", () => {
    const { structure, numbers } = parsed(EXERCISE);
    const parts = sentenceAt(structure, numbers, tapeOf(structure, numbers), 5);
    expect(parts.slice(0, 8)).toEqual([
      { text: "Step 2 of 2.", kind: "strong" },
      { text: " ", kind: "plain" },
      { text: "a * b", kind: "name" },
      { text: " has ", kind: "plain" },
      { text: "its whole gradient", kind: "plain" },
      { text: " (", kind: "plain" },
      { text: "1", kind: "number", sign: 1 },
      { text: ", from ", kind: "plain" },
    ]);
    expect(parts).toContainEqual({ text: "−2", kind: "number", sign: -1 });
  });

  it("names the formula of a value with a name of its own", () => {
    expect(told(NEURON)[9]).toBe("Forward, step 5 of 5. o = tanh(n) = tanh(0.8814) = 0.7071.");
    expect(told(NEURON)[2]).toBe("Forward, step 1 of 5. x1*w1 = 2 × (−3) = −6.");
    expect(back(NEURON, "o")).toBe(
      "Step 1 of 5. o is the result and its own gradient is 1, so it can pass it on: that gradient is multiplied by one minus the square of the result. n receives 0.5 × 1 = 0.5.",
    );
  });

  it("keeps to the precision that was asked for", () => {
    const { structure, numbers } = parsed(NEURON);
    const parts = sentenceAt(structure, numbers, tapeOf(structure, numbers), 9, 2);
    expect(plainText(parts)).toBe("Forward, step 5 of 5. o = tanh(n) = tanh(0.88) = 0.71.");
  });

  it("counts both uses in one operation", () => {
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
      {
        label: "b",
        data: 18,
        rule: "add",
        operands: [
          ["a * a", 1],
          ["a * a", 1],
        ],
      },
      {
        label: "c",
        data: 21,
        rule: "add",
        operands: [
          ["b", 1],
          ["a", 1],
        ],
      },
    ];
    expect(back(square, "b")).toContain("a * a is used twice here and both uses count: 1 + 1 = 2.");
    expect(back(square, "a * a")).toContain(
      "a * a has its whole gradient (2: 1 from b makes 1, 1 from b makes 2)",
    );
    expect(back(square, "a * a")).toContain(
      "a already held 1 from c and is used twice here; the three contributions add: 1 + 6 + 6 = 13.",
    );
  });

  it("lists what arrived from several values", () => {
    const rows: Row[] = [
      { label: "a", data: 1 },
      {
        label: "b",
        data: 2,
        rule: "add",
        operands: [
          ["a", 1],
          ["a", 1],
        ],
      },
      {
        label: "s",
        data: 4,
        rule: "add",
        operands: [
          ["b", 1],
          ["b", 1],
        ],
      },
      {
        label: "t",
        data: 6,
        rule: "add",
        operands: [
          ["b", 1],
          ["s", 1],
        ],
      },
    ];
    expect(back(rows, "b")).toContain(
      "b has its whole gradient (3: 1 from t makes 1, 1 from s makes 2, 1 from s makes 3)",
    );
    expect(back(rows, "s")).toContain(
      "b already held 1 from t and is used twice here; the three contributions add: 1 + 1 + 1 = 3.",
    );
  });

  it("shortens what a value used many times received", () => {
    const rows: Row[] = [
      { label: "x", data: 1 },
      { label: "s0", data: 1 },
    ];
    for (let i = 1; i <= 6; i++) {
      rows.push({
        label: `s${i}`,
        data: i,
        rule: "add",
        operands: [
          [`s${i - 1}`, 1],
          ["x", 1],
        ],
      });
    }
    expect(back(rows, "s1")).toContain(
      "x already held 5 from s6, s5, s4 and 2 more; the 6 contributions add: 1 + 1 + … + 1 = 6.",
    );
  });

  it("says what the user's own rule sends", () => {
    const rows: Row[] = [
      { label: "a", data: 2 },
      { label: "b", data: -3 },
      {
        label: "t",
        data: 5,
        rule: null,
        op: "myop",
        operands: [
          ["a", -3],
          ["b", 2],
        ],
      },
    ];
    expect(told(rows)[2]).toBe(
      "Forward, step 1 of 1. t is computed by myop from a (2) and b (−3): 5.",
    );
    expect(back(rows, "t")).toBe(
      "Step 1 of 1. t is the result and its own gradient is 1, so it can pass it on: its own rule (written in the class) sends −3 × 1 = −3 to a and 2 × 1 = 2 to b.",
    );
  });

  it("says what is unknown, and why", () => {
    const rows: Row[] = [
      { label: "a", data: 2 },
      { label: "t", data: 5, rule: null, op: "myop", operands: [["a", null]] },
      { label: "u", data: 5, rule: null, op: "myop", operands: [["t", null]] },
    ];
    expect(back(rows, "u")).toContain(
      "its own rule (written in the class) could not be read, so what it sends is unknown.",
    );
    expect(back(rows, "t")).toBe(
      "Step 2 of 2. The gradient of t is unknown, because a rule after it could not be read; so what it passes on is unknown too.",
    );
    expect(back(rows, "a")).toBe(
      "a is an input; its gradient is unknown, because a rule on the way to it could not be read.",
    );
  });

  it("claims nothing about what is not drawn", () => {
    const rows: Row[] = [
      { label: "h", data: 2, op: "*", hidden: 2 },
      { label: "b", data: 1, op: "+", hidden: 1 },
      {
        label: "c",
        data: 3,
        rule: "add",
        operands: [
          ["h", 1],
          ["b", 1],
        ],
      },
    ];
    const total = { total: 5000 };
    expect(told(rows, total)[0]).toBe(
      "Forward, step 1 of 3. h is computed by * from 2 operands not drawn: 2.",
    );
    expect(back(rows, "h", total)).toBe(
      "Step 3 of 3. h has its gradient from what is drawn (1, from c); its 2 operands are not drawn.",
    );
  });

  it("speaks of parameters and constants by what they are", () => {
    const rows: Row[] = [
      { label: "w", data: 2, kind: "parameter" },
      { label: "3", data: 3, kind: "constant" },
      {
        label: "w * 3",
        data: 6,
        rule: "mul",
        operands: [
          ["w", 3],
          ["3", 2],
        ],
      },
    ];
    expect(told(rows)[0]).toBe("w is a parameter: 2.");
    expect(back(rows, "3")).toBe("3 is a constant; its gradient is complete: 2.");
  });

  it("takes a graph of one value", () => {
    expect(told([{ label: "a", data: 2 }])).toEqual([
      "a is an input: 2.",
      "a is the result and an input at once; its gradient with respect to itself is 1.",
    ]);
  });

  it("keeps a hostile label as text", () => {
    const label = "<img src=x onerror=alert(1)>";
    expect(told([{ label, data: 2 }])[0]).toBe(`${label} is an input: 2.`);
  });
});
