/// <reference types="vite/client" />
import { describe, expect, it } from "vitest";
import copies from "../tests/data/copies.json";
import { parseGraph, parseNumbers } from "./contract";
import { FORMATS, identifiers } from "./copy";
import { EXERCISE, parsed, type Row } from "./fixtures";

const copied = (format: keyof typeof FORMATS, rows: readonly Row[], last?: number): string => {
  const { structure, numbers } = parsed(rows);
  if (last !== undefined) numbers.data[rows.length - 1] = last;
  return FORMATS[format](structure, numbers);
};

const HOSTILE: readonly Row[] = [
  { label: '"]; click n0 "javascript:alert(1)" <b>', data: 2 },
  { label: "-0.5", data: -0.5, kind: "constant" },
  {
    label: "\\input{secret} $x$ %",
    data: -1,
    rule: "mul",
    operands: [
      ["-0.5", 2],
      ['"]; click n0 "javascript:alert(1)" <b>', -0.5],
    ],
  },
  {
    label: "lambda",
    data: -1,
    rule: "tanh",
    operands: [["\\input{secret} $x$ %", 1]],
  },
];

describe("names in a copy", () => {
  it("are the user's where they are identifiers, and each its own", () => {
    const rows: Row[] = ["a", "a", "v4", "class", "a b"].map((label) => ({ label, data: 1 }));
    const { structure } = parsed(rows);
    expect(identifiers(structure)).toEqual(["a", "v1", "v4", "v3", "v4_"]);
  });
});

describe("Python", () => {
  it("is the computation, ready to run", () => {
    expect(copied("Python", EXERCISE)).toBe(
      "from glassgrad import Value\n\na = Value(2.0)\nb = Value(-3.0)\nv2 = a * b\nc = v2 + a\nc.backward()\n",
    );
  });

  it("writes constants in place and nothing of a hostile name", () => {
    expect(copied("Python", HOSTILE)).toBe(
      "from glassgrad import Value\n\nv0 = Value(2.0)\nv2 = (-0.5) * v0\nv3 = v2.tanh()\nv3.backward()\n",
    );
  });

  it("says where an operation is the user's own, and imports what it needs", () => {
    const own: Row[] = [
      { label: "a", data: 2 },
      { label: "b", data: 1, op: "mine", operands: [["a", 1]] },
      { label: "c", data: 1, op: "mine", operands: [["b", 1]] },
    ];
    const text = copied("Python", own, Number.NaN);
    expect(text).toContain("import math");
    expect(text).toContain("c = Value(math.nan)");
    expect(text).toContain("b = Value(1.0)  # made by an operation of your own");
  });
});

// The same graphs, written by Python: tests/wire/regenerate.py.
const wires = import.meta.glob<{ graph: unknown; numbers: unknown }>("../tests/wire/*.json", {
  eager: true,
  import: "default",
});

describe.each(Object.entries(copies))("a copy of %s", (name, texts) => {
  it.each(["LaTeX", "Mermaid"] as const)("is the %s that Python writes", (format) => {
    const wire = wires[`../tests/wire/${name}.json`];
    const structure = parseGraph(wire?.graph);
    const numbers = parseNumbers(wire?.numbers, structure);
    expect(FORMATS[format](structure, numbers).split("\n")).toEqual(texts[format]);
  });
});

describe("LaTeX", () => {
  it("is one equation per value", () => {
    expect(copied("LaTeX", EXERCISE)).toBe(
      "\\begin{align*}\na &= 2 \\\\\nb &= -3 \\\\\nv_{2} &= a \\cdot b = -6 \\\\\nc &= v_{2} + a = -4\n\\end{align*}\n",
    );
  });

  it("writes nothing of a hostile name", () => {
    const text = copied("LaTeX", HOSTILE, Number.POSITIVE_INFINITY);
    expect(text).not.toMatch(/secret|[$%]/);
    expect(text).toContain("v_{3} &= \\operatorname{tanh}\\left(v_{2}\\right) = \\infty");
  });

  it("does not invent an order of operands", () => {
    const rows: Row[] = [
      { label: "a", data: 5 },
      { label: "b", data: 3 },
      {
        label: "c",
        data: -2,
        rule: "sub",
        operands: [
          ["a", 1],
          ["b", -1],
        ],
      },
    ];
    const { structure, numbers } = parsed(rows);
    const edges = { ...structure.edges, operand: [null, null] };
    for (const format of ["Python", "LaTeX"] as const)
      expect(FORMATS[format]({ ...structure, edges }, numbers)).not.toMatch(/a - b/);
    expect(FORMATS.LaTeX(structure, numbers)).toContain("a - b");
  });

  it("sets powers of ten and words upright", () => {
    const text = copied("LaTeX", [{ label: "loss_a", data: -1.5e-9 }]);
    expect(text).toContain("\\mathrm{loss\\_a} &= -1.5 \\cdot 10^{-9}");
  });

  it("keeps names apart that differ by a line", () => {
    const text = copied("LaTeX", [
      { label: "x1", data: 2 },
      { label: "x_1", data: 3 },
    ]);
    expect(text).toContain("x_{1} &= 2");
    expect(text).toContain("\\mathrm{x\\_1} &= 3");
    expect(copied("LaTeX", [{ label: "x_1", data: 3 }])).toContain("x_{1} &= 3");
  });
});

describe("Mermaid", () => {
  it("draws values and arrows", () => {
    const text = copied("Mermaid", EXERCISE);
    expect(text).toContain('flowchart LR\n  n0["a<br/>data 2"]');
    expect(text).toContain('n2["#215; → a #42; b<br/>data #45;6"]');
    expect(text).toContain("  n2 --> n3");
  });

  it("keeps user text inside its quotes", () => {
    for (const line of copied("Mermaid", HOSTILE).split("\n").slice(1, 5)) {
      expect(line).toMatch(/^ {2}n\d+\["[\p{L}\p{N} #;→]*<br\/>data [\p{L}\p{N}#;]*"\]$/u);
    }
  });
});
