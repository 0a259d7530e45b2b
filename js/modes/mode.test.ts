import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { createDeriver, type Derived } from "../derive";
import { EXERCISE, parsed } from "../fixtures";
import { roughMeasure } from "../scene/measure";
import { goTo, INITIAL, receive, type State } from "../store";
import { enter, keep, leave, type Mode } from "./mode";
import { MODES, modeOf } from "./table";

const PROTOCOL = new URL("../../tests/data/protocol.json", import.meta.url);

const QUIZ: Mode<{ asked: number }> = {
  name: "quiz",
  title: "Quiz",
  hint: "",
  begin: () => ({ asked: 0 }),
  read: (value) => value as { asked: number },
  overlay: () => ({}),
  panel: () => ({ controls: [], show: () => {} }),
};

function holding(): State {
  const { structure, numbers } = parsed(EXERCISE);
  return receive(structure, numbers)(INITIAL);
}

describe("entering and leaving", () => {
  it("brings the tape to rest and lets the pinned node go", () => {
    const stepping = { ...goTo(5)(holding()), playing: true, selected: 2 };
    expect(enter(QUIZ)(stepping)).toMatchObject({
      mode: "quiz",
      step: -1,
      playing: false,
      selected: -1,
    });
  });

  it("begins anew, unless the mode's slice lasts", () => {
    const kept = keep("quiz", { asked: 3 })(holding());
    expect(enter(QUIZ)(kept).progress).toEqual({});
    expect(enter({ ...QUIZ, lasting: true })(kept).progress).toEqual({ quiz: { asked: 3 } });
    expect(leave(enter(QUIZ)(kept)).mode).toBe("");
  });

  it("changes nothing where nothing changes", () => {
    const on = enter(QUIZ)(holding());
    expect(enter(QUIZ)(on)).toBe(on);
    expect(leave(INITIAL)).toBe(INITIAL);
    const slice = { asked: 1 };
    const kept = keep("quiz", slice)(on);
    expect(keep("quiz", slice)(kept)).toBe(kept);
  });

  it("forgets progress when another graph comes, and keeps what came with the first", () => {
    const { structure, numbers } = parsed(EXERCISE);
    const restored = receive(structure, numbers)({ ...INITIAL, progress: { order: { done: 1 } } });
    expect(restored.progress).toEqual({ order: { done: 1 } });
    const other = parsed(EXERCISE);
    expect(receive(other.structure, other.numbers)(restored).progress).toEqual({});
  });
});

describe("the table", () => {
  it("has the modes that the kernel has", () => {
    const protocol = JSON.parse(readFileSync(PROTOCOL, "utf8"));
    expect(["", ...MODES.map(({ name }) => name)].sort()).toEqual([...protocol.modes].sort());
  });

  it("knows no other name", () => {
    expect(modeOf("order")?.title).toBe("Order");
    expect(modeOf("")).toBeNull();
    expect(modeOf("juggle")).toBeNull();
  });
});

describe("an overlay", () => {
  const derive = createDeriver(roughMeasure);
  const derived = (state: State): Derived => derive(state) as Derived;

  it("is computed once for one state of a mode", () => {
    const state = enter(modeOf("order") as Mode)(holding());
    const { overlay } = derived(state);
    expect(derived({ ...state, hovered: [1] }).overlay).toBe(overlay);
    expect(derived(keep("order", { done: 1 })(state)).overlay).not.toBe(overlay);
  });

  it.each(["by hand", "order", "paths"])("does not move the picture: %s", (name) => {
    const state = holding();
    const { frame } = derived(state);
    expect(derived(enter(modeOf(name) as Mode)(state)).frame).toBe(frame);
  });

  it("gives marks their classes and screen readers their words", () => {
    const scene = derived(enter(modeOf("by hand") as Mode)(holding())).scene;
    const root = scene.nodes[3];
    expect(root?.className).toContain("gg-ready");
    expect(root?.spoken).toContain("ready to run");
  });
});
