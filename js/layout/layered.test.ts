import { describe, expect, it } from "vitest";
import { BLOG, EXERCISE, LOSS, NEURON, parsed, type Row } from "../fixtures";
import { type LayoutInput, layout, type Point } from "./layered";
import { crossings, hits, lines, rects, segments } from "./picture";

type Pair = readonly [source: number, target: number];

/** A graph of equal cards. */
function graph(size: number, pairs: readonly Pair[]): LayoutInput {
  return {
    sizes: Array.from({ length: size }, () => ({ width: 120, height: 54 })),
    edges: pairs.map(([source, target]) => ({ source, target })),
  };
}

/** A lesson's graph, with cards as wide as their labels. */
function lesson(rows: readonly Row[]): LayoutInput {
  const { nodes, edges } = parsed(rows).structure;
  return {
    sizes: nodes.label.map((label) => ({ width: 100 + 7 * label.length, height: 56 })),
    edges: edges.source.map((source, edge) => ({ source, target: edges.target[edge] as number })),
  };
}

/** The same "random" graph on every run: `size` values of two operands each. */
function random(seed: number, size: number): LayoutInput {
  let state = seed;
  const below = (bound: number): number => {
    state = (state * 48271) % 2147483647;
    return state % bound;
  };
  const pairs: Pair[] = [];
  for (let target = 3; target < size; target++) {
    pairs.push(
      [target - 1 - below(Math.min(target, 60)), target],
      [target - 1 - below(Math.min(target, 8)), target],
    );
  }
  const sizes = Array.from({ length: size }, () => ({ width: 60 + below(120), height: 54 }));
  return { ...graph(size, pairs), sizes };
}

const tree = (depth: number): LayoutInput => {
  const pairs: Pair[] = [];
  const grow = (level: number, next: number): number => {
    if (level === 0) return next;
    const left = grow(level - 1, next);
    const right = grow(level - 1, left + 1);
    pairs.push([left, right + 1], [right, right + 1]);
    return right + 1;
  };
  return graph(grow(depth, 0) + 1, pairs);
};

/** `s = s + x`, over and over. */
const loop = (size: number): LayoutInput =>
  graph(
    size,
    Array.from({ length: size - 2 }, (_, i): Pair[] => [
      [i + 1, i + 2],
      [0, i + 2],
    ]).flat(),
  );

const LESSONS: Record<string, LayoutInput> = {
  "c = a * b + a": lesson(EXERCISE),
  "the neuron": lesson(NEURON),
  "L = (a*b + c) * f": lesson(LOSS),
  "the blog's example": lesson(BLOG),
};
const GRAPHS: Record<string, LayoutInput> = {
  ...LESSONS,
  "a * a": graph(2, [
    [0, 1],
    [0, 1],
  ]),
  "a tree": tree(5),
  "a loop": loop(12),
  "thirty doublings": graph(
    31,
    Array.from({ length: 30 }, (_, i): Pair[] => [
      [i, i + 1],
      [i, i + 1],
    ]).flat(),
  ),
  "parts that do not touch": graph(7, [
    [0, 2],
    [1, 2],
    [4, 5],
  ]),
  "60 values at random": random(7, 60),
  "200 values at random": random(11, 200),
  "1,000 values at random": random(3, 1000),
  "a loop of 1,000 values": loop(1000),
};

// -- what holds for every picture ----------------------------------------------------------------

describe.each(Object.entries(GRAPHS))("the layout of %s", (_name, input) => {
  const placed = layout(input);
  const cards = rects(input, placed);

  it("is the same every time", () => {
    expect(layout(structuredClone(input))).toEqual(placed);
  });

  it("puts operands left of their results", () => {
    for (const { source, target } of input.edges) {
      expect(placed.layers[source]).toBeLessThan(placed.layers[target] as number);
      expect(cards[source]?.right).toBeLessThan(cards[target]?.left as number);
    }
  });

  it.each(["LR", "TB"] as const)("keeps cards apart, %s", (rankdir) => {
    const turned = rects(input, layout(input, { rankdir }));
    turned.sort((a, b) => a.left - b.left);
    const overlapping = turned.filter((a, i) => {
      const past = turned.findIndex((b, j) => j > i && b.left >= a.right);
      const beside = turned.slice(i + 1, past < 0 ? undefined : past);
      return beside.some((b) => a.top < b.bottom && b.top < a.bottom);
    });
    expect(overlapping).toHaveLength(0);
  });

  it("fills its frame exactly", () => {
    const points = placed.routes.flat();
    const least = (numbers: number[]) => numbers.reduce((a, b) => Math.min(a, b));
    const most = (numbers: number[]) => numbers.reduce((a, b) => Math.max(a, b));
    expect(least(cards.map(({ left }) => left))).toBeCloseTo(0);
    expect(most(cards.map(({ right }) => right))).toBeCloseTo(placed.width);
    expect(least([...cards.map(({ top }) => top), ...points.map(({ y }) => y)])).toBeGreaterThan(
      -1e-6,
    );
    expect(most([...cards.map(({ bottom }) => bottom), ...points.map(({ y }) => y)])).toBeLessThan(
      placed.height + 1e-6,
    );
  });

  it("routes no edge through a card", () => {
    const hit = lines(input, placed).filter((line) =>
      segments(line).some((segment) => cards.some((card) => hits(segment, card))),
    );
    expect(hit).toHaveLength(0);
  });
});

describe("layout", () => {
  it("takes a graph without nodes", () => {
    expect(layout(graph(0, []))).toEqual({
      width: 0,
      height: 0,
      nodes: [],
      layers: [],
      routes: [],
    });
  });

  it("takes a single node", () => {
    const placed = layout(graph(1, []));
    expect(placed).toEqual({
      width: 120,
      height: 54,
      nodes: [{ x: 60, y: 27 }],
      layers: [0],
      routes: [],
    });
  });

  it("refuses a cycle", () => {
    const cycle = graph(2, [
      [0, 1],
      [1, 0],
    ]);
    expect(() => layout(cycle)).toThrow("A graph with a cycle has no layers.");
  });

  it("respects the gaps", () => {
    const { nodes } = layout(
      graph(3, [
        [0, 2],
        [1, 2],
      ]),
      { layerGap: 50, nodeGap: 10 },
    );
    expect(nodes).toEqual([
      { x: 60, y: 27 },
      { x: 60, y: 91 },
      { x: 230, y: 59 },
    ]);
  });

  it("turns the picture for TB", () => {
    const square = { sizes: [40, 40, 40].map((side) => ({ width: side, height: side })) };
    const input = {
      ...square,
      edges: graph(3, [
        [0, 2],
        [1, 2],
      ]).edges,
    };
    const across = layout(input, { rankdir: "LR" });
    const down = layout(input, { rankdir: "TB" });
    expect(down.nodes).toEqual(across.nodes.map(({ x, y }) => ({ x: y, y: x })));
    expect([down.width, down.height]).toEqual([across.height, across.width]);
  });

  it("moves a value that is used once next to its consumer", () => {
    const { layers } = layout(lesson(NEURON));
    expect(layers).toEqual([0, 0, 1, 0, 0, 1, 2, 2, 3, 4]);
  });

  it("draws an input of 1,000 steps with few points", () => {
    const { routes } = layout(loop(1000));
    expect(routes.flat().length).toBeLessThan(5 * routes.length);
  });
});

describe("a picture too large to follow its edges", () => {
  const size = 400;
  const pairs = Array.from({ length: size - 2 }, (_, i): Pair[] => [
    [i, i + 1],
    [i, size - 1],
  ]).flat();

  it("runs long edges straight", () => {
    const { nodes, routes } = layout(graph(size, pairs));
    expect(nodes).toHaveLength(size);
    expect(routes.flat()).toEqual([]);
  });
});

describe("order", () => {
  it.each<[string, LayoutInput, number]>([
    ["c = a * b + a", LESSONS["c = a * b + a"] as LayoutInput, 0],
    ["the neuron", LESSONS["the neuron"] as LayoutInput, 0],
    ["L = (a*b + c) * f", LESSONS["L = (a*b + c) * f"] as LayoutInput, 0],
    ["a tree", tree(5), 0],
    ["a loop", loop(12), 0],
    [
      "a reversed matching",
      graph(8, [
        [0, 7],
        [1, 6],
        [2, 5],
        [3, 4],
      ]),
      0,
    ],
    [
      "two by two",
      graph(4, [
        [0, 2],
        [1, 2],
        [0, 3],
        [1, 3],
      ]),
      1,
    ],
    [
      "three by three",
      graph(
        6,
        [0, 1, 2].flatMap((a): Pair[] => [
          [a, 3],
          [a, 4],
          [a, 5],
        ]),
      ),
      9,
    ],
    [
      "a ring of six",
      graph(6, [
        [0, 3],
        [1, 3],
        [1, 4],
        [2, 4],
        [2, 5],
        [0, 5],
      ]),
      2,
    ],
  ])("%s has as few crossings as there can be", (_name, input, fewest) => {
    expect(crossings(input)).toBe(fewest);
  });

  /** The labels of the cards of one layer, from top to bottom. */
  function column(rows: readonly Row[], layer: number): string[] {
    const { nodes, layers } = layout(lesson(rows));
    return rows
      .map(({ label }, node) => ({ label, y: nodes[node]?.y as number, layer: layers[node] }))
      .filter((one) => one.layer === layer)
      .sort((a, b) => a.y - b.y)
      .map(({ label }) => label);
  }

  it("shows operands in the order of the source", () => {
    expect(column(EXERCISE, 0)).toEqual(["a", "b"]);
    expect(column(NEURON, 0)).toEqual(["x1", "w1", "x2", "w2"]);
    expect(column(NEURON, 2)).toEqual(["x1*w1 + x2*w2", "b"]);
    expect([0, 1, 2].map((layer) => column(LOSS, layer))).toEqual([
      ["a", "b"],
      ["e", "c"],
      ["d", "f"],
    ]);
  });

  it("leads the long edge of c = a * b + a over a * b", () => {
    const { nodes, routes } = layout(lesson(EXERCISE));
    const [over] = routes[3] as [Point];
    expect(routes.map((route) => route.length)).toEqual([0, 0, 0, 1]);
    expect(over.y).toBeLessThan((nodes[2] as Point).y - 28);
    expect(nodes.map(({ x }) => x)).toEqual([...nodes.map(({ x }) => x)].sort((a, b) => a - b));
  });
});
