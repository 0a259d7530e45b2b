/**
 * The only file that knows anywidget's model.
 *
 * In: traits that change in the kernel or in another view.  Out: updates of one view's store; and
 * the other way round what the user changes here, and the commands.  Only the part of the model's
 * interface that every host offers is used.
 */

import { WireError } from "./checks";
import type { Command, Send } from "./commands";
import {
  joined,
  NUMBERS,
  type Numbers,
  parseGraph,
  parseNumbers,
  type Structure,
} from "./contract";
import { atEnd } from "./dom";
import { max, min } from "./maths";
import { remember } from "./remember";
import { createStandIn } from "./standin";
import { assign, INITIAL, receive, type State, type Store, tick, valuesOf } from "./store";

/** What glassgrad uses of a host's model: the part that all hosts have in common. */
export interface Model {
  get(name: string): unknown;
  set(name: string, value: unknown): void;
  on(name: string, callback: () => void): void;
  off(name: string, callback: () => void): void;
  save_changes(): void;
  /** A page that has no kernel gives a model that cannot send. */
  send?(content: unknown): void;
}

/** Traits that a view follows, and those that it also sets. */
const FOLLOWED = [
  "step",
  "selected",
  "playing",
  "rankdir",
  "precision",
  "theme",
  "height",
  "mode",
  "progress",
  "nudged",
  "history",
  "speed",
] as const;
const SET = [
  "step",
  "selected",
  "playing",
  "rankdir",
  "precision",
  "mode",
  "progress",
  "speed",
] as const;

/** Whether a trait's value is of the kind that the state holds under the same name. */
function followed(model: Model): Partial<State> {
  const found = FOLLOWED.map((name) => [name, model.get(name)] as const);
  return Object.fromEntries(
    found.filter(([name, value]) => value !== null && typeof value === typeof INITIAL[name]),
  );
}

/** Whether two values of a trait say the same; hosts may hand out copies of what they were given. */
const same = (a: unknown, b: unknown): boolean =>
  Object.is(a, b) || (typeof a === "object" && JSON.stringify(a) === JSON.stringify(b));

function listen(
  model: Model,
  names: readonly string[],
  signal: AbortSignal,
  callback: () => void,
): void {
  for (const name of names) model.on(`change:${name}`, callback);
  const stop = (): void => {
    for (const name of names) model.off(`change:${name}`, callback);
  };
  atEnd(signal, stop);
}

/** Reads the heavy traits: structure and numbers, each parsed only when something was replaced. */
function reader(model: Model): () => { structure: Structure | null; numbers: Numbers | null } {
  const structureOf = remember((raw: unknown) => (isEmpty(raw) ? null : parseGraph(raw)));
  const numbersOf = remember(
    (structure: Structure | null, ..._raw: unknown[]) =>
      structure &&
      parseNumbers(
        joined((name) => model.get(name)),
        structure,
      ),
  );
  return () => {
    const structure = structureOf(model.get("graph"));
    const numbers = numbersOf(structure, ...NUMBERS.map((name) => model.get(name)));
    return { structure, numbers };
  };
}

const isEmpty = (value: unknown): boolean =>
  value === null || value === undefined || Object.keys(value).length === 0;

/** Keeps a store and a model in step until `signal` aborts. */
export function connect(model: Model, store: Store, signal: AbortSignal): void {
  const read = reader(model);
  let broken = "";
  const tellError = (): void => {
    const said = model.get("error");
    store.update(assign({ error: typeof said === "string" && said ? said : broken }));
  };
  const readHeavy = (): void => {
    try {
      const { structure, numbers } = read();
      broken = "";
      store.update(receive(structure, numbers));
    } catch (error) {
      if (!(error instanceof WireError)) throw error;
      broken = error.message;
    }
    tellError();
  };
  // One update of the kernel fires one event per trait; all heavy traits are read once after them.
  let waiting = false;
  const readSoon = (): void => {
    if (waiting) return;
    waiting = true;
    queueMicrotask(() => {
      waiting = false;
      if (!signal.aborted) readHeavy();
    });
  };
  listen(model, ["graph", ...NUMBERS], signal, readSoon);
  const follow = (): void => {
    const { progress = store.state.progress, ...scalars } = followed(model);
    const news = same(progress, store.state.progress) ? scalars : { ...scalars, progress };
    store.update(assign(news));
  };
  listen(model, FOLLOWED, signal, follow);
  listen(model, ["error"], signal, tellError);
  follow();
  readHeavy();
  store.subscribe((state) => {
    const known = SET.filter((name) => model.get(name) !== undefined);
    const changed = known.filter((name) => !same(state[name], model.get(name)));
    for (const name of changed) model.set(name, state[name]);
    if (changed.length > 0) model.save_changes();
  }, signal);
}

/** How Jupyter marks a view whose kernel has gone, or which a notebook was saved with. */
const GONE = ".jupyter-widgets-disconnected";

/** How to send commands: to the kernel, or where there is none to its stand-in. */
export function senderOf(model: Model, host: Element): Send {
  const obey = createStandIn(model);
  return (command: Command) => {
    if (model.send && !host.closest(GONE)) model.send(command);
    // not within the update that asks: a kernel's answer comes after it as well
    else queueMicrotask(() => obey(command));
  };
}

/** Time from one step to the next while playing: slow enough to read, less on a long tape. */
const PACE = { most: 1400, least: 120, whole: 40_000 } as const;

const FASTEST = 16;

function pace(state: State): number {
  const each = PACE.whole / max(1, valuesOf(state));
  const usual = max(PACE.least, min(PACE.most, each));
  return max(FASTEST, usual / max(0.01, state.speed));
}

/**
 * Advances `step` while `playing` is set.  Once per model, not per view, so that two views of one
 * widget do not play at twice the pace.
 */
export function drive(model: Model, signal: AbortSignal): void {
  const read = reader(model);
  let timer: ReturnType<typeof setTimeout> | undefined;
  const advance = (): void => {
    const state = { ...INITIAL, ...followed(model), ...read() };
    const { step, playing } = tick(state);
    model.set("step", step);
    model.set("playing", playing);
    model.save_changes();
    schedule();
  };
  const schedule = (): void => {
    clearTimeout(timer);
    if (model.get("playing") !== true || signal.aborted) return;
    timer = setTimeout(advance, pace({ ...INITIAL, ...followed(model), ...read() }));
  };
  listen(model, ["playing", "step", "speed"], signal, schedule);
  atEnd(signal, () => clearTimeout(timer));
  schedule();
}
