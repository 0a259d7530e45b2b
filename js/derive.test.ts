import { describe, expect, it } from "vitest";
import { createDeriver, type Derived, footFor, pictureHeight, steadyHeight } from "./derive";
import { EXERCISE, parsed, type Row } from "./fixtures";
import { remember } from "./remember";
import { roughMeasure } from "./scene/measure";
import { assign, goTo, hover, INITIAL, receive, type State } from "./store";

function ready(): { state: State; derive: (state: State) => Derived } {
  const { structure, numbers } = parsed(EXERCISE);
  const derive = createDeriver(roughMeasure);
  const state = receive(
    structure,
    numbers,
  )({
    ...INITIAL,
    width: 1000,
    viewport: { width: 1000, height: 300 },
  });
  return { state, derive: (now) => derive(now) as Derived };
}

describe("code and picture", () => {
  const code = {
    first: 1,
    lines: ["a, b = Value(2.0), Value(-3.0)", "c = a * b + a"],
    failed: null,
    marks: [{ line: 1, nodes: [0, 1] }],
  };
  const { structure, numbers } = parsed(EXERCISE, { code });
  const derived = (width: number, rows = structure): Derived => {
    const viewport = { width, height: 300 };
    const state = { ...receive(rows, numbers)(INITIAL), width, viewport };
    return createDeriver(roughMeasure)(state) as Derived;
  };

  it("stand beside each other where both have room, else above each other", () => {
    const stacked = [500, 820, 1100, 1400].map((width) => derived(width).stacked);
    expect(stacked).toEqual([true, true, false, false]);
    expect(derived(500, parsed(EXERCISE).structure).stacked).toBe(false);
  });

  it("do not change places for a picture that gains nothing", () => {
    const tall: Row[] = [{ label: "x", data: 1 }];
    const sums = Array.from({ length: 40 }, (_, at): Row => {
      return { label: `s${at}`, data: 1, op: "id", operands: [["x", 1]] };
    });
    const { structure: rows, numbers: held } = parsed([...tall, ...sums], { code });
    const state = { ...receive(rows, held)(INITIAL), width: 820 };
    expect((createDeriver(roughMeasure)(state) as Derived).stacked).toBe(false);
  });

  it("share their height only when they are beside each other", () => {
    const long = { ...code, lines: Array.from({ length: 30 }, () => "x = 1") };
    const { structure: rows } = parsed(EXERCISE, { code: long });
    const heights = [680, 1400].map((width) => {
      const now = derived(width, rows);
      const state = { ...INITIAL, viewport: { width, height: 300 } };
      return pictureHeight(state, now) - now.foot;
    });
    expect(heights).toEqual([228, 440]);
  });
});

describe("the height of a picture", () => {
  it("does not shrink when numbers widen the cards, and starts anew for another way", () => {
    const { state, derive } = ready();
    const heightOf = steadyHeight();
    const tall = { ...derive(state), scene: { ...derive(state).scene } };
    const grown = { ...tall.scene, bounds: { ...tall.scene.bounds, height: 330 } };
    const before = heightOf(state, { ...tall, scene: grown });
    expect(before).toBeGreaterThan(330);
    expect(heightOf(state, tall)).toBe(before);
    const turned = { ...state, rankdir: "TB" } as const;
    expect(heightOf(turned, tall)).toBe(pictureHeight(turned, tall));
    expect(pictureHeight(turned, tall)).toBeLessThan(before);
  });
});

describe("createDeriver", () => {
  it("has nothing to derive without a graph", () => {
    expect(createDeriver(roughMeasure)(INITIAL)).toBeNull();
  });

  it("lays out once, whatever is pointed at and stepped", () => {
    const { state, derive } = ready();
    const frame = derive(state).frame;
    expect(derive(hover([1])(state)).frame).toBe(frame);
    expect(derive(goTo(5)(state)).frame).toBe(frame);
    expect(derive(assign({ rankdir: "TB" })(state)).frame).not.toBe(frame);
  });

  it("does not lay out again when backward fills in the gradients", () => {
    const { state, derive } = ready();
    const { frame, tape, numbers } = derive(state);
    const ran = { ...numbers, ran: true, grad: tape.gradients };
    expect(derive({ ...state, numbers: ran }).frame).toBe(frame);
  });

  it("has a sentence only on the tape", () => {
    const { state, derive } = ready();
    expect(derive(state).sentence).toEqual([]);
    expect(derive(goTo(5)(state)).sentence.length).toBeGreaterThan(0);
  });

  it("keeps the same room for the sentence at every step", () => {
    const { state, derive } = ready();
    const heights = [-1, 0, 4, 5, 7].map((step) => {
      const now = goTo(step)(state);
      return pictureHeight(now, derive(now));
    });
    expect(new Set(heights).size).toBe(1);
  });

  it("follows the height trait where it is set", () => {
    const { state, derive } = ready();
    const tall = { ...state, height: 333 };
    expect(pictureHeight(tall, derive(tall))).toBe(333);
  });
});

describe("footFor", () => {
  it("grows by lines with the sentence, within bounds", () => {
    expect(footFor(10, 1000)).toBe(footFor(100, 1000));
    expect(footFor(200, 1000)).toBeGreaterThan(footFor(100, 1000));
    expect(footFor(9999, 300)).toBe(footFor(99_999, 300));
  });
});

describe("remember", () => {
  it("computes again only for other arguments", () => {
    let count = 0;
    const twice = remember((value: number) => {
      count += 1;
      return 2 * value;
    });
    expect([twice(1), twice(1), twice(2), twice(Number.NaN), twice(Number.NaN)]).toEqual([
      2,
      2,
      4,
      Number.NaN,
      Number.NaN,
    ]);
    expect(count).toBe(3);
  });
});
