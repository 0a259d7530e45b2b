import { describe, expect, it } from "vitest";
import { apart, joined } from "./contract";
import { EXERCISE, messages } from "./fixtures";
import { createStandIn } from "./standin";

function page(mode: string) {
  const { graph, numbers } = messages(EXERCISE);
  const traits: Record<string, unknown> = { graph, ...apart(numbers), mode, progress: {} };
  const send = createStandIn({
    get: (name) => traits[name],
    set: (name, value) => {
      traits[name] = value;
    },
    save_changes: () => {},
  });
  const grads = () => joined((name) => traits[name]).grad;
  const moves = () => (traits.progress as Record<string, unknown[]>)["by hand"] ?? [];
  return { send, traits, grads, moves };
}

describe("createStandIn", () => {
  it("runs backward and zeroes, as the kernel does", () => {
    const { send, grads, traits } = page("");
    send({ command: "backward" });
    expect(grads()).toEqual([-2, 2, 1, 1]);
    send({ command: "backward" });
    expect(grads()).toEqual([-4, 4, 2, 2]);
    send({ command: "zero_grad" });
    expect(grads()).toEqual([null, null, null, null]);
    expect(traits.progress).toEqual({});
  });

  it("plays moves by hand, and takes them back", () => {
    const { send, grads, moves } = page("by hand");
    send({ command: "set_grad", node: 3, grad: 1 });
    send({ command: "run_rule", node: 3 });
    send({ command: "run_rule", node: 2 });
    expect(grads()).toEqual([-2, 2, 1, 1]);
    expect(moves()).toHaveLength(3);
    send({ command: "undo" });
    expect(grads()).toEqual([1, 0, 1, 1]);
    send({ command: "restore" });
    expect(grads()).toEqual([null, null, null, null]);
    expect(moves()).toEqual([]);
    send({ command: "undo" });
    expect(moves()).toEqual([]);
  });

  it("ignores a value that is not in the graph", () => {
    const { send, grads } = page("by hand");
    send({ command: "run_rule", node: 99 });
    expect(grads()).toEqual([null, null, null, null]);
  });
});
