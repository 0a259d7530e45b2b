import { describe, expect, it } from "vitest";
import { BLOG, EXERCISE, NEURON, parsed } from "../fixtures";
import { NO_OVERLAY } from "../modes/mode";
import { dimmed, lineageOf, matches } from "./find";

const { structure } = parsed(NEURON);
const names = (nodes: Iterable<number>) => [...nodes].map((node) => structure.nodes.label[node]);

describe("matches", () => {
  it("finds by name, whatever the case", () => {
    expect(names(matches(structure, "X1"))).toEqual(["x1", "x1*w1", "x1*w1 + x2*w2"]);
  });

  it("finds by operation", () => {
    expect(names(matches(structure, "tanh"))).toEqual(["o"]);
    expect(names(matches(structure, "×"))).toEqual(["x1*w1", "x2*w2"]);
  });

  it("finds by source text", () => {
    const text = structure.nodes.id.map((node) => (node === 8 ? "n = z + b  # pre" : null));
    const told = { ...structure, nodes: { ...structure.nodes, text } };
    expect(matches(told, "# pre")).toEqual([8]);
  });

  it("finds nothing for nothing", () => {
    expect(matches(structure, "  ")).toEqual([]);
    expect(matches(structure, "no such")).toEqual([]);
  });
});

describe("lineageOf", () => {
  it("is a value, what it was made of and what was made of it", () => {
    const kin = lineageOf(structure, 5);
    expect(names(kin?.nodes ?? [])).toEqual(["x2*w2", "x2", "w2", "x1*w1 + x2*w2", "n", "o"]);
    expect(kin?.edges.size).toBe(5);
  });

  it("leaves out an edge that passes the value by", () => {
    const { structure: exercise } = parsed(EXERCISE);
    const kin = lineageOf(exercise, 2);
    expect([...(kin?.nodes ?? [])].sort()).toEqual([0, 1, 2, 3]);
    const passing = exercise.edges.source.findIndex(
      (from, edge) => from === 0 && exercise.edges.target[edge] === 3,
    );
    expect(kin?.edges.has(passing)).toBe(false);
  });

  it("holds every value of a graph for its root, and nothing for none", () => {
    const blog = parsed(BLOG).structure;
    expect(lineageOf(blog, blog.root)?.nodes.size).toBe(blog.nodes.id.length);
    expect(lineageOf(blog, -1)).toBeNull();
  });
});

describe("dimmed", () => {
  it("changes nothing while nothing is looked for", () => {
    expect(dimmed(structure, NO_OVERLAY, null, null)).toBe(NO_OVERLAY);
  });

  it("lights what was found and dims the rest, keeping what was there", () => {
    const nodes = new Map([[0, { className: "gg-ran", spoken: "ran" }]]);
    const overlay = dimmed(structure, { nodes }, [9], null);
    expect(overlay.nodes?.get(9)?.className).toBe("gg-lit");
    expect(overlay.nodes?.get(0)).toEqual({ className: "gg-ran gg-dim", spoken: "ran" });
    expect(overlay.edges?.size).toBe(structure.edges.source.length);
  });

  it("dims all but the lineage", () => {
    const overlay = dimmed(structure, NO_OVERLAY, null, lineageOf(structure, 9));
    expect(overlay.nodes?.size).toBe(0);
    expect(overlay.edges?.size).toBe(0);
  });
});
