import { describe, expect, it } from "vitest";
import { WireError } from "./checks";
import { parseGraph, parseNumbers } from "./contract";
import { EXERCISE, messages } from "./fixtures";

/** The exercise's graph with one place changed: `broken("nodes.id", [3])`. */
function broken(path: string, value: unknown): unknown {
  const graph = structuredClone(messages(EXERCISE).graph) as Record<string, unknown>;
  const keys = path.split(".");
  const last = keys.pop() as string;
  const owner = keys.reduce((object, key) => object[key] as Record<string, unknown>, graph);
  owner[last] = value;
  return graph;
}

describe("parseGraph", () => {
  it("keeps the columns and indexes them", () => {
    const structure = parseGraph(messages(EXERCISE).graph);
    expect(structure.nodes.label).toEqual(["a", "b", "a * b", "c"]);
    expect(structure.operandEdges).toEqual([[], [], [0, 1], [2, 3]]);
    expect(structure.consumerEdges).toEqual([[3, 0], [1], [2], []]);
    expect(structure.rules.get("mul")?.partials.map(({ expr }) => expr)).toEqual(["y", "x"]);
  });

  it("finds nodes by id when some of the graph is not drawn", () => {
    const structure = parseGraph(broken("nodes.id", [4, 7, 8, 20]));
    expect(structure.indexOf.get(20)).toBe(3);
    expect(structure.indexOf.has(0)).toBe(false);
  });

  it("lists operands by position, whatever the order of the columns", () => {
    const structure = parseGraph(broken("edges.operand", [1, 0, null, 0]));
    expect(structure.operandEdges).toEqual([[], [], [1, 0], [3, 2]]);
  });

  it("decodes non-finite constants in a rule", () => {
    const rules = structuredClone(messages(EXERCISE).graph.rules) as Record<
      string,
      { forward: unknown }
    >;
    (rules.mul as { forward: unknown }).forward = { text: "", expr: ["mul", "Infinity", "x"] };
    const rule = parseGraph(broken("rules", rules)).rules.get("mul");
    expect(rule?.forward.expr).toEqual(["mul", Number.POSITIVE_INFINITY, "x"]);
  });

  it("keeps hostile strings as they are", () => {
    const labels = ["<img src=x onerror=alert(1)>", "P(x|y) {0} <b>", "</script>", "__proto__"];
    expect(parseGraph(broken("nodes.label", labels)).nodes.label).toEqual(labels);
  });

  it("reads an empty set of edges and the code beside the graph", () => {
    const code = {
      first: 1,
      lines: ["a = Value(1.0)"],
      failed: 1,
      marks: [{ line: 1, nodes: [0] }],
      called: [{ title: "f, cell 1", first: 3, lines: ["def f(): ..."], failed: null, marks: [] }],
    };
    const { graph } = messages([{ label: "a", data: 1 }], { code });
    expect(parseGraph(graph).code).toEqual(code);
  });

  it.each<[string, unknown, string]>([
    ["format", "other", "This is not a glassgrad graph. Show a Value with gg.show(value)."],
    [
      "version",
      2,
      "This page reads version 1 of a glassgrad graph and was sent version 2. Restart the kernel and reload the page, so that both use the same glassgrad.",
    ],
  ])("says in one sentence that the %s is another", (path, value, sentence) => {
    expect(() => parseGraph(broken(path, value))).toThrow(new WireError(sentence));
  });

  it.each<[string, unknown, string]>([
    ["root", 4, "root must be an index below 4, but it is 4"],
    ["title", undefined, "title must be a string, but it is missing"],
    ["total", -1, "total must be a whole number, 0 or more, but it is -1"],
    ["notice", 3, "notice must be a string, but it is 3"],
    ["messages", {}, "messages must be a list, but it is an object"],
    ["nodes", null, "nodes must be an object, but it is null"],
    ["nodes.id", [0, 2, 1, 3], "nodes.id[2] must be larger than the id before it, but it is 1"],
    ["nodes.label", ["a"], "nodes.label must be a list of 4, but it is a list of 1"],
    ["nodes.label", [1, "b", "", "c"], "nodes.label[0] must be a string, but it is 1"],
    [
      "nodes.kind",
      ["tree", "leaf", "leaf", "leaf"],
      'nodes.kind[0] must be leaf, parameter, constant, result or group, but it is "tree"',
    ],
    [
      "nodes.rule",
      [null, null, "pow", "add"],
      'nodes.rule[2] must be one of the rules sent along, but it is "pow"',
    ],
    ["edges.source", [0, 1, 2, 9], "edges.source[3] must be an index below 4, but it is 9"],
    [
      "edges.source",
      [0, 1, 3, 0],
      "edges.source[2] must be an operand that comes before its result, but it is 3",
    ],
    ["edges.target", [2, 2, 3], "edges.target must be a list of 4, but it is a list of 3"],
    [
      "edges.operand",
      [0, 1, 0, 0.5],
      "edges.operand[3] must be a whole number, 0 or more, but it is 0.5",
    ],
    ["rules", [], "rules must be an object, but it is a list of 0"],
    [
      "code",
      { first: 1, lines: [], failed: null, marks: [{ line: 1, nodes: [], runs: [[9]] }] },
      "code.marks[0].runs[0][0] must be an index below 4, but it is 9",
    ],
    [
      "code",
      { first: 1, lines: [], failed: null, marks: [], measured: { h: 1, slope: [] } },
      "code.measured.slope must be a list of 4, but it is a list of 0",
    ],
    ["code", {}, "code.first must be a whole number, 0 or more, but it is missing"],
  ])("rejects a bad %s", (path, value, problem) => {
    expect(() => parseGraph(broken(path, value))).toThrow(WireError);
    expect(() => parseGraph(broken(path, value))).toThrow(`The graph cannot be drawn: ${problem}.`);
  });

  it.each([null, 3, "graph", [], undefined])("rejects %j for a graph", (value) => {
    expect(() => parseGraph(value)).toThrow(WireError);
  });
});

describe("parseNumbers", () => {
  const { graph, numbers } = messages(EXERCISE);
  const structure = parseGraph(graph);

  it("decodes the non-finite and keeps null apart from them", () => {
    const data = ["NaN", "Infinity", "-Infinity", 0];
    const read = parseNumbers({ ...numbers, data, grad: [null, "NaN", 0, 1] }, structure);
    expect([...read.data]).toEqual([
      Number.NaN,
      Number.POSITIVE_INFINITY,
      Number.NEGATIVE_INFINITY,
      0,
    ]);
    expect(read.grad).toEqual([null, Number.NaN, 0, 1]);
  });

  it.each<[string, unknown, string]>([
    ["ran", 1, "ran must be true or false, but it is 1"],
    ["data", [1, 2, 3], "data must be a list of 4, but it is a list of 3"],
    ["data", [1, 2, 3, null], "data[3] must be a number, but it is null"],
    ["grad", [1, 2, 3, "nan"], 'grad[3] must be a number, but it is "nan"'],
    ["grad", [1, 2, 3, Number.NaN], "grad[3] must be a number, but it is NaN"],
    ["slope", [1], "slope must be a list of 4, but it is a list of 1"],
    ["notes", undefined, "notes must be an object, but it is missing"],
    [
      "notes",
      { nodes: [[4, ""]], edges: [], cells: [] },
      "notes.nodes[0][0] must be an index below 4",
    ],
    ["notes", { nodes: [], edges: [[0, "2"]], cells: [] }, "notes.edges[0][2] must be a string"],
  ])("rejects a bad %s", (name, value, problem) => {
    const read = () => parseNumbers({ ...numbers, [name]: value }, structure);
    expect(read).toThrow(WireError);
    expect(read).toThrow(problem);
  });
});
