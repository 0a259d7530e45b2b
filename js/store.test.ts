import { describe, expect, it, vi } from "vitest";
import { EXERCISE, parsed, type Row } from "./fixtures";
import {
  assign,
  explained,
  first,
  goTo,
  hover,
  INITIAL,
  isAtEnd,
  last,
  next,
  passOf,
  pin,
  play,
  previous,
  type Reducer,
  receive,
  type State,
  Store,
  showPass,
  stopsOf,
  tick,
  unpin,
} from "./store";

const HALVED: readonly Row[] = [
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

function holding(rows: readonly Row[]): State {
  const { structure, numbers } = parsed(rows);
  return receive(structure, numbers)(INITIAL);
}

const having = (state: State, ...reducers: Reducer[]): State =>
  reducers.reduce((now, reducer) => reducer(now), state);
const steps = (state: State, reducer: Reducer, count: number): number[] => {
  const seen: number[] = [];
  let now = state;
  for (let at = 0; at < count; at++) {
    now = reducer(now);
    seen.push(now.step);
  }
  return seen;
};

describe("the tape", () => {
  const rest = holding(EXERCISE);

  it("begins with the backward pass", () => {
    expect(steps(rest, next, 5)).toEqual([4, 5, 6, 7, 7]);
  });

  it("flows from forward into backward and back again, down to rest", () => {
    const forward = having(rest, showPass("forward"));
    expect(steps(forward, next, 5)).toEqual([0, 1, 2, 3, 4]);
    expect(steps(having(rest, goTo(4)), previous, 6)).toEqual([3, 2, 1, 0, -1, -1]);
  });

  it("passes constants over, in both directions", () => {
    const state = holding(HALVED);
    expect(stopsOf(state, "forward")).toEqual([0, 2]);
    expect(stopsOf(state, "backward")).toEqual([3, 5]);
    expect(steps(state, next, 3)).toEqual([3, 5, 5]);
    expect(isAtEnd(having(state, goTo(5)))).toBe(true);
  });

  it("goes to the ends of the pass that is shown", () => {
    expect(having(rest, goTo(6), first).step).toBe(4);
    expect(having(rest, goTo(5), last).step).toBe(7);
    expect(having(rest, goTo(1), last).step).toBe(3);
  });

  it("switches passes: at rest what is shown, else where it steps", () => {
    expect(having(rest, showPass("forward"))).toMatchObject({ step: -1, pass: "forward" });
    expect(having(rest, goTo(5), showPass("forward"))).toMatchObject({ step: 0, pass: "forward" });
  });

  it("stays in the pass it was left in", () => {
    expect(passOf(having(rest, goTo(2), goTo(-1)))).toBe("forward");
  });

  it("brings positions off the tape back onto it", () => {
    expect(having(rest, goTo(99)).step).toBe(7);
    expect(having(rest, goTo(-7)).step).toBe(-1);
  });
});

describe("playing", () => {
  const rest = holding(EXERCISE);

  it("starts at the beginning of the shown pass and stops at the end of the tape", () => {
    const started = having(rest, play);
    expect(started).toMatchObject({ step: 4, playing: true });
    expect(having(started, tick, tick)).toMatchObject({ step: 6, playing: true });
    expect(having(started, tick, tick, tick)).toMatchObject({ step: 7, playing: false });
  });

  it("goes on from where it was paused", () => {
    expect(having(rest, goTo(5), play, play, play)).toMatchObject({ step: 5, playing: true });
  });

  it("does nothing without a graph", () => {
    expect(having(INITIAL, play)).toMatchObject({ step: -1, playing: false });
  });

  it("ticks only while it plays", () => {
    expect(tick(rest)).toBe(rest);
  });
});

describe("pointing", () => {
  const rest = holding(EXERCISE);

  it("explains the pinned node, else the pointed one, else the focused one", () => {
    const all = having(rest, assign({ focused: 0 }), hover([1]), pin(2));
    expect(explained(all)).toBe(2);
    expect(explained(unpin(all))).toBe(1);
    expect(explained(having(all, unpin, hover([])))).toBe(0);
  });

  it("explains nothing while a line points at several", () => {
    expect(explained(having(rest, hover([0, 1])))).toBe(-1);
  });

  it("lets a node go that is pinned twice", () => {
    expect(having(rest, pin(2), pin(2)).selected).toBe(-1);
  });
});

describe("receive", () => {
  it("keeps what points into the graph while only numbers change", () => {
    const { structure, numbers } = parsed(EXERCISE);
    const state = having(INITIAL, receive(structure, numbers), goTo(5), hover([1]));
    const changed = receive(structure, { ...numbers, ran: true })(state);
    expect(changed).toMatchObject({ step: 5, hovered: [1] });
  });

  it("leaves the tape when a shorter graph arrives", () => {
    const state = having(holding(EXERCISE), goTo(7), hover([3]));
    const { structure, numbers } = parsed(HALVED);
    expect(receive(structure, numbers)(state)).toMatchObject({ step: -1, hovered: [] });
  });
});

describe("Store", () => {
  it("tells each real change, and nothing after the end of the lifetime", () => {
    const life = new AbortController();
    const store = new Store();
    const told = vi.fn();
    store.subscribe(told, life.signal);
    store.update(assign({ error: "" }));
    expect(told).not.toHaveBeenCalled();
    store.update(assign({ error: "No." }));
    expect(told).toHaveBeenCalledTimes(1);
    life.abort();
    store.update(assign({ error: "" }));
    expect(told).toHaveBeenCalledTimes(1);
  });
});
