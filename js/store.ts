/**
 * The state of one view and every way it changes.
 *
 * In: the parsed wire, synced scalars and what the user does.  Out: the next state, and a call to
 * each subscriber.  Reducers are pure; only `Store` remembers anything.
 */

import type { Numbers, Structure } from "./contract";
import { atEnd } from "./dom";
import { max, min, trunc } from "./maths";
import { countedNodes } from "./nodes";
import type { Camera, Size } from "./scene/camera";
import type { ThemeWish } from "./theme";

export type Pass = "forward" | "backward";

export interface State {
  readonly structure: Structure | null;
  readonly numbers: Numbers | null;
  /** Position on the tape: 0 … n−1 forward, n … 2n−1 backward, −1 at rest. */
  readonly step: number;
  /** The id of the pinned node, −1 for none. */
  readonly selected: number;
  readonly playing: boolean;
  readonly rankdir: "LR" | "TB";
  readonly precision: number;
  readonly theme: ThemeWish;
  /** The picture's height in pixels, 0 to follow the layout. */
  readonly height: number;
  readonly error: string;
  /** The name of the mode that is on, "" for none: see `modes/`. */
  readonly mode: string;
  /** Where each mode stands: by name, its own slice of the state as plain JSON. */
  readonly progress: Readonly<Record<string, unknown>>;
  /** What the kernel made of other data at some leaves, when the page could not; see `modes/nudge/`. */
  readonly nudged: Readonly<Record<string, unknown>>;
  /** The root's number so far, as it travels. */
  readonly history: readonly unknown[];
  /** How fast the tape plays; 1 is the usual pace. */
  readonly speed: number;
  /** Which half of the tape the chips show while nothing is being stepped. */
  readonly pass: Pass;
  /** The indices of the nodes that are pointed at: from the picture one, from a line of code many. */
  readonly hovered: readonly number[];
  /** The index of the node with keyboard focus, −1 for none. */
  readonly focused: number;
  /** Where the user has taken the camera; null while it follows the layout. */
  readonly camera: Camera | null;
  /** Whether the camera, while it follows the layout, shows all of it however small. */
  readonly whole: boolean;
  /** The width of the whole view in pixels. */
  readonly width: number;
  /** The viewport of the picture. */
  readonly viewport: Size;
  /** What is searched for; null while nobody searches. */
  readonly query: string | null;
  /** Whether constants have cards of their own. */
  readonly constants: boolean;
  /** Whether a table stands in for the picture. */
  readonly table: boolean;
}

export const INITIAL: State = {
  structure: null,
  numbers: null,
  step: -1,
  selected: -1,
  playing: false,
  rankdir: "LR",
  precision: 4,
  theme: "auto",
  height: 0,
  error: "",
  mode: "",
  progress: {},
  nudged: {},
  history: [],
  speed: 1,
  pass: "backward",
  hovered: [],
  focused: -1,
  camera: null,
  whole: false,
  width: 0,
  viewport: { width: 0, height: 0 },
  query: null,
  constants: true,
  table: false,
};

export type Reducer = (state: State) => State;

/** The step that is shown: a folded picture has no steps. */
export const stepOf = ({ structure, step }: State): number => (structure?.folds ? -1 : step);

/** How many values the tape runs over. */
export const valuesOf = (state: State): number => state.structure?.nodes.id.length ?? 0;

/** The half of the tape that is shown: the one being stepped, else the one last chosen. */
export function passOf(state: State): Pass {
  if (state.step < 0) return state.pass;
  return state.step < valuesOf(state) ? "forward" : "backward";
}

/** The node that a position of the tape visits. */
export function nodeOf(state: State, position: number): number {
  const size = valuesOf(state);
  return position < size ? position : 2 * size - 1 - position;
}

/**
 * The positions of a pass at which there is something to see, in order.  Constants are passed over:
 * nobody computes them and nobody asks for their gradient.
 */
export function stopsOf({ structure }: State, pass: Pass): readonly number[] {
  if (!structure) return [];
  const size = structure.nodes.id.length;
  const stops = countedNodes(structure);
  return pass === "forward" ? stops : stops.map((node) => 2 * size - 1 - node).reverse();
}

// -- what arrives ----------------------------------------------------------------------------------

/** Takes a new graph; what pointed into the old one is let go. */
export const receive =
  (structure: Structure | null, numbers: Numbers | null): Reducer =>
  (state) => {
    if (structure === state.structure) return { ...state, numbers };
    const size = structure?.nodes.id.length ?? 0;
    const camera = size === valuesOf(state) ? state.camera : null;
    const step = state.step < 2 * size ? state.step : -1;
    // What a mode had come to belongs to the graph it was about.
    const progress = state.structure ? INITIAL.progress : state.progress;
    return { ...state, structure, numbers, progress, hovered: [], focused: -1, camera, step };
  };

/** Sets some of the state; nothing changes, and nobody is told, when all of it is as before. */
export const assign =
  (values: Partial<State>): Reducer =>
  (state) => {
    const changed = Object.entries(values).some(
      ([name, value]) => !Object.is(state[name as keyof State], value),
    );
    return changed ? { ...state, ...values } : state;
  };

// -- the tape ----------------------------------------------------------------------------------------

/** Goes to a position, −1 to leave the tape; positions off the tape are brought back onto it. */
export const goTo =
  (position: number): Reducer =>
  (state) => {
    const size = valuesOf(state);
    const step = max(-1, min(2 * size - 1, trunc(position)));
    const next = { ...state, step };
    return { ...next, pass: passOf(next), playing: step >= 0 && state.playing };
  };

export const showPass =
  (pass: Pass): Reducer =>
  (state) =>
    state.step < 0 ? { ...state, pass } : goTo(stopsOf(state, pass)[0] ?? -1)(state);

/** One step on: into the shown pass from rest, and from forward into backward. */
export const next: Reducer = (state) => {
  if (state.step < 0) return goTo(stopsOf(state, state.pass)[0] ?? -1)(state);
  const stops = [...stopsOf(state, "forward"), ...stopsOf(state, "backward")];
  return goTo(stops.find((stop) => stop > state.step) ?? state.step)(state);
};

/** One step back, down to rest. */
export const previous: Reducer = (state) => {
  const stops = [...stopsOf(state, "forward"), ...stopsOf(state, "backward")];
  return goTo(stops.findLast((stop) => stop < state.step) ?? -1)(state);
};

export const first: Reducer = (state) => goTo(stopsOf(state, passOf(state))[0] ?? -1)(state);

export const last: Reducer = (state) => goTo(stopsOf(state, passOf(state)).at(-1) ?? -1)(state);

/** Whether no step is left. */
export const isAtEnd = (state: State): boolean =>
  state.step >= (stopsOf(state, "backward").at(-1) ?? -1);

/** Plays on, from the start of the shown pass at rest or at the end, or pauses. */
export const play: Reducer = (state) => {
  if (state.playing) return { ...state, playing: false };
  const fresh = state.step < 0 || isAtEnd(state);
  const begun = fresh ? first(state) : state;
  return { ...begun, playing: begun.step >= 0 };
};

const SPEEDS = [0.5, 1, 2, 4];

/** The next speed of playing, from the fastest back to the slowest. */
export const faster: Reducer = (state) => {
  const speed = SPEEDS.find((each) => each > state.speed) ?? (SPEEDS[0] as number);
  return { ...state, speed };
};

/** One tick of playing: a step on, and a stop at the end of the tape. */
export const tick: Reducer = (state) => {
  if (!state.playing) return state;
  const moved = next(state);
  return isAtEnd(moved) ? { ...moved, playing: false } : moved;
};

// -- pointing ----------------------------------------------------------------------------------------

export const hover =
  (indices: readonly number[]): Reducer =>
  (state) => {
    const same = indices.length === state.hovered.length;
    const equal = same && indices.every((index, at) => index === state.hovered[at]);
    return equal ? state : { ...state, hovered: indices };
  };

/** Pins a node, or lets it go when it is the pinned one. */
export const pin =
  (id: number): Reducer =>
  (state) => ({ ...state, selected: state.selected === id ? -1 : id });

/** The view as it opened: all of the picture, nothing pinned, searched for or stepped. */
export const reset: Reducer = (state) => {
  const { selected, camera, whole, query, constants, table, step, playing } = INITIAL;
  return { ...state, selected, camera, whole, query, constants, table, step, playing };
};

export const unpin: Reducer = (state) => (state.selected < 0 ? state : { ...state, selected: -1 });

/** The node a tooltip speaks of: the pinned one, else the pointed one, else the focused one. */
export function explained(state: State): number {
  const pinned = state.structure?.indexOf.get(state.selected);
  if (pinned !== undefined) return pinned;
  const [only, ...others] = state.hovered;
  if (only !== undefined && others.length === 0) return only;
  return state.focused;
}

/** Holds a state, applies reducers, and tells subscribers of each real change. */
export class Store {
  #state: State;
  readonly #subscribers = new Set<(state: State, before: State) => void>();

  constructor(state: State = INITIAL) {
    this.#state = state;
  }

  get state(): State {
    return this.#state;
  }

  update(...reducers: readonly Reducer[]): void {
    const before = this.#state;
    this.#state = reducers.reduce((state, reducer) => reducer(state), before);
    if (this.#state === before) return;
    for (const subscriber of [...this.#subscribers]) subscriber(this.#state, before);
  }

  subscribe(subscriber: (state: State, before: State) => void, signal: AbortSignal): void {
    this.#subscribers.add(subscriber);
    atEnd(signal, () => this.#subscribers.delete(subscriber));
  }
}
