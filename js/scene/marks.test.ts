import { describe, expect, it } from "vitest";
import { type Numbers, parseGraph, parseNumbers } from "../contract";
import { EXERCISE, messages, NEURON, parsed, type Row } from "../fixtures";
import { NO_OVERLAY } from "../modes/mode";
import { tapeOf } from "../tape";
import { cardOf, roomsOf } from "./cards";
import { overlap } from "./curves";
import { frameOf } from "./frame";
import { flowWidth, type Scene, sceneOf } from "./marks";
import { roughMeasure } from "./measure";
import { readingsAt } from "./readings";

const SQUARE: readonly Row[] = [
  { label: "a", data: 3 },
  {
    label: "c",
    data: 9,
    rule: "mul",
    operands: [
      ["a", 3],
      ["a", 3],
    ],
  },
];

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

interface Moment {
  step?: number;
  ran?: boolean;
  hovered?: readonly number[];
  rankdir?: "LR" | "TB";
  overrides?: Record<string, unknown>;
  wrong?: Numbers["wrong"];
}

function drawn(rows: readonly Row[], moment: Moment = {}) {
  const { step = -1, ran = false, hovered = [], rankdir = "LR", overrides = {} } = moment;
  const { structure, numbers: unrun } = parsed(rows, overrides);
  const tape = tapeOf(structure, unrun);
  const after = ran ? { ...unrun, ran, grad: tape.gradients } : unrun;
  const numbers: Numbers = { ...after, ...(moment.wrong && { wrong: moment.wrong }) };
  const rooms = roomsOf(numbers, tape, 4, roughMeasure);
  const cards = rooms.map((room, node) => cardOf(structure, node, room, roughMeasure, rankdir));
  const frame = frameOf(structure, cards, rankdir);
  const readings = readingsAt(structure, numbers, tape, step, 4);
  const attention = { step, precision: 4, hovered, pinned: -1, overlay: NO_OVERLAY };
  return { frame, structure, scene: sceneOf(structure, numbers, tape, frame, readings, attention) };
}

const scene = (rows: readonly Row[], moment: Moment = {}): Scene => drawn(rows, moment).scene;
const grads = ({ nodes }: Scene) => nodes.map(({ grad }) => grad?.text);

describe("nodes", () => {
  it("says that backward has not run, and no misleading 0", () => {
    expect(grads(scene(EXERCISE))).toEqual(["not run", "not run", "not run", "not run"]);
  });

  it("shows gradients with their sign as tone after backward", () => {
    const { nodes } = scene(EXERCISE, { ran: true });
    expect(nodes.map(({ grad }) => grad)).toEqual([
      { text: "−2", tone: "neg" },
      { text: "2", tone: "pos" },
      { text: "1", tone: "pos" },
      { text: "1", tone: "pos" },
    ]);
  });

  it("tells inputs, constants and the root apart", () => {
    const { nodes } = scene(HALVED, { ran: true });
    expect(nodes.map(({ bar }) => bar)).toEqual(["start", null, "end"]);
    expect(nodes[1]?.className).toContain("gg-constant");
    expect(nodes[1]?.grad).toBeNull();
  });

  it("reads a node out in one line", () => {
    const spoken = scene(EXERCISE, { ran: true }).nodes.map((node) => node.spoken);
    expect(spoken[0]).toBe("a, data 2, grad −2");
    expect(spoken[3]).toBe("c, data −4, grad 1, +, root");
  });

  it("describes the whole picture in a sentence", () => {
    expect(scene(EXERCISE).spoken).toBe(
      "Computation graph of c: 4 values, 2 operations. Backward has not run.",
    );
  });
});

describe("the tape", () => {
  it("hides results that the forward pass has not computed; inputs are there from the start", () => {
    const { nodes } = scene(EXERCISE, { step: 0 });
    expect(nodes.map(({ data }) => data.text)).toEqual(["2", "−3", "…", "…"]);
  });

  it("shows running totals, and only of what has arrived", () => {
    expect(grads(scene(EXERCISE, { step: 4 }))).toEqual(["1 + …", "not yet", "1", "1"]);
    expect(grads(scene(EXERCISE, { step: 5 }))).toEqual(["−2", "2", "1", "1"]);
  });

  it("outlines the node of the step", () => {
    const on = scene(EXERCISE, { step: 5 }).nodes.filter(({ className }) =>
      className.split(" ").includes("gg-on"),
    );
    expect(on.map(({ id }) => id)).toEqual([2]);
  });

  it("writes slope × gradient on the edges of the step", () => {
    const { labels } = scene(EXERCISE, { step: 5 });
    expect(labels.map(({ text, className }) => [text, className])).toEqual([
      ["−3 × 1", "gg-label gg-neg"],
      ["2 × 1", "gg-label gg-pos"],
    ]);
  });

  it("draws the flow of this step and, quietly, of those before", () => {
    const flows = scene(EXERCISE, { step: 5 }).edges.map(({ flow }) => flow?.className);
    expect(flows).toEqual([
      "gg-flow gg-neg",
      "gg-flow gg-pos",
      "gg-flow gg-pos gg-quiet",
      "gg-flow gg-pos gg-quiet",
    ]);
  });
});

describe("flows", () => {
  it("are absent before backward", () => {
    expect(scene(EXERCISE).edges.every(({ flow }) => flow === null)).toBe(true);
  });

  it("are as wide as the square root of their share", () => {
    expect(flowWidth(8, 8)).toBe(7);
    expect(flowWidth(2, 8)).toBeCloseTo((1.8 + 7) / 2);
    expect(flowWidth(-8, 8)).toBe(7);
    expect(flowWidth(0, 8)).toBe(1.8);
  });

  it("stay visible where they are not numbers", () => {
    expect(flowWidth(Number.NaN, 8)).toBe(7);
    expect(flowWidth(Number.POSITIVE_INFINITY, 0)).toBe(7);
  });

  it("never run to a constant", () => {
    const [toValue, toConstant] = scene(HALVED, { ran: true }).edges;
    expect(toValue?.flow).not.toBeNull();
    expect(toConstant?.flow).toBeNull();
    expect(scene(HALVED, { step: 3 }).labels).toHaveLength(1);
  });
});

describe("an edge along which a rule does wrong", () => {
  const wrong = new Map([[1, { mark: "-3, not 2", said: "" }]]);

  it("is drawn as such, carries two numbers, and is spoken of at its result", () => {
    for (const ran of [false, true]) {
      const { edges, labels, nodes } = scene(EXERCISE, { ran, wrong });
      const marked = edges.filter(({ className }) => className.includes("gg-wrong"));
      expect(marked.map(({ edge }) => edge)).toEqual([1]);
      expect(marked[0]?.flow?.className.includes("gg-wrong")).toBe(ran || undefined);
      expect(labels.map(({ text }) => text)).toEqual(["✗ −3, not 2"]);
      expect(nodes[2]?.spoken).toMatch(/, wrong on the way to b: -3, not 2$/);
    }
  });

  it("keeps its words where they are while contributions come and go", () => {
    const [still] = scene(EXERCISE, { wrong }).labels;
    const { labels } = scene(EXERCISE, { wrong, step: 5 });
    expect(labels).toHaveLength(3);
    expect(labels[0]).toEqual(still);
  });
});

describe("geometry", () => {
  it.each(["LR", "TB"] as const)("keeps cards apart (%s)", (rankdir) => {
    const { boxes } = drawn(NEURON, { rankdir }).frame;
    for (const [at, box] of boxes.entries()) {
      for (const other of boxes.slice(at + 1)) expect(overlap(box, other)).toBe(0);
    }
  });

  it("draws two curves for a value used twice", () => {
    const [one, two] = scene(SQUARE).edges;
    expect(one?.path).not.toBe(two?.path);
  });

  it("marks an edge that stands for several uses", () => {
    const [a, c] = SQUARE as [Row, Row];
    const edges = { source: [0], target: [1], operand: [null], count: [2] };
    const rows: readonly Row[] = [a, { ...c, operands: [["a", 6]] }];
    const { labels } = scene(rows, { overrides: { edges } });
    expect(labels.map(({ text }) => text)).toEqual(["×2"]);
  });

  it("begins curves at the operand's edge and ends them at the disc", () => {
    const { frame } = drawn(EXERCISE);
    const [corner, card] = [frame.corners[0], frame.cards[0]];
    const start = frame.curves[0]?.[0]?.[0];
    expect(start?.x).toBeCloseTo((corner?.x ?? 0) + (card?.width ?? 0));
    const end = frame.curves[0]?.at(-1)?.[3];
    const [target, of] = [frame.corners[2], frame.cards[2]];
    const centre = {
      x: (target?.x ?? 0) + (of?.disc.x ?? 0),
      y: (target?.y ?? 0) + (of?.disc.y ?? 0),
    };
    expect(Math.hypot((end?.x ?? 0) - centre.x, (end?.y ?? 0) - centre.y)).toBeCloseTo(15);
  });

  it("puts labels clear of the cards", () => {
    const { frame, scene: drawing } = drawn(EXERCISE, { step: 5 });
    for (const { at, text } of drawing.labels) {
      const width = roughMeasure(text, "number");
      const box = { x: at.x - width / 2, y: at.y - 8, width, height: 16 };
      expect(frame.boxes.reduce((sum, card) => sum + overlap(card, box), 0)).toBe(0);
    }
  });
});

describe("attention", () => {
  it("lights the edges of the node that is pointed at", () => {
    const { edges } = scene(EXERCISE, { hovered: [1] });
    expect(edges.map(({ className }) => className.includes("gg-hot"))).toEqual([
      false,
      true,
      false,
      false,
    ]);
  });
});

describe("rooms", () => {
  it("are kept by numbers that are wider later, which are drawn narrower", () => {
    const { graph, numbers } = messages(EXERCISE);
    const structure = parseGraph(graph);
    const [first, later] = [numbers.data, [-0.0001234567, 1, 1, 1]].map((data) =>
      parseNumbers({ ...numbers, data }, structure),
    ) as [Numbers, Numbers];
    const rooms = roomsOf(first, tapeOf(structure, first), 4, roughMeasure);
    const cards = rooms.map((room, node) => cardOf(structure, node, room, roughMeasure));
    const frame = frameOf(structure, cards);
    const attention = { step: -1, precision: 4, hovered: [], pinned: -1, overlay: NO_OVERLAY };
    const [fits, squeezed] = [first, later].map((numbers) => {
      const tape = tapeOf(structure, numbers);
      const readings = readingsAt(structure, numbers, tape, -1, 4);
      return sceneOf(structure, numbers, tape, frame, readings, attention).nodes[0]?.squeeze.data;
    });
    expect(fits).toBeNull();
    expect(squeezed).toBeLessThan(roughMeasure("−0.0001235", "number"));
  });
});
