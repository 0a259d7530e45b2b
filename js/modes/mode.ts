/**
 * What a mode is, and the few ways in which the rest of the widget meets one.
 *
 * A mode is a way of looking at the graph that asks something of the learner: running the rules by
 * hand, comparing orders, following paths.  Each is a room of its own and an object of type `Mode`:
 *
 *   name, title, hint   what the `mode` trait holds, what the menu shows
 *   begin, read         its slice of the state: how it starts, and how it is read back (and checked)
 *                       from the `progress` trait, which holds every mode's slice as plain JSON
 *   overlay             slice → what it changes in the picture: readings, marks, flows, labels, and
 *                       the sentence at the foot.  Pure; computed again only when something changed
 *   panel               the row that stands in for the tape, and what stands below it
 *   press, keys, grab   what a press on a node, a key and a drag that begins on a node do
 *
 * To add a mode: write its file and put it into the table in `table.ts` (and its name into `MODES`
 * of `notebook/commands.py`).  Its reducers are functions from slice to slice; `tools.change` applies
 * one.  Nothing else in the widget knows any mode by name.
 */

import type { Send } from "../commands";
import type { Numbers, Structure } from "../contract";
import type { Part } from "../phrases";
import { remember } from "../remember";
import type { Field } from "../scene/field";
import type { Flow, NodeNote } from "../scene/marks";
import type { NodeReading, Tone } from "../scene/readings";
import type { Reducer, State } from "../store";
import type { Tape } from "../tape";

/** What a mode looks at. */
export interface Moment {
  readonly structure: Structure;
  readonly numbers: Numbers;
  readonly tape: Tape;
  /** The readings without any mode. */
  readonly readings: readonly NodeReading[];
  /** The index of the pinned node, −1 for none. */
  readonly pinned: number;
  readonly precision: number;
  /** The kernel's answer to the last question about other data: see `modes/nudge/`. */
  readonly nudged: State["nudged"];
}

/** Computes something from a moment's graph, again only when its numbers change. */
export function ofNumbers<Args extends readonly unknown[], Result>(
  compute: (structure: Structure, numbers: Numbers, ...args: Args) => Result,
): (moment: Pick<Moment, "structure" | "numbers">, ...args: Args) => Result {
  const known = remember(compute);
  return ({ structure, numbers }, ...args) => known(structure, numbers, ...args);
}

/** What a card showed before, "" where it shows the same now. */
export interface Ghost {
  readonly data: string;
  readonly grad: string;
}

/** What a mode changes in the picture; whatever it leaves out stays as it is. */
export interface Overlay {
  /** Other numbers than the kernel's; everything that is drawn and told follows from them. */
  readonly numbers?: Numbers;
  readonly readings?: readonly NodeReading[];
  /** Per index of a node: the old numbers, to stand below the new ones. */
  readonly ghosts?: ReadonlyMap<number, Ghost>;
  /** Per index of a node: a class, and what a screen reader adds to the node. */
  readonly nodes?: ReadonlyMap<number, NodeNote>;
  /** Per index of an edge: a class. */
  readonly edges?: ReadonlyMap<number, string>;
  /** Per edge: what flows there. */
  readonly flows?: readonly (Flow | null)[];
  readonly labels?: readonly {
    readonly edge: number;
    readonly text: string;
    readonly tone: Tone;
  }[];
  /** The index of the node that has to be in sight. */
  readonly look?: number | undefined;
  /** The index of the node on whose card the panel's field stands, at the gradient's place. */
  readonly field?: number | undefined;
  /** What is to be known of the graph as a whole. */
  readonly notice?: string;
  /** The sentence at the foot of the picture. */
  readonly sentence?: readonly Part[];
  /** Nodes whose gradients nobody may read off: cards, code and tooltips keep them back. */
  readonly secret?: ReadonlySet<number>;
}

/** What a mode's effects may use; `Slice` is the mode's own. */
export interface Tools<Slice> {
  /** Applies a reducer to the slice, and in the same update others to all of the state. */
  change(reducer: (slice: Slice, moment: Moment) => Slice, ...others: readonly Reducer[]): void;
  /** Applies a reducer to all of the state. */
  update(reducer: Reducer): void;
  readonly send: Send;
}

/** Texts as wide as the data and the gradients of a picture may become. */
export interface Widest {
  readonly data: string;
  readonly grad: string;
}

export interface ModePanel<Slice> {
  /** Its controls, in the row where the tape stands otherwise. */
  readonly controls: readonly HTMLElement[];
  /** A field in which a gradient is written: on the card that the overlay names, else in its row. */
  readonly field?: Field;
  /** What stands below that row. */
  readonly body?: HTMLElement;
  /** The mode was left: whatever goes on by itself stops. */
  rest?(): void;
  show(moment: Moment, slice: Slice): void;
}

// Methods, not properties: a table of modes holds slices of many types, and only a mode itself ever
// sees its own.
export interface Mode<Slice = unknown> {
  readonly name: string;
  readonly title: string;
  /** One clause for the menu. */
  readonly hint: string;
  /** Whether the slice outlives the mode; otherwise entering begins anew. */
  readonly lasting?: boolean;
  /** Numbers as wide as any that the mode puts on a card; the cards make room for them. */
  readonly room?: Widest;
  begin(moment: Moment): Slice;
  /** Reads a slice that may come from anywhere; null when it does not fit this graph. */
  read(value: unknown, moment: Moment): Slice | null;
  overlay(moment: Moment, slice: Slice): Overlay;
  panel(tools: Tools<Slice>, signal: AbortSignal): ModePanel<Slice>;
  /** A press on a node; without it a press pins the node, as it does outside modes. */
  press?(node: number, moment: Moment, slice: Slice, tools: Tools<Slice>): void;
  /** A press that may become a drag: what follows its distance, or null to pan the picture. */
  grab?(
    node: number,
    moment: Moment,
    slice: Slice,
    tools: Tools<Slice>,
  ): ((pixels: number) => void) | null;
  keys?(moment: Moment, slice: Slice, tools: Tools<Slice>): Readonly<Record<string, () => void>>;
}

export const NO_OVERLAY: Overlay = {};

/** The slice of a mode as it is kept, else one that begins. */
export function sliceOf<Slice>(
  mode: Mode<Slice>,
  progress: State["progress"],
  moment: Moment,
): Slice {
  const kept = progress[mode.name];
  return (kept === undefined ? null : mode.read(kept, moment)) ?? mode.begin(moment);
}

/** Keeps a slice. */
export const keep =
  (name: string, slice: unknown): Reducer =>
  (state) =>
    state.progress[name] === slice
      ? state
      : { ...state, progress: { ...state.progress, [name]: slice } };

/** Enters a mode: the tape comes to rest, and the slice begins anew unless it lasts. */
export const enter =
  ({ name, lasting = false }: Mode): Reducer =>
  (state) => {
    if (state.mode === name) return state;
    const { [name]: old, ...others } = state.progress;
    const progress = lasting || old === undefined ? state.progress : others;
    return { ...state, mode: name, progress, step: -1, playing: false, selected: -1 };
  };

/** Back to looking. */
export const leave: Reducer = (state) =>
  state.mode === "" ? state : { ...state, mode: "", selected: -1 };
