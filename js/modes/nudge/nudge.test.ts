import { describe, expect, it } from "vitest";
import { apart, joined } from "../../contract";
import { messages, EXERCISE as ROWS, type Row } from "../../fixtures";
import { plainText } from "../../phrases";
import { createStandIn } from "../../standin";
import type { Moment } from "../mode";
import { at, type Program, recorded } from "../recorded";
import { NUDGE, shortened } from "./mode";
import { asker } from "./panel";
import { heights, pathOf } from "./plot";
import { stepOf, stepped, windowOf } from "./scale";
import { moveTo, NOTHING, pick, reset } from "./slice";
import { effectOf, readSlice, type Slice, type Trial, trialOf } from "./trial";

const exercise = (p: Program): void => {
  const [a, b] = [p.leaf("a", 2), p.leaf("b", -3)];
  p.of("c", "add", p.of("d", "mul", a, b), a);
};
const EXERCISE = recorded(exercise);
const SQUARE = recorded((p) => p.of("y", "pow 3", p.leaf("x", 1)));

const told = (moment: Moment, slice: Slice): string =>
  plainText(NUDGE.overlay(moment, slice).sentence ?? []);

describe("the leaf in hand", () => {
  it("is kept in sight, before and while its number is another", () => {
    const [a, b] = [at(EXERCISE, "a"), at(EXERCISE, "b")];
    expect(NUDGE.overlay(EXERCISE, pick(NOTHING, b)).look).toBe(b);
    expect(NUDGE.overlay(EXERCISE, moveTo(EXERCISE, pick(NOTHING, a), 5)).look).toBe(a);
  });
});

describe("the scale", () => {
  it.each([
    [2, 0.02],
    [-3, 0.05],
    [0.7, 0.01],
    [100, 1],
    [0, 0.01],
    [0.001, 0.01],
    [Number.NaN, 0.01],
  ])("one step of %d is %d", (base, step) => {
    expect(stepOf(base)).toBeCloseTo(step, 12);
  });

  it("leaves short numbers", () => {
    expect(stepped(2, 7, 0.02)).toBe(2.14);
    expect(stepped(6.8813735870195432, -1, 0.1)).toBe(6.8);
    expect(stepped(6.8813735870195432, 0, 0.1)).toBe(6.8813735870195432);
    expect(stepped(0.1, 2, 0.1)).toBe(0.3);
  });

  it("doubles the window until the number is in it", () => {
    expect(windowOf(2, 2)).toEqual({ from: 0, to: 4 });
    expect(windowOf(2, 4.5)).toEqual({ from: -2, to: 6 });
  });
});

describe("the slice", () => {
  it("begins with the first leaf that matters", () => {
    expect(NUDGE.begin(EXERCISE)).toEqual({ leaf: 0, data: {} });
  });

  it("keeps what differs from the leaf's own number", () => {
    const on = pick(NOTHING, 0);
    const moved = moveTo(EXERCISE, on, 2.5);
    expect(moved).toEqual({ leaf: 0, data: { 0: 2.5 } });
    expect(moveTo(EXERCISE, moved, 2.5)).toBe(moved);
    expect(moveTo(EXERCISE, moved, 2)).toEqual(on);
    expect(moveTo(EXERCISE, on, Number.NaN)).toBe(on);
    expect(moveTo(EXERCISE, NOTHING, 2.5)).toBe(NOTHING);
    expect(reset(moved)).toEqual(on);
  });

  it("is checked when it comes from somewhere", () => {
    expect(readSlice({ leaf: 0, data: { 0: 2.5 } }, EXERCISE)).toEqual({
      leaf: 0,
      data: { 0: 2.5 },
    });
    for (const odd of [null, 3, {}, { leaf: 9, data: {} }, { leaf: 0, data: { 2: 1 } }]) {
      expect(readSlice(odd, EXERCISE)).toBeNull();
    }
  });

  it("lets go of a number that was kept", () => {
    expect(readSlice({ leaf: 0, data: { 0: 2, 1: 7 } }, EXERCISE)?.data).toEqual({ 1: 7 });
  });
});

describe("a trial", () => {
  const slice = { leaf: 0, data: { 0: 2.5 } };

  it("is computed in the page where all rules are known", () => {
    const trial = trialOf(EXERCISE, slice);
    expect(trial.from).toBe("page");
    expect("numbers" in trial && [...trial.numbers.data]).toEqual([2.5, -3, -7.5, -5]);
  });

  it("is asked of the kernel where one is not, and answered by it", () => {
    const odd = recorded((p) => p.odd("t", p.leaf("x", 1), 5, 7));
    const slice = { leaf: 0, data: { 0: 2 } };
    expect(trialOf(odd, slice)).toEqual({ from: "waiting", unknown: 1 });
    expect(effectOf(odd, slice)?.rootAfter).toBeNaN();
    expect(told(odd, slice)).toContain("no rule for t, so the kernel is asked");
    const notes = { nodes: [], edges: [], cells: [] };
    const numbers = { ran: true, data: [2, 12], grad: [7, 1], slope: [7], notes };
    const answered = { ...odd, nudged: { data: { 0: 2 }, error: "", numbers } };
    expect(trialOf(answered, slice)).toMatchObject({ from: "kernel", data: { 0: 2 } });
    const refused = { ...odd, nudged: { data: { 0: 2 }, error: "Nobody knows t.", numbers: {} } };
    expect(told(refused, slice)).toBe("Not from here. Nobody knows t.");
  });

  it("takes an answer about another graph for none", () => {
    const odd = recorded((p) => p.odd("t", p.leaf("x", 1), 5, 7));
    const nudged = { data: {}, error: "", numbers: { ran: true, data: [], grad: [], slope: [] } };
    expect(trialOf({ ...odd, nudged }, { leaf: 0, data: { 0: 2 } }).from).toBe("waiting");
  });
});

describe("questions to the kernel", () => {
  it("are asked one at a time, the latest next", () => {
    const asked: unknown[] = [];
    const ask = asker((command) => asked.push(command));
    const numbers = EXERCISE.numbers;
    const waiting: Trial = { from: "waiting", unknown: 1 };
    const slice = (value: number): Slice => ({ leaf: 0, data: { 0: value } });
    const question = (value: number) => ({ command: "what_if", data: { 0: value } });
    const answer = (value: number): Trial => ({ from: "kernel", data: { 0: value }, numbers });
    for (const value of [1, 2, 3]) ask(waiting, slice(value));
    expect(asked).toEqual([question(1)]);
    const first = answer(1);
    ask(first, slice(3));
    for (const value of [4, 5]) ask(first, slice(value));
    expect(asked).toEqual([question(1), question(3)]);
    ask(answer(3), slice(5));
    ask(answer(5), slice(5));
    expect(asked).toEqual([question(1), question(3), question(5)]);
  });
});

describe("a page without a kernel", () => {
  const page = (rows: readonly Row[]) => {
    const { graph, numbers } = messages(rows);
    const traits: Record<string, unknown> = {
      graph,
      ...apart(numbers),
      progress: {},
      mode: "nudge",
    };
    const send = createStandIn({
      get: (name) => traits[name],
      set: (name, value) => {
        traits[name] = value;
      },
      save_changes: () => {},
    });
    return { traits, send };
  };

  it("keeps numbers by its own rules", () => {
    const { traits, send } = page(ROWS);
    send({ command: "set_data", data: { 0: 3 } });
    const numbers = joined((name) => traits[name]);
    expect(numbers).toMatchObject({ data: [3, -3, -9, -6], slope: [-3, 3, 1, 1] });
  });

  it("says that there is nobody to ask", () => {
    const { traits, send } = page(ROWS);
    send({ command: "what_if", data: { 0: 3 } });
    expect(traits.nudged).toMatchObject({
      data: { 0: 3 },
      error: expect.stringContaining("no kernel"),
    });
  });
});

describe("an effect", () => {
  it("holds the others as they are now", () => {
    const effect = effectOf(EXERCISE, { leaf: 0, data: { 0: 3, 1: 5 } });
    expect(effect).toMatchObject({ before: 2, after: 3, rootBefore: 12, rootAfter: 18, slope: 6 });
  });

  it("has a curve over the window", () => {
    const curve = effectOf(SQUARE, { leaf: 0, data: {} })?.curve ?? [];
    expect(curve[0]).toEqual([0, 0]);
    expect(curve.at(-1)).toEqual([2, 8]);
  });

  it("is told as change and promise", () => {
    expect(told(EXERCISE, { leaf: 0, data: { 0: 2.5 } })).toBe(
      "a: 2 → 2.5. c goes from −4 to −5, a change of −1. grad × step = −2 × 0.5 = −1: exactly that, because along a it is a straight line.",
    );
    expect(told(SQUARE, { leaf: 0, data: { 0: 1.1 } })).toBe(
      "x: 1 → 1.1. y goes from 1 to 1.331, a change of 0.331. grad × step = 3 × 0.1 = 0.3: off by 0.031, as far as the curve has bent away from its tangent.",
    );
    const log = recorded((p) => p.of("l", "log", p.leaf("x", 1)));
    expect(told(log, { leaf: 0, data: { 0: -1 } })).toBe("x: 1 → −1. l goes from 0 to nan.");
    expect(told(EXERCISE, NOTHING)).toContain("Drag the number of an input sideways");
  });
});

describe("the picture", () => {
  it("shows new numbers above the old ones, where they differ", () => {
    const { numbers, readings, ghosts } = NUDGE.overlay(EXERCISE, { leaf: 0, data: { 0: 2.5 } });
    expect(numbers?.data[at(EXERCISE, "d")]).toBe(-7.5);
    expect(readings?.[at(EXERCISE, "d")]?.data.text).toBe("−7.5");
    expect(ghosts?.get(at(EXERCISE, "d"))).toEqual({ data: "−6", grad: "" });
    expect(ghosts?.get(at(EXERCISE, "b"))).toEqual({ data: "", grad: "2" });
  });

  it("stays as it is while nothing is changed", () => {
    const { numbers, readings } = NUDGE.overlay(EXERCISE, pick(NOTHING, 0));
    expect([numbers, readings]).toEqual([undefined, undefined]);
  });

  it.each([
    [-0.70123456, "−0.701"],
    [0.0001234, "0.0001"],
    [-0.00012345, "−1e−4"],
    [-1.2345e-7, "−1e−7"],
    [123456, "123456"],
    [-123456, "−1e5"],
    [1.5, "1.5"],
  ])("writes %d in few letters", (value, text) => {
    const reading = { text: "long enough", tone: "" } as const;
    expect(shortened(reading, value, 4).text).toBe(text);
    expect(text.length).toBeLessThanOrEqual(6);
  });
});

describe("the plot", () => {
  const identity = (x: number): number => x;

  it("leaves a gap where the curve is not finite", () => {
    const points = [
      [0, 0],
      [1, 1],
      [2, Number.NaN],
      [3, 3],
      [4, Infinity],
      [5, 5],
    ] as const;
    expect(pathOf(points, identity, identity)).toBe("M0 0L1 1M3 3M5 5");
  });

  it("does not let a pole flatten the rest", () => {
    const curve = Array.from({ length: 100 }, (_, i) => [i, i === 50 ? 1e9 : i] as const);
    const effect = {
      leaf: 0,
      before: 1,
      after: 2,
      rootBefore: 1,
      rootAfter: 2,
      slope: 1,
      window: { from: 0, to: 99 },
    };
    expect(heights({ ...effect, curve }).to).toBeLessThan(200);
  });

  it("has height where the root does not change at all", () => {
    const flat = recorded((p) => p.of("s", "sign", p.leaf("x", 3)));
    const { from, to } = heights(effectOf(flat, { leaf: 0, data: {} }) as never);
    expect(to).toBeGreaterThan(from);
  });
});
