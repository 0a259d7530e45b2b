/**
 * From the state to everything that is shown of it.
 *
 * In: one view's state.  Out: tape, readings, frame, scene and sentence, each recomputed only when
 * what it depends on has changed: pointing at a node does not lay the graph out again.
 */

import type { Numbers, Structure } from "./contract";
import { dimmed, lineageOf, matches } from "./find/find";
import { formatNumber } from "./format";
import { ceil, max, min, round } from "./maths";
import {
  type Mode,
  type Moment,
  NO_OVERLAY,
  type Overlay,
  sliceOf,
  type Widest,
} from "./modes/mode";
import { modeIn } from "./modes/table";
import { MOST_VALUES, runsPerLine, widthOfCode } from "./panels/gutter";
import { type Part, plainText } from "./phrases";
import { remember } from "./remember";
import { marginFor, openingScale } from "./scene/camera";
import { cardOf, type Room, raised, roomsOf } from "./scene/cards";
import { type Frame, frameOf, gapFor, scaleWithin } from "./scene/frame";
import { frameWithout } from "./scene/hidden";
import { type Scene, sceneOf } from "./scene/marks";
import type { Measure } from "./scene/measure";
import { type NodeReading, type Reading, readingsAt } from "./scene/readings";
import { sentenceAt } from "./sentences";
import { staleOverlay } from "./stale/overlay";
import { type State, stepOf } from "./store";
import { stepAt, type Tape, tapeOf } from "./tape";

export interface Derived {
  readonly structure: Structure;
  readonly numbers: Numbers;
  readonly tape: Tape;
  readonly readings: readonly NodeReading[];
  readonly frame: Frame;
  readonly scene: Scene;
  readonly sentence: readonly Part[];
  /** The mode that is on, with what it looks at and where it stands. */
  readonly mode: Mode | null;
  readonly moment: Moment;
  readonly slice: unknown;
  readonly overlay: Overlay;
  /** The nodes that are stepped, pinned, pointed at or focused. */
  readonly active: readonly number[];
  /** The nodes that fit what is searched for. */
  readonly found: readonly number[];
  /** Whether the code stands above the picture, not beside it. */
  readonly stacked: boolean;
  /** The height kept free at the picture's foot for the longest sentence. */
  readonly foot: number;
}

const NO_ROOM: Widest = { data: "", grad: "" };

/** Whether two structures differ at most in what is said of them. */
const isAlike = (a: Structure, b: Structure): boolean =>
  a === b || (`${a.nodes.op}` === `${b.nodes.op}` && `${a.edges.source}` === `${b.edges.source}`);

/** What is decided when a graph is first seen, so that no update of its numbers moves anything. */
interface Settled {
  readonly structure: Structure;
  readonly precision: number;
  readonly rooms: readonly Room[];
  /** The length of the longest sentence. */
  readonly letters: number;
}

/** Makes the function from state to all that is derived from it; one per view. */
export function createDeriver(measure: Measure): (state: State) => Derived | null {
  const tapeFor = remember(tapeOf);
  const readingsFor = remember(readingsAt);
  const sentenceFor = remember(sentenceAt);
  let settled: Settled | null = null;
  const settledFor = remember(
    (structure: Structure, numbers: Numbers, tape: Tape, precision: number, room: Widest) => {
      const width = (text: string): number => ceil(measure(text, "number"));
      const raise = (rooms: readonly Room[], data: string, grad: string): readonly Room[] =>
        raised(structure, rooms, { data: width(data), grad: width(grad) });
      if (settled?.precision !== precision || !isAlike(settled.structure, structure)) {
        const usual = formatNumber(4 / 3, precision);
        settled = {
          structure,
          precision,
          rooms: raise(roomsOf(numbers, tape, precision, measure), usual, usual),
          letters: longestSentence(structure, numbers, tape, precision),
        };
      }
      settled = { ...settled, rooms: raise(settled.rooms, room.data, room.grad) };
      return settled;
    },
  );
  const framing = (
    structure: Structure,
    widths: readonly Room[],
    rankdir: "LR" | "TB",
    constants: boolean,
    gap?: number,
  ): Frame => {
    const cards = widths.map((room, node) => cardOf(structure, node, room, measure, rankdir));
    return (constants ? frameOf : frameWithout)(structure, cards, rankdir, gap);
  };
  const frameFor = remember(framing);
  const nearerFor = remember(framing);
  const sceneFor = remember(
    (
      structure: Structure,
      numbers: Numbers,
      tape: Tape,
      frame: Frame,
      readings: readonly NodeReading[],
      step: number,
      precision: number,
      hovered: readonly number[],
      pinned: number,
      overlay: Overlay,
    ): Scene => {
      const attention = { step, precision, hovered, pinned, overlay };
      return sceneOf(structure, numbers, tape, frame, readings, attention, measure);
    },
  );

  const momentFor = remember(
    (
      structure: Structure,
      numbers: Numbers,
      tape: Tape,
      readings: readonly NodeReading[],
      pinned: number,
      precision: number,
      nudged: State["nudged"],
    ): Moment => ({ structure, numbers, tape, readings, pinned, precision, nudged }),
  );
  const sliceFor = remember(
    (mode: Mode | null, progress: State["progress"], moment: Moment): unknown =>
      mode && sliceOf(mode, progress, moment),
  );
  const overlayFor = remember(
    (mode: Mode | null, moment: Moment, slice: unknown): Overlay =>
      mode?.overlay(moment, slice) ?? staleOverlay(moment),
  );
  const matchesFor = remember(matches);
  const lineageFor = remember(lineageOf);
  const dimmedFor = remember(dimmed);
  const overlaidFor = remember(overlaid);
  const otherTapeFor = remember(tapeOf);

  const deriveFrom = remember(
    (
      structure: Structure,
      own: Numbers,
      step: number,
      precision: number,
      rankdir: "LR" | "TB",
      hovered: readonly number[],
      focused: number,
      selected: number,
      width: number,
      mode: Mode | null,
      progress: State["progress"],
      nudged: State["nudged"],
      viewport: number,
      query: string,
      constants: boolean,
      room: Widest,
    ): Derived => {
      const real = { numbers: own, tape: tapeFor(structure, own) };
      const plain = readingsFor(structure, own, real.tape, step, precision);
      const { rooms, letters } = settledFor(structure, own, real.tape, precision, room);
      const usual = frameFor(structure, rooms, rankdir, constants);
      const gap = gapFor(usual, viewport > 0 ? viewport - 2 * marginFor(viewport) : Infinity);
      const isNearer = gap !== usual.gap;
      const frame = isNearer ? nearerFor(structure, rooms, rankdir, constants, gap) : usual;
      const pinned = structure.indexOf.get(selected) ?? -1;
      const moment = momentFor(structure, own, real.tape, plain, pinned, precision, nudged);
      const slice = sliceFor(mode, progress, moment);
      const isStepping = mode === null && step >= 0;
      const found = matchesFor(structure, query);
      const kin = (mode && !structure.folds) || query ? null : lineageFor(structure, pinned);
      const plainOverlay = isStepping ? NO_OVERLAY : overlayFor(mode, moment, slice);
      const overlay = dimmedFor(structure, plainOverlay, query ? found : null, kin);
      const readings = overlaidFor(plain, overlay);
      const { numbers, tape } = overlay.numbers
        ? { numbers: overlay.numbers, tape: otherTapeFor(structure, overlay.numbers) }
        : real;
      const scene = sceneFor(
        structure,
        numbers,
        tape,
        frame,
        readings,
        step,
        precision,
        hovered,
        pinned,
        overlay,
      );
      const sentence = overlay.sentence ?? sentenceFor(structure, own, real.tape, step, precision);
      const stepped = stepAt(tape, step)?.node ?? -1;
      const active = [stepped, pinned, focused, ...hovered].filter((node) => node >= 0);
      const foot = footFor(mode ? max(letters, MODE_LENGTH) : letters, width);
      const modal = { mode, moment, slice, overlay, found };
      const drawn = { frame, scene, stacked: isStacked(structure, usual, width, measure) };
      return { structure, numbers, tape, readings, sentence, active, foot, ...drawn, ...modal };
    },
  );

  return (state) =>
    state.structure && state.numbers
      ? deriveFrom(
          state.structure,
          state.numbers,
          stepOf(state),
          state.precision,
          state.rankdir,
          state.hovered,
          state.focused,
          state.selected,
          state.width,
          modeIn(state),
          state.progress,
          state.nudged,
          state.viewport.width,
          state.query ?? "",
          state.constants,
          modeIn(state)?.room ?? NO_ROOM,
        )
      : null;
}

const SECRET: Reading = { text: "?", tone: "wait" };

/** The readings with a mode's own in their place, and without what has to stay secret. */
function overlaid(
  plain: readonly NodeReading[],
  { readings = plain, secret }: Overlay,
): readonly NodeReading[] {
  if (!secret) return readings;
  return readings.map((reading, node) =>
    secret.has(node) ? { ...reading, grad: SECRET } : reading,
  );
}

// -- heights -----------------------------------------------------------------------------------------

/** Of a tape with more values the sentences are not written out to find the longest. */
const COUNTED = 100;
const USUAL_LENGTH = 260;
/** The room that modes keep for theirs. */
const MODE_LENGTH = 220;
const SENTENCE = { line: 21, padding: 21, advance: 6.7, aside: 70, mostLines: 5 } as const;

function longestSentence(
  structure: Structure,
  numbers: Numbers,
  tape: Tape,
  precision: number,
): number {
  const steps = 2 * structure.nodes.id.length;
  if (steps > 2 * COUNTED) return USUAL_LENGTH;
  const lengths = Array.from(
    { length: steps },
    (_, step) => plainText(sentenceAt(structure, numbers, tape, step, precision)).length,
  );
  return lengths.reduce((a, b) => max(a, b), 0);
}

/** The height of a sentence of so many letters in so wide a view. */
export function footFor(letters: number, width: number): number {
  const perLine = max(20, (width - SENTENCE.aside) / SENTENCE.advance);
  const lines = min(SENTENCE.mostLines, max(1, ceil(letters / perLine)));
  return lines * SENTENCE.line + SENTENCE.padding;
}

const HEIGHTS = { least: 228, most: 440 } as const;

/** The room that code takes beside a picture, as the style sheet has it. */
const CODE = { least: 200, share: 0.38 } as const;
/** A view narrower than this has no room for two columns. */
const NARROW = 640;
/** Code moves for a picture that is not near its own size, gains this much, and can be read then. */
const GOOD = { scale: 0.95, gain: 1.1, least: 0.3 } as const;

/** Code goes above a picture that it would make hard to read. */
function isStacked({ code }: Structure, frame: Frame, width: number, measure: Measure): boolean {
  if (!code || width === 0) return false;
  const beside = max(CODE.least, min(CODE.share * width, widthOfCode(code, measure)));
  const [now, then] = [width - beside, width].map((room) =>
    scaleWithin(frame, { width: room, height: HEIGHTS.most }),
  ) as [number, number];
  const gains = now < GOOD.scale && then > GOOD.gain * now && then > GOOD.least;
  return width < NARROW || gains;
}

/** The picture's height: the trait's, else grown with the layout and the code between bounds. */
export function pictureHeight(state: State, { structure, scene, foot, stacked }: Derived): number {
  if (state.height > 0) return state.height;
  const { width } = state.viewport;
  const margin = marginFor(width);
  const scale = openingScale(scene.bounds, { width, height: HEIGHTS.most }, margin);
  const code = stacked ? 0 : codeHeight(structure) - foot;
  const wanted = max(scene.bounds.height * scale + 2 * margin, code);
  return round(min(HEIGHTS.most, max(HEIGHTS.least, wanted))) + foot;
}

/** The picture's height while one graph is shown in one way: it may grow, and never shrinks. */
export function steadyHeight(): typeof pictureHeight {
  let last: readonly unknown[] = [];
  let height = 0;
  return (state, derived) => {
    const { rankdir, width, height: wanted, mode, constants } = state;
    const way = [derived.structure, rankdir, width, wanted, mode, constants, derived.stacked];
    const isSame = way.every((value, at) => value === last[at]);
    last = way;
    height = max(isSame ? height : 0, pictureHeight(state, derived));
    return height;
  };
}

/** About the height that the code's rows take: a row per value, and one for each rule. */
function codeHeight({ code, nodes }: Structure): number {
  if (!code) return 0;
  const blocks = [code, ...(code.called ?? [])];
  const made = blocks
    .flatMap((block) => [...runsPerLine(block).values()])
    .map((runs) => {
      const shown = runs.at(-1) ?? [];
      const rules = shown.slice(0, MOST_VALUES).filter((node) => nodes.rule[node] !== null).length;
      return min(shown.length, MOST_VALUES + 1) + rules;
    });
  const lines = blocks.reduce((sum, block) => sum + block.lines.length, blocks.length - 1);
  return 20 + 26 * lines + 18 * made.reduce((sum, rows) => sum + rows, 0);
}
