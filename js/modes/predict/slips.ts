/**
 * Slips that people make when they work out a gradient: a formula for the wrong number, and what
 * happened.
 *
 * In flow the contributions that make up a gradient; out flow the wrong numbers that they lead to.
 * Where a slip is one that people also make when they write a rule, its words are those of the
 * grader's table (`checks/slips.py`); a test holds the two together.
 */

import type { Expression } from "../../contract";
import { evaluate } from "../../rules";

/** One use of the value: what its result passes on, and the rule that does it. */
export interface Use {
  readonly slope: number;
  readonly upstream: number;
  /** The name of the result. */
  readonly from: string;
  /** The row of the table and the operand's place in it, where they are known. */
  readonly rule: string;
  readonly position: number;
  readonly variables: Readonly<Record<string, number>>;
  /** What the other operands of the result receive from it. */
  readonly siblings: readonly { readonly name: string; readonly amount: number }[];
}

export interface Question {
  readonly name: string;
  readonly data: number;
  readonly uses: readonly Use[];
}

/** A wrong number that a slip leads to. */
export interface Wrong {
  readonly slip: string;
  readonly value: number;
  /** The rest of a sentence that begins with the number. */
  readonly says: string;
}

const sum = (terms: readonly number[]): number => terms.reduce((a, b) => a + b, 0);
const amount = ({ slope, upstream }: Use): number => slope * upstream;

// -- slips of the chain rule -------------------------------------------------------------------------

type Slip = readonly [name: string, formula: (use: Use) => number, says: string];

/** Of every use in the same way. */
const OF_EACH: readonly Slip[] = [
  ["sign", (use) => -amount(use), "has the wrong sign."],
  [
    "upstream",
    ({ slope }) => slope,
    "leaves out the gradient from above: multiply by that of the result, out.grad.",
  ],
  ["slope", ({ upstream }) => upstream, "passes the gradient on without the local slope."],
  ["twice", (use) => 2 * amount(use), "counts twice."],
  ["half", (use) => amount(use) / 2, "counts half."],
  ["squared", ({ slope, upstream }) => slope * slope * upstream, "squares the slope."],
  [
    "adds",
    ({ slope, upstream }) => slope + upstream,
    "adds the gradient from above; the chain rule multiplies by it.",
  ],
  [
    "upstream twice",
    ({ slope, upstream }) => slope * upstream * upstream,
    "multiplies by the gradient from above twice.",
  ],
  [
    "divides",
    ({ slope, upstream }) => slope / upstream,
    "divides by the gradient from above; the chain rule multiplies by it.",
  ],
  [
    "upside down",
    ({ slope, upstream }) => upstream / slope,
    "is upside down: it should be one divided by that.",
  ],
];

// -- slips of one rule -------------------------------------------------------------------------------
// The wrong slope as a tree, as rules travel on the wire.

const TANH = "the rule of tanh is 1 - t**2";
const POWER = "the rule is n * x**(n - 1)";
const square = (of: Expression): Expression => ["pow", of, 2];
const minus = (a: Expression, b: Expression): Expression => ["sub", a, b];
const times = (a: Expression, b: Expression): Expression => ["mul", a, b];
const lowered = minus("y", 1);

type RuleSlip = readonly [wrong: Expression, says: string];

const PRODUCT: readonly RuleSlip[] = [
  [["add", "x", "y"], "adds the factors; each factor receives the other one."],
  [times("x", "y"), "uses the whole product; each factor receives the other factor."],
];

/** By row and place of the operand. */
const OF_RULE: Readonly<Record<string, readonly RuleSlip[]>> = {
  "tanh 0": [
    [square(minus(1, "out")), `squares the whole difference; ${TANH}.`],
    [minus(1, "out"), `forgets the square; ${TANH}.`],
    [["add", 1, square("out")], `has a plus where the minus belongs; ${TANH}.`],
    [minus(1, square("x")), `squares the input; ${TANH}, with the result t.`],
    [square("out"), `leaves out the 1 -; ${TANH}.`],
    [times("out", minus(1, "out")), "is the rule of the sigmoid; that of tanh is 1 - t**2."],
  ],
  "sigmoid 0": [
    [times("x", minus(1, "x")), "uses the input; the rule is s * (1 - s), with the result s."],
    [minus(1, "out"), "leaves out the factor s; the rule is s * (1 - s)."],
    [minus(1, square("out")), "is the rule of tanh; that of the sigmoid is s * (1 - s)."],
  ],
  "exp 0": [
    ["x", "uses the input; the slope of exp is its result, out.data."],
    [
      times("x", ["exp", minus("x", 1)]),
      "is the power rule; the slope of exp is its result, out.data.",
    ],
  ],
  "log 0": [
    [["div", 1, "out"], "divides by the result; the slope of log is 1 / x, with the input x."],
    ["out", "uses the result; the slope of log is 1 / x, with the input x."],
    ["x", "multiplies by the input; the slope of log is 1 / x."],
  ],
  "relu 0": [
    ["out", "passes the value; the slope is 1 where the input is positive, else 0."],
    ["x", "multiplies by the input; the slope is 1 where it is positive, else 0."],
    [1, "passes everything; where the input is negative the slope is 0."],
  ],
  "sub 1": [[1, "has the wrong sign: what is subtracted receives minus the gradient."]],
  "neg 0": [[1, "passes the gradient on unchanged; the sign of it flips."]],
  "mul 0": PRODUCT,
  "mul 1": PRODUCT,
  "div 0": [["y", "multiplies by the denominator; the slope is 1 / y."]],
  "div 1": [
    [["div", ["neg", "x"], "y"], "forgets the square; the slope is -x / y**2."],
    [["div", "x", square("y")], "has lost the minus; the slope is -x / y**2."],
    [["div", 1, "y"], "repeats the numerator's slope; the denominator's is -x / y**2."],
  ],
  "pow 0": [
    [["pow", "x", lowered], "forgets the factor: the power comes down, n * x**(n - 1)."],
    [times("y", ["pow", "x", "y"]), `forgets to lower the power; ${POWER}.`],
    [times(lowered, ["pow", "x", lowered]), `lowers the factor too; ${POWER}.`],
    ["y", `keeps the factor alone; ${POWER}.`],
  ],
};

/** All words that the grader's table has too. */
export const SHARED: readonly string[] = [
  ...OF_EACH.map(([, , says]) => says),
  ...Object.values(OF_RULE).flatMap((slips) => slips.map(([, says]) => says)),
];

// -- the wrong numbers -------------------------------------------------------------------------------

/** Sets of uses are tried up to this many. */
const MOST_USES = 8;

/** Every wrong number that a known slip leads to, the likeliest first. */
export const wrongs = (question: Question): Wrong[] => [
  ...forgotten(question),
  ...ofEach(question),
  ...ofRules(question),
  ...swapped(question),
  ...mistaken(question),
];

const ofEach = ({ uses }: Question): Wrong[] =>
  OF_EACH.map(([slip, formula, says]) => ({ slip, value: sum(uses.map(formula)), says }));

/** One use has the slope of another rule. */
function ofRules({ uses }: Question): Wrong[] {
  const all = sum(uses.map(amount));
  return uses.flatMap((use) =>
    (OF_RULE[`${use.rule} ${use.position}`] ?? []).map(([wrong, says]) => ({
      slip: `rule of ${use.rule}`,
      value: all - amount(use) + evaluate(wrong, use.variables) * use.upstream,
      says,
    })),
  );
}

/** Not every use was counted. */
function forgotten({ name, uses: all }: Question): Wrong[] {
  if (all.length < 2 || all.length > MOST_USES) return [];
  const found: Wrong[] = [];
  for (let set = 1; set < 2 ** all.length - 1; set++) {
    const isCounted = (_: Use, at: number): boolean => ((set >> at) & 1) === 1;
    const left = all.filter((use, at) => !isCounted(use, at));
    const value = sum(all.filter(isCounted).map(amount));
    const through = [...new Set(left.map(({ from }) => from))];
    const uses = `${through.join(" and ")} ${through.length === 1 ? "uses" : "use"} ${name} too`;
    const says = `forgets a path: ${uses}, and contributions add.`;
    found.push({ slip: "path", value, says });
  }
  // Where several sets give one number, the one that left out least is meant.
  return found.reverse();
}

/** A use has what another operand of the same result receives. */
function swapped({ uses }: Question): Wrong[] {
  const all = sum(uses.map(amount));
  return uses.flatMap((use) =>
    use.siblings.map((sibling) => ({
      slip: "sibling",
      value: all - amount(use) + sibling.amount,
      says: `takes the share of the other operand, ${sibling.name}: the two are swapped.`,
    })),
  );
}

/** Another number of the picture altogether. */
function mistaken({ name, data, uses }: Question): Wrong[] {
  const product = uses.map(amount).reduce((a, b) => a * b, 1);
  return [
    ...(uses.length > 1
      ? [
          {
            slip: "product",
            value: product,
            says: "multiplies the contributions; where paths meet they add.",
          },
        ]
      : []),
    { slip: "data", value: data, says: `is the data of ${name}; its gradient is asked for.` },
  ];
}
