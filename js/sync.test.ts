import { describe, expect, it, vi } from "vitest";
import { EXERCISE, messages } from "./fixtures";
import { goTo, next, pin, Store } from "./store";
import { connect, drive, type Model } from "./sync";

/** A host's model in memory: traits, events and nothing else. */
class FakeModel implements Model {
  readonly callbacks = new Map<string, Set<() => void>>();
  readonly saved = vi.fn();
  readonly sent: unknown[] = [];

  constructor(readonly traits: Record<string, unknown>) {}

  get(name: string): unknown {
    return this.traits[name];
  }
  set(name: string, value: unknown): void {
    this.assign({ [name]: value });
  }
  /** As one message of the kernel: all values first, then one event per trait. */
  assign(values: Record<string, unknown>): void {
    Object.assign(this.traits, values);
    for (const name of Object.keys(values)) {
      for (const callback of this.callbacks.get(`change:${name}`) ?? []) callback();
    }
  }
  on(name: string, callback: () => void): void {
    this.callbacks.set(name, (this.callbacks.get(name) ?? new Set()).add(callback));
  }
  off(name: string, callback: () => void): void {
    this.callbacks.get(name)?.delete(callback);
  }
  save_changes(): void {
    this.saved();
  }
  send(content: unknown): void {
    this.sent.push(content);
  }
  get listeners(): number {
    return [...this.callbacks.values()].reduce((sum, { size }) => sum + size, 0);
  }
}

function connected(traits: Record<string, unknown> = {}) {
  const { graph, numbers } = messages(EXERCISE);
  const scalars = { step: -1, selected: -1, playing: false, error: "" };
  const model = new FakeModel({ graph, numbers, ...scalars, ...traits });
  const life = new AbortController();
  const store = new Store();
  connect(model, store, life.signal);
  return { model, store, life, graph, numbers };
}

const settled = (): Promise<void> => Promise.resolve();

describe("connect", () => {
  it("reads the traits at once", () => {
    const { store } = connected({ step: 5, precision: 3, history: [4, 1] });
    expect(store.state.structure?.title).toBe("c");
    expect(store.state).toMatchObject({ step: 5, precision: 3, history: [4, 1] });
  });

  it("reads both heavy traits once after an update that replaces both", async () => {
    const { model, store, graph, numbers } = connected();
    const told = vi.fn();
    store.subscribe(told, new AbortController().signal);
    model.assign({ graph: { ...graph, title: "d" }, numbers: { ...numbers, ran: true } });
    await settled();
    expect(told).toHaveBeenCalledTimes(1);
    expect(store.state.structure?.title).toBe("d");
    expect(store.state.numbers?.ran).toBe(true);
  });

  it("keeps the structure when only numbers arrive", async () => {
    const { model, store, numbers } = connected();
    const before = store.state.structure;
    model.assign({ numbers: { ...numbers, ran: true } });
    await settled();
    expect(store.state.structure).toBe(before);
    expect(store.state.numbers?.ran).toBe(true);
  });

  it("says what is wrong with a graph that it cannot read, and recovers", async () => {
    const { model, store, graph } = connected();
    model.assign({ graph: { ...graph, version: 99 } });
    await settled();
    expect(store.state.error).toContain("version 99");
    model.assign({ graph });
    await settled();
    expect(store.state.error).toBe("");
  });

  it("shows the kernel's error", () => {
    const { model, store } = connected();
    model.assign({ error: "ZeroDivisionError: division by zero" });
    expect(store.state.error).toBe("ZeroDivisionError: division by zero");
  });

  it("sets only what the user changed, and saves once", () => {
    const { model, store } = connected();
    store.update(next);
    expect(model.get("step")).toBe(4);
    store.update((state) => pin(2)(goTo(5)(state)));
    expect(model.traits).toMatchObject({ step: 5, selected: 2 });
    expect(model.saved).toHaveBeenCalledTimes(2);
  });

  it("does not answer a change of the kernel with one of its own", () => {
    const { model, store } = connected();
    model.assign({ step: 6, selected: 1 });
    expect(store.state).toMatchObject({ step: 6, selected: 1 });
    expect(model.saved).not.toHaveBeenCalled();
  });

  it("keeps two views of one widget in step", () => {
    const { model, store } = connected();
    const other = new Store();
    connect(model, other, new AbortController().signal);
    store.update(goTo(5));
    expect(other.state.step).toBe(5);
  });

  it("leaves no listener behind", () => {
    const { model, life } = connected();
    expect(model.listeners).toBeGreaterThan(0);
    life.abort();
    expect(model.listeners).toBe(0);
  });

  it("waits for the graph of a widget that has none yet", () => {
    expect(connected({ graph: {}, numbers: {} }).store.state.structure).toBeNull();
  });
});

describe("drive", () => {
  it("plays to the end of the tape, once per model, and stops", () => {
    vi.useFakeTimers();
    const { model, store, life } = connected();
    drive(model, life.signal);
    model.assign({ step: 4, playing: true });
    vi.runAllTimers();
    expect(model.traits).toMatchObject({ step: 7, playing: false });
    expect(store.state).toMatchObject({ step: 7, playing: false });
    vi.useRealTimers();
  });

  it("stands still after the end of its lifetime", () => {
    vi.useFakeTimers();
    const { model, life } = connected({ step: 4, playing: true });
    drive(model, life.signal);
    life.abort();
    vi.runAllTimers();
    expect(model.get("step")).toBe(4);
    vi.useRealTimers();
  });
});
