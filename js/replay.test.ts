import { describe, expect, it } from "vitest";
import { at, type Program, recorded } from "./modes/recorded";
import { callsOf, dependents, near, replay, rootOver } from "./replay";

/** `c = a * b + a`. */
const exercise = (p: Program): void => {
  const [a, b] = [p.leaf("a", 2), p.leaf("b", -3)];
  p.of("c", "add", p.of("d", "mul", a, b), a);
};

const changed = (moment: ReturnType<typeof recorded>, data: Record<string, number>) => {
  const { structure, numbers } = moment;
  const changes = new Map(Object.entries(data).map(([label, to]) => [at(moment, label), to]));
  return replay(structure, numbers, callsOf(structure, numbers), changes);
};

describe("replay", () => {
  it("computes data, slopes and gradients again", () => {
    const moment = recorded(exercise);
    const found = changed(moment, { a: 3 });
    expect(found).toMatchObject({
      numbers: { ran: true, slope: [-3, 3, 1, 1], grad: [-2, 3, 1, 1] },
    });
    expect("numbers" in found && [...found.numbers.data]).toEqual([3, -3, -9, -6]);
    expect([...moment.numbers.data]).toEqual([2, -3, -6, -4]);
  });

  it("leaves what does not depend on the change as it was sent", () => {
    const moment = recorded(
      (p) => {
        const a = p.leaf("a", 2);
        const t = p.odd("t", p.leaf("x", 1), 5, 7);
        p.of("y", "mul", a, t);
      },
      { data: { t: 5 } },
    );
    const found = changed(moment, { a: 10 });
    expect("numbers" in found && found.numbers.data[at(moment, "y")]).toBe(50);
    expect(changed(moment, { x: 2 })).toEqual({ unknown: at(moment, "t") });
  });

  it("shows no gradients before backward has run", () => {
    const found = changed(recorded(exercise, { ran: false }), { a: 3 });
    expect("numbers" in found && found.numbers.grad).toEqual([null, null, null, null]);
  });

  it("does not compute a value whose operands are not all drawn", () => {
    const moment = recorded(exercise, { hidden: { d: 1 } });
    expect(changed(moment, { b: 1 })).toEqual({ unknown: at(moment, "d") });
    // What is not drawn may depend on any leaf, also on one that d itself does not use.
    const far = recorded(
      (p) => p.of("y", "mul", p.of("e", "exp", p.leaf("z", 0)), p.leaf("x", 1)),
      { hidden: { e: 1 } },
    );
    expect(changed(far, { x: 2 })).toEqual({ unknown: at(far, "e") });
    expect(changed(far, {})).toHaveProperty("numbers");
  });

  it("finds the order of operands from the numbers where the class does not tell", () => {
    const moment = recorded(
      (p) => {
        const [a, b] = [p.leaf("a", 8), p.leaf("b", 2)];
        p.of("q", "div", b, a);
      },
      { ordered: false },
    );
    const found = changed(moment, { b: 4 });
    expect("numbers" in found && found.numbers.data[2]).toBe(0.5);
  });

  it("carries what is not finite", () => {
    const found = changed(
      recorded((p) => p.of("l", "log", p.leaf("x", 1))),
      { x: 0 },
    );
    expect("numbers" in found && found.numbers.data[1]).toBe(Number.NEGATIVE_INFINITY);
  });
});

describe("rootOver", () => {
  it("is the root as a function of one leaf", () => {
    const moment = recorded(exercise);
    const { structure, numbers } = moment;
    const root = rootOver(structure, numbers, callsOf(structure, numbers), at(moment, "a"));
    expect([0, 1, 5].map((x) => root?.(x))).toEqual([0, -2, -10]);
  });

  it("is not there where a rule on the way is unknown", () => {
    const { structure, numbers } = recorded((p) => p.odd("t", p.leaf("x", 1), 5, 7));
    expect(rootOver(structure, numbers, callsOf(structure, numbers), 0)).toBeNull();
  });
});

it("dependents are listed once, in order", () => {
  expect(dependents(recorded(exercise).structure, [0])).toEqual([2, 3]);
});

it("near takes equal infinities and nans for the same", () => {
  expect(near(Number.NaN, Number.NaN)).toBe(true);
  expect(near(Infinity, Infinity)).toBe(true);
  expect(near(1, 1 + 1e-9)).toBe(true);
  expect(near(1, 1.001)).toBe(false);
  expect(near(1, Number.NaN)).toBe(false);
  expect(near(1, Infinity)).toBe(false);
  expect(near(-Infinity, Infinity)).toBe(false);
});
