import { describe, expect, it } from "vitest";
import type { Code } from "../contract";
import { EXERCISE, parsed, type Row } from "../fixtures";
import { overlap } from "../scene/curves";
import { readingsAt } from "../scene/readings";
import { goTo, INITIAL, receive } from "../store";
import { tapeOf } from "../tape";
import { type CodeRow, rowsOf } from "./gutter";
import { placeTip } from "./place";
import { MOST_CHIPS, tapeItems } from "./tape";
import { namedBy } from "./tip";

function items(rows: readonly Row[], step: number) {
  const { structure, numbers } = parsed(rows);
  return tapeItems(goTo(step)(receive(structure, numbers)(INITIAL)), structure);
}

const chips = (rows: readonly Row[], step: number) =>
  items(rows, step).flatMap((item) => (item.kind === "chip" ? [`${item.name} ${item.when}`] : []));

describe("the tape's chips", () => {
  it("stand in backward order, done up to the present one", () => {
    expect(chips(EXERCISE, 5)).toEqual(["c done", "a * b on", "b ", "a "]);
    expect(chips(EXERCISE, -1)).toEqual(["c ", "a * b ", "b ", "a "]);
  });

  it("stand in forward order in the forward pass", () => {
    expect(chips(EXERCISE, 1)).toEqual(["a done", "b on", "a * b ", "c "]);
  });

  it("show a window of a long tape, and how much lies outside", () => {
    const long = Array.from(
      { length: 100 },
      (_, at): Row =>
        at === 0
          ? { label: "v0", data: 1 }
          : { label: `v${at}`, data: 1, op: "next", operands: [[`v${at - 1}`, 1]] },
    );
    expect(chips(long, 150)).toHaveLength(MOST_CHIPS);
    expect(chips(long, 150)[7]).toBe("v49 on");
    const gaps = items(long, 150).flatMap((item) =>
      item.kind === "gap" && item.text !== "→" ? [item.text] : [],
    );
    expect(gaps).toEqual(["43 …", "… 42"]);
  });

  it("have keys of their own", () => {
    const keys = items(EXERCISE, 5).map((item) => (item.kind === "chip" ? item.step : item.key));
    expect(new Set(keys).size).toBe(keys.length);
  });
});

describe("placeTip", () => {
  const room = { width: 1000, height: 400 };
  const tip = { width: 300, height: 120 };

  it("stands below a node when there is room", () => {
    const node = { x: 400, y: 50, width: 140, height: 56 };
    expect(placeTip(tip, { node, cards: [], panels: [] }, room)).toEqual({ x: 400, y: 118 });
  });

  it("stays inside the room and off the node, wherever the node is", () => {
    for (const x of [0, 430, 860]) {
      for (const y of [0, 170, 344]) {
        const node = { x, y, width: 140, height: 56 };
        const place = placeTip(tip, { node, cards: [], panels: [] }, room);
        expect(place.x).toBeGreaterThanOrEqual(8);
        expect(place.x + tip.width).toBeLessThanOrEqual(992);
        expect(place.y + tip.height).toBeLessThanOrEqual(392);
        expect(overlap(node, { ...place, ...tip })).toBe(0);
      }
    }
  });

  it("would rather cover a panel than a card", () => {
    const node = { x: 400, y: 50, width: 140, height: 56 };
    const cards = [{ x: 400, y: 130, width: 140, height: 56 }];
    const panels = [{ x: 0, y: 0, width: 1000, height: 40 }];
    const place = placeTip(tip, { node, cards, panels }, room);
    expect(overlap(cards[0] as never, { ...place, ...tip })).toBe(0);
  });
});

describe("a tooltip among what it explains", () => {
  const room = { width: 1040, height: 430 };
  const tip = { width: 380, height: 124 };
  const stage = { x: 285, y: 45, width: 755, height: 240 };
  const node = { x: 570, y: 142, width: 180, height: 56 };
  const kin = [
    { x: 325, y: 102, width: 142, height: 56 },
    { x: 325, y: 184, width: 150, height: 56 },
    { x: 834, y: 134, width: 180, height: 56 },
  ];
  const sentence = { x: 0, y: 285, width: 1040, height: 64 };
  const panels = [
    { x: 0, y: 0, width: 1040, height: 45 },
    { x: 0, y: 45, width: stage.x, height: 240 },
  ];

  it("covers neither the operands, nor the consumers, nor the sentence", () => {
    for (const one of [node, ...kin]) {
      const cards = [node, ...kin];
      const others = cards.filter((card) => card !== one);
      const place = placeTip(tip, { node: one, kin: others, cards, panels, sentence }, room);
      for (const box of [...cards, sentence]) expect(overlap(box, { ...place, ...tip })).toBe(0);
    }
  });

  it("stays near, where nothing is in the way", () => {
    const { x, y } = placeTip(tip, { node: kin[0] as never, kin: [], cards: [], panels: [] }, room);
    expect([x, y]).toEqual([325, 170]);
  });

  it("goes around the numbers on the edges, too", () => {
    const around = { node, cards: [], panels: [] };
    const below = { ...placeTip(tip, around, room), ...tip };
    const mark = { x: below.x + 10, y: below.y + 10, width: 50, height: 16 };
    const place = placeTip(tip, { ...around, marks: [mark] }, room);
    expect(overlap(mark, { ...place, ...tip })).toBe(0);
  });

  it("names operands, consumers and whatever the present step is about", () => {
    const { structure, numbers } = parsed(EXERCISE);
    const tape = tapeOf(structure, numbers);
    const kinOf = (of: number, step: number) =>
      [...namedBy({ structure, tape }, of, step).kin].sort();
    expect(kinOf(2, -1)).toEqual([0, 1, 3]);
    expect(kinOf(1, -1)).toEqual([2]);
    expect(kinOf(1, 4)).toEqual([0, 2, 3]);
  });
});

describe("the gutter's rows", () => {
  const code = {
    first: 1,
    lines: ["a, b = Value(2.0), Value(-3.0)", "c = a * b + a", "c.backwards()"],
    failed: 3,
    marks: [
      { line: 1, nodes: [0, 1] },
      { line: 2, nodes: [2, 3] },
    ],
  };
  const { structure, numbers } = parsed(EXERCISE, { code });
  const nodes = { ...structure.nodes, text: ["a", "b", "a * b", "c = a * b + a"] };
  const readings = readingsAt(structure, numbers, tapeOf(structure, numbers), -1, 4);
  const named = { ...structure, nodes };
  const seen = { structure: named, numbers, readings, precision: 4 };
  const rows = (active: number[], shown: Code = code) => rowsOf(seen, shown, active);
  const made = ({ runs }: CodeRow) => runs.at(-1)?.made ?? [];

  it("list under each line what it made", () => {
    expect(rows([]).map((row) => made(row).map(({ name }) => name))).toEqual([
      ["a", "b"],
      ["a * b", "c"],
      [],
    ]);
  });

  it("mark the line and the expression of the active node", () => {
    const [first, second] = rows([2]);
    expect(first).toMatchObject({ on: false, marked: null });
    expect(second).toMatchObject({ on: true, marked: [4, 9] });
  });

  it("mark the line that raised", () => {
    expect(rows([]).map(({ failed }) => failed)).toEqual([false, false, true]);
  });

  it("name a value once for each time that the line ran", () => {
    const loop = { ...code, marks: [{ line: 2, nodes: [0, 1, 2, 3, 0, 1, 2, 3] }] };
    const [, row] = rows([], loop);
    expect(row?.runs.map(({ more }) => more)).toEqual([0]);
    expect(row && made(row)).toHaveLength(4);
  });

  it("list the last value of a line, its result, however many come before it", () => {
    const long = { ...code, marks: [{ line: 2, nodes: [], runs: [[0, 1, 2, 0, 1, 2, 0, 1, 3]] }] };
    const [run] = rows([], long)[1]?.runs ?? [];
    expect(run?.made.map(({ node }) => node)).toEqual([0, 1, 2, 0, 1, 3]);
    expect(run?.more).toBe(3);
  });

  it("keep the runs of a line apart, and know which one is pointed at", () => {
    const loop = { ...code, marks: [{ line: 2, nodes: [1, 2, 3], runs: [[1], [2], [3]] }] };
    expect(rows([], loop)[1]).toMatchObject({ hot: -1, on: false });
    expect(rows([2], loop)[1]).toMatchObject({ hot: 1, on: true });
    expect(rows([], loop)[1]?.runs.map(({ nodes }) => nodes)).toEqual([[1], [2], [3]]);
  });

  it("show the functions of other cells below, each with its heading and runs of its own", () => {
    const marks = [{ line: 2, nodes: [2, 3], runs: [[2], [3]] }];
    const called = { title: "f, cell 1", first: 1, lines: ["def f(x):", "  x"], failed: 2, marks };
    const [, second, , head, body] = rows([2], { ...code, called: [called] });
    expect(head).toMatchObject({ key: "1:1", title: "f, cell 1", line: 1, on: false });
    expect(body).toMatchObject({ key: "1:2", title: "", line: 2, hot: 0, on: true, failed: true });
    expect(second).toMatchObject({ key: "2", title: "", on: true, failed: false });
  });

  it("tell the rule of what was computed, and nothing for an input", () => {
    const [inputs, results] = rows([]);
    expect(inputs && made(inputs).map(({ rule }) => rule)).toEqual(["", ""]);
    expect(results && made(results).map(({ rule }) => rule)).toEqual([
      "∂/∂a = b, ∂/∂b = a",
      "∂/∂(a * b) = 1, ∂/∂a = 1",
    ]);
  });

  it("set a measured slope beside the gradient", () => {
    const measured = { h: 0.001, slope: [-2.001, null, null, null] };
    const ran = { ...numbers, ran: true, grad: [-2, 2, 1, 1] };
    const now = readingsAt(structure, ran, tapeOf(structure, ran), -1, 4);
    const shown = { structure, numbers: ran, readings: now, precision: 4 };
    const [first] = rowsOf(shown, { ...code, measured }, []);
    expect(first && made(first).map((value) => value.measured)).toEqual([
      "measured −2.001 · error −0.001 · h 0.001",
      "",
    ]);
  });
});
