import { describe, expect, it } from "vitest";
import { EXERCISE, parsed } from "./fixtures";
import { FUNCTIONS } from "./real";
import { application, evaluate, fill, inNumbers, inSymbols, product } from "./rules";

const INF = Number.POSITIVE_INFINITY;
const NAN = Number.NaN;

describe("evaluate", () => {
  it("walks the tree", () => {
    expect(evaluate(["sub", 1, ["pow", "out", 2]], { out: 0.5 })).toBe(0.75);
  });

  it.each<[string, number[], number]>([
    ["log", [0], -INF],
    ["log", [-1], NAN],
    ["log1p", [-1], -INF],
    ["log1p", [1e-20], 1e-20],
    ["sqrt", [-1], NAN],
    ["div", [1, 0], INF],
    ["div", [1, -0], -INF],
    ["div", [0, 0], NAN],
    ["pow", [0, 0], 1],
    ["pow", [-8, 1 / 3], NAN],
    ["pow", [0, -1], INF],
    ["pow", [-0, -1], -INF],
    ["pow", [1, NAN], 1],
    ["pow", [1, INF], 1],
    ["pow", [-1, INF], 1],
    ["pow", [NAN, 0], 1],
    ["exp", [1000], INF],
    ["sigmoid", [-1000], 0],
    ["sigmoid", [0], 0.5],
    ["sigmoid", [1000], 1],
    ["sigmoid", [NAN], NAN],
    ["tanh", [400], 1],
    ["sign", [NAN], 0],
    ["sign", [-3], -1],
    ["atanh", [1], INF],
    ["atanh", [2], NAN],
    ["sinh", [-1000], -INF],
    ["maximum", [NAN, 1], NAN],
    ["minimum", [1, NAN], NAN],
    ["mul", [0, INF], NAN],
    ["gt", [NAN, 0], 0],
    ["le", [0, 0], 1],
    ["eq", [NAN, NAN], 0],
    ["and", [1, 0], 0],
    ["where", [0, 1, 2], 2],
    ["where", [NAN, 1, 2], 1],
    ["hypot", [3, 4], 5],
    ["erf", [INF], 1],
    ["erf", [NAN], NAN],
  ])("%s of %j is %d", (name, operands, value) => {
    expect(evaluate([name, ...operands], {})).toBe(value);
  });

  // Digits from the tables of Abramowitz and Stegun, 7.1, and their continuation.
  it.each([
    [0, 0],
    [1e-10, 1.1283791670955126e-10],
    [0.5, 0.5204998778130465],
    [-1, -0.8427007929497149],
    [2.4, 0.9993114861033549],
    [2.6, 0.9997639655834707],
    [4, 0.9999999845827421],
    [-7, -1],
  ])("erf(%d) is exact to double precision", (x, value) => {
    const error = Math.abs(evaluate(["erf", x], {}) - value);
    expect(error).toBeLessThanOrEqual(4e-16 * Math.abs(value));
  });

  it("says what is missing", () => {
    expect(() => evaluate(["mul", "x", "y"], { x: 1 })).toThrow("The rule needs a value for y.");
    expect(() => evaluate(["constructor", 1], {})).toThrow("The rule uses constructor");
    expect(() => evaluate("toString", {})).toThrow("The rule needs a value for toString.");
  });

  it("knows every function under the name it has in the kernel", () => {
    expect([...FUNCTIONS.keys()].every((name) => /^[a-z]\w*$/.test(name))).toBe(true);
    expect(FUNCTIONS.get("where")).toHaveLength(3);
  });
});

describe("fill", () => {
  it.each<[string, Record<string, string>, string]>([
    ["{x} · {y}", { x: "a", y: "b" }, "a · b"],
    ["{x} + {y}", { x: "a * b", y: "a" }, "a * b + a"],
    ["{x} + {y}", { x: "a", y: "b + c" }, "a + (b + c)"],
    ["{x} − {y}", { x: "a - b", y: "c - d" }, "a - b − (c - d)"],
    ["{x} · {y}", { x: "a + b", y: "c" }, "(a + b) · c"],
    ["{x} · {y}", { x: "a * b", y: "c / d" }, "a * b · (c / d)"],
    ["{x} · {y}", { x: "−3", y: "−2" }, "−3 · (−2)"],
    ["{x} + {y}", { x: "1", y: "−3" }, "1 + (−3)"],
    ["−{x}", { x: "−3" }, "−(−3)"],
    ["1 − {out}²", { out: "a * b" }, "1 − (a * b)²"],
    ["1 − {out}²", { out: "tanh(a + b)" }, "1 − tanh(a + b)²"],
    ["1 − {out}²", { out: "0.7071" }, "1 − 0.7071²"],
    ["1 − {out}²", { out: "−0.7071" }, "1 − (−0.7071)²"],
    ["1 − {out}²", { out: "1.2e−7" }, "1 − 1.2e−7²"],
    ["{x}^{y}", { x: "−2", y: "−1" }, "(−2)^(−1)"],
    ["{y} · {x}^({y} − 1)", { x: "a", y: "−3" }, "−3 · a^(−3 − 1)"],
    ["tanh({x})", { x: "a * b + c" }, "tanh(a * b + c)"],
    ["|{x}|", { x: "−3" }, "|−3|"],
    ["atan2({x}, {y})", { x: "a + b", y: "−c" }, "atan2(a + b, −c)"],
    ["0 if {x} ≤ 0 else 1", { x: "a * b" }, "0 if a * b ≤ 0 else 1"],
    ["0 if {x} ≤ 0 else 1", { x: "p if q else r" }, "0 if (p if q else r) ≤ 0 else 1"],
    ["1 / {x}", { x: "x**2" }, "1 / x**2"],
    ["{x} · {y}", { x: "xs[i + 1]", y: "layers[0].w" }, "xs[i + 1] · layers[0].w"],
    ["{x} · {y}", { x: "(a + b).relu()", y: "(a)(b)" }, "(a + b).relu() · (a)(b)"],
    ["{x} · {y}", { x: "(a) + (b)", y: "(a + b)" }, "((a) + (b)) · (a + b)"],
    ["{y}", { y: "a if b else c" }, "a if b else c"],
    ["{x} · {y}", { x: "$& <b>", y: "lambda: 0" }, "($& <b>) · (lambda: 0)"],
    ["{x} · {z}", { x: "a" }, "a · {z}"],
    ["{x} · {y}", { x: "{y}", y: "b" }, "({y}) · b"],
  ])("%s with %j", (template, fillings, text) => {
    expect(fill(template, fillings)).toBe(text);
  });

  it("writes a product of numbers with a cross", () => {
    expect(inNumbers("{x} · {y}", { x: "2", y: "−3" })).toBe("2 × (−3)");
  });

  it("takes a hostile label without long thought", () => {
    const label = `${"a.".repeat(5000)}!`;
    expect(fill("{x} · {y}", { x: label, y: "b" })).toBe(`(${label}) · b`);
  });
});

describe("inSymbols", () => {
  const { rules } = parsed([
    ...EXERCISE,
    { label: "t", data: 0, rule: "tanh", operands: [["c", 1]] },
    { label: "r", data: 0, rule: "relu", operands: [["t", 1]] },
  ]).structure;
  const of = (name: string) => rules.get(name) as NonNullable<ReturnType<typeof rules.get>>;
  const lines = (name: string, operands: string[], result: string) => {
    const { partials, where } = inSymbols(of(name), operands, result);
    return { lines: partials.map(({ left, right }) => `${left} = ${right}`), where };
  };

  it("uses the names of the operands", () => {
    expect(lines("mul", ["a", "b"], "a * b")).toEqual({
      lines: ["∂(a·b)/∂a = b", "∂(a·b)/∂b = a"],
      where: null,
    });
    expect(lines("tanh", ["n"], "o").lines).toEqual(["∂tanh(n)/∂n = 1 − o²"]);
    expect(lines("tanh", ["a + b"], "tanh(a + b)").lines).toEqual([
      "∂tanh(a + b)/∂(a + b) = 1 − tanh(a + b)²",
    ]);
  });

  it("keeps the letters where names would state something false", () => {
    expect(lines("mul", ["a", "a"], "a * a")).toEqual({
      lines: ["∂(x·y)/∂x = y", "∂(x·y)/∂y = x"],
      where: "x = a, y = a",
    });
    expect(lines("add", ["a * b", "a"], "c").where).toBe("x = a * b, y = a");
    expect(lines("mul", ["relu(n)", "2"], "p").where).toBe("x = relu(n), y = 2");
  });

  it("takes letters that mean nothing else, and letters for long names", () => {
    expect(lines("mul", ["x", "x"], "z")).toEqual({
      lines: ["∂(u·v)/∂u = v", "∂(u·v)/∂v = u"],
      where: "u = x, v = x",
    });
    expect(lines("add", ["log(x * 1e-7)", "x / v"], "z").where).toBe(
      "p = log(x * 1e-7), q = x / v",
    );
    expect(lines("add", ["x1*w1 + x2*w2 + x3*w3", "b"], "n").where).toBe(
      "x = x1*w1 + x2*w2 + x3*w3, y = b",
    );
  });

  it("calls a piecewise operation by its symbol", () => {
    expect(application(of("relu"))).toBe("ReLU({x})");
    const cube = { ...of("tanh"), forward: { text: "{x}³", expr: ["pow", "x", 3] as const } };
    expect(application(cube)).toBe("{x}³");
    expect(lines("relu", ["n"], "h").lines).toEqual(["∂ReLU(n)/∂n = 0 if n ≤ 0 else 1"]);
  });
});

describe("product", () => {
  it("writes two numbers as one reads them, and what is unknown as a question", () => {
    expect(product(-3, -2, 4)).toBe("−3 × (−2)");
    expect(product(1 / 3, null, 2)).toBe("0.33 × ?");
    expect(product(undefined, 2, 2)).toBe("? × 2");
  });
});
