import { describe, expect, it } from "vitest";
import wire from "../../tests/wire/folded.json";
import type { Command } from "../commands";
import { apart, parseGraph, parseNumbers } from "../contract";
import { createDeriver, type Derived } from "../derive";
import { explain } from "../panels/explain";
import { plainText } from "../phrases";
import { roughMeasure } from "../scene/measure";
import { createStandIn } from "../standin";
import { goTo, INITIAL, receive, type State } from "../store";
import { tableRows, UNSORTED } from "../table/rows";
import { flowOf } from "../tape";
import { FOLDED } from "./fold";
import { modeIn, modeOf } from "./table";

const structure = parseGraph(wire.graph);
const numbers = parseNumbers(wire.numbers, structure);
const holding = receive(structure, numbers)(INITIAL);
const at = (label: string): number => structure.nodes.label.indexOf(label);
const LAYER = at("layer 2");

function derived(state: State = holding): Derived {
  const found = createDeriver(roughMeasure)(state);
  if (!found) throw new Error("nothing was derived");
  return found;
}

const told = (label: string) => explain({ ...derived(), step: -1, precision: 4 }, at(label));

describe("a folded picture", () => {
  it("knows its groups, and which are open", () => {
    expect(structure.folds?.opened).toEqual([["layer 1", "layer 1"]]);
    expect(structure.folds?.groups.get(LAYER)).toEqual({
      name: "layer 2",
      says: "1 neuron × 6",
      size: 27,
    });
  });

  it("shows what a group counts in place of a number that it has not", () => {
    const { scene, readings } = derived();
    const mark = scene.nodes.find(({ id }) => id === structure.nodes.id[LAYER]);
    expect(readings[LAYER]?.data.text).toBe("1 neuron × 6");
    expect(mark).toMatchObject({ grad: null, spoken: "layer 2, 1 neuron × 6, group" });
    expect(mark?.className).toContain("gg-many");
  });

  it("shows the numbers of a group that has one result", () => {
    const sum = at("Σ · 6 in a row");
    const { data, grad } = derived().readings[sum] ?? {};
    expect(numbers.data[structure.root]).toBe(0.5 * (numbers.data[sum] ?? 0));
    expect([data?.text, grad?.text]).toEqual(["−0.54", "0.5"]);
  });

  it("lets the sum of all contributions flow from a value into a group", () => {
    const [edge = -1] = structure.consumerEdges[at("k")] ?? [];
    expect(numbers.slope[edge]).toBeNull();
    expect(flowOf(structure, numbers, edge)).toBe(numbers.grad[at("k")]);
    const received = told("k").rows.find(({ key }) => key === "received");
    expect(received?.lines.map(({ result }) => result?.text)).toEqual([told("k").grad?.text]);
  });

  it("tells what leads into a group and out of it, and no number of it", () => {
    const said = told("layer 2");
    const rows = said.rows.map(({ key, lines }) => [key, lines.map(({ text }) => text)]);
    expect(rows).toEqual([
      ["from", ["neuron 1 ×6", "neuron 2 ×6"]],
      ["to", ["tanh(×) ×6"]],
    ]);
    expect([said.data, said.grad, said.place]).toEqual([null, null, "27 values"]);
  });

  it("says nothing of slopes between groups in the table", () => {
    const { readings } = derived();
    const rows = tableRows(structure, numbers, readings, 4, [LAYER], -1, UNSORTED);
    expect(rows[0]).toMatchObject({ slope: "", grad: null });
  });
});

describe("opening and closing", () => {
  const moment = derived().moment;
  const pressed = (node: number) => {
    const sent: Command[] = [];
    let state = holding;
    FOLDED.press?.(node, moment, null, {
      change: () => {},
      send: (command) => sent.push(command),
      update: (reducer) => {
        state = reducer(state);
      },
    });
    return { sent, selected: state.selected };
  };

  it("opens a group that is pressed, and pins a value", () => {
    const command = { command: "open", names: ["layer 1", "layer 2"] };
    expect(pressed(LAYER)).toEqual({ sent: [command], selected: -1 });
    const { root } = structure;
    expect(pressed(root)).toEqual({ sent: [], selected: structure.nodes.id[root] });
  });
});

describe("steps and modes", () => {
  it.each<[string, State]>([
    ["a step", goTo(3)(holding)],
    ["a mode", { ...holding, mode: "nudge" }],
  ])("are refused in one sentence: %s", (_, state) => {
    const { sentence, scene } = derived(state);
    expect(plainText(sentence)).toMatch(/^This picture is folded\. .*\.$/);
    expect(scene.nodes).toEqual(derived().scene.nodes);
  });

  it("are as ever where nothing is folded", () => {
    const whole = { ...holding, structure: { ...structure, folds: undefined }, mode: "nudge" };
    expect(modeIn(whole)).toBe(modeOf("nudge"));
  });
});

it("answers no command without a kernel, for the values inside are not here", () => {
  const traits: Record<string, unknown> = { graph: wire.graph, ...apart(wire.numbers), mode: "" };
  const before = JSON.stringify({ ...traits, error: "" });
  const send = createStandIn({
    get: (name) => traits[name],
    set: (name, value) => {
      traits[name] = value;
    },
    save_changes: () => {},
  });
  send({ command: "backward" });
  send({ command: "open", names: ["layer 2"] });
  expect(traits.error).toMatch(/^This picture is folded\. /);
  expect(JSON.stringify({ ...traits, error: "" })).toBe(before);
});
