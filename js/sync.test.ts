import { describe, expect, it, vi } from "vitest";
import { apart } from "./contract";
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
  const model = new FakeModel({ graph, ...apart(numbers), ...scalars, ...traits });
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

  it("reads all heavy traits once after an update that replaces several", async () => {
    const { model, store, graph, numbers } = connected();
    const told = vi.fn();
    store.subscribe(told, new AbortController().signal);
    model.assign({ graph: { ...graph, title: "d" }, ...apart({ ...numbers, ran: true }) });
    await settled();
    expect(told).toHaveBeenCalledTimes(1);
    expect(store.state.structure?.title).toBe("d");
    expect(store.state.numbers?.ran).toBe(true);
  });

  it("keeps the structure when only numbers arrive", async () => {
    const { model, store } = connected();
    const before = store.state.structure;
    model.assign({ changes: { ran: true } });
    await settled();
    expect(store.state.structure).toBe(before);
    expect(store.state.numbers?.ran).toBe(true);
  });

  it("puts what has changed in its place, in the update that brings new columns as in others", async () => {
    const { model, store, numbers } = connected();
    const shown = () => store.state.numbers;
    model.assign({ changes: { ran: true, data: { at: [1, 3], to: [5, "NaN"] } } });
    await settled();
    expect([...(shown()?.data ?? [])]).toEqual([2, 5, -6, Number.NaN]);
    expect(shown()?.slope).toEqual(numbers.slope);
    const seen: (readonly (number | null)[])[] = [];
    store.subscribe((state) => seen.push(state.numbers?.grad ?? []), new AbortController().signal);
    const changes = { ran: true, grad: { at: [0], to: [8] } };
    model.assign({ sent_data: [7, 7, 7, 7], sent_grad: [1, 2, 3, 4], changes });
    await settled();
    expect(seen).toEqual([[8, 2, 3, 4]]);
    expect([...(shown()?.data ?? [])]).toEqual([7, 7, 7, 7]);
  });

  it.each<[unknown, string]>([
    [{ ran: true, data: { at: [4], to: [1] } }, "changes.data.at[0] must be an index below 4"],
    [{ ran: true, grad: { at: [0], to: [] } }, "changes.grad.to must be a list of 1"],
    [{ ran: true, slope: 3 }, "changes.slope must be an object"],
  ])("says what is wrong with the changes %j", async (changes, said) => {
    const { model, store } = connected();
    model.assign({ changes });
    await settled();
    expect(store.state.error).toContain(said);
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
    const nothing = { sent_data: [], sent_grad: [], sent_slope: [], changes: {}, notes: {} };
    expect(connected({ graph: {}, ...nothing }).store.state.structure).toBeNull();
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
