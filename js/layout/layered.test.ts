import { describe, expect, it } from "vitest";
import { BLOG, EXERCISE, LOSS, NEURON, parsed, type Row } from "../fixtures";
import { type Layout, type LayoutInput, layout, type Point } from "./layered";

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

// -- the picture ---------------------------------------------------------------------------------

interface Rect {
  left: number;
  right: number;
  top: number;
  bottom: number;
}

function rects({ sizes }: LayoutInput, { nodes }: Layout): Rect[] {
  return nodes.map(({ x, y }, node) => {
    const { width, height } = sizes[node] as { width: number; height: number };
    return {
      left: x - width / 2,
      right: x + width / 2,
      top: y - height / 2,
      bottom: y + height / 2,
    };
  });
}

/** Per layer the interval that its cards cover. */
function bands(cards: Rect[], { layers }: Layout): { left: number; right: number }[] {
  const found: { left: number; right: number }[] = [];
  for (const [node, layer] of layers.entries()) {
    const { left, right } = cards[node] as Rect;
    const band = found[layer] ?? { left, right };
    found[layer] = { left: Math.min(band.left, left), right: Math.max(band.right, right) };
  }
  return found;
}

/** Each edge as it is drawn, left to right: level inside a layer, straight between layers. */
function lines(input: LayoutInput, placed: Layout): Point[][] {
  const cards = rects(input, placed);
  const columns = bands(cards, placed);
  return input.edges.map(({ source, target }, edge) => {
    const [from, to] = [placed.nodes[source] as Point, placed.nodes[target] as Point];
    const [out, into] = [
      columns[placed.layers[source] as number],
      columns[placed.layers[target] as number],
    ];
    const route = (placed.routes[edge] ?? []).flatMap(({ x, y }) => {
      const column = columns.find(({ left, right }) => left <= x && x <= right) ?? {
        left: x,
        right: x,
      };
      return [
        { x: column.left, y },
        { x: column.right, y },
      ];
    });
    return [
      { x: (cards[source] as Rect).right, y: from.y },
      { x: out?.right ?? 0, y: from.y },
      ...route,
      { x: into?.left ?? 0, y: to.y },
      { x: (cards[target] as Rect).left, y: to.y },
    ];
  });
}

function segments(line: readonly Point[]): [Point, Point][] {
  return line.slice(1).map((point, i) => [line[i] as Point, point]);
}

const turn = (a: Point, b: Point, c: Point): number =>
  Math.sign((b.x - a.x) * (c.y - a.y) - (b.y - a.y) * (c.x - a.x));

function cross([a, b]: [Point, Point], [c, d]: [Point, Point]): boolean {
  return turn(a, b, c) * turn(a, b, d) < 0 && turn(c, d, a) * turn(c, d, b) < 0;
}

function crossings(input: LayoutInput, placed = layout(input)): number {
  const drawn = lines(input, placed);
  let count = 0;
  for (const [i, one] of drawn.entries()) {
    for (const other of drawn.slice(i + 1)) {
      for (const a of segments(one)) for (const b of segments(other)) count += Number(cross(a, b));
    }
  }
  return count;
}

/** Whether a segment enters the inside of a card. */
function hits([a, b]: [Point, Point], { left, right, top, bottom }: Rect): boolean {
  const [from, to] = [Math.max(left + 0.5, a.x), Math.min(right - 0.5, b.x)];
  if (from >= to) return false;
  const level = (x: number): number => a.y + ((b.y - a.y) * (x - a.x)) / (b.x - a.x);
  const [low, high] = [level(from), level(to)].sort((p, q) => p - q) as [number, number];
  return high > top + 0.5 && low < bottom - 0.5;
}

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
