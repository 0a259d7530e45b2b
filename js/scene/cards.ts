/**
 * The inner geometry of a card: what stands where, and how much room it takes.
 *
 * In: a name, a symbol, the texts of the numbers, and a way to measure text.  Out: offsets and
 * sizes in the card's own coordinates.  The room for numbers is decided once, so that a number that
 * changes moves nothing: one that is wider later is drawn narrower.
 */

import type { Numbers, Structure } from "../contract";
import { formatNumber, NOT_RUN } from "../format";
import { ceil, max, min } from "../maths";
import { saysOf } from "../names";
import type { Known, Tape } from "../tape";
import type { Size } from "./camera";
import { cut, type Measure } from "./measure";
import { MORE_TO_COME } from "./readings";

export interface Card {
  /** The name as it is drawn, cut where it is long. */
  readonly name: string;
  /** The name in large letters, for a picture seen from afar. */
  readonly farName: string;
  /** The operation's symbol, "" on a value that nobody computed. */
  readonly symbol: string;
  /** Whether the symbol is a word and its disc a pill. */
  readonly word: boolean;
  /** Half the disc's width; 0 without one. */
  readonly half: number;
  /** The disc's centre, relative to the card's top left corner. */
  readonly disc: { readonly x: number; readonly y: number };
  /** Where the texts stand, relative to the card's top left corner. */
  readonly text: number;
  readonly data: number;
  readonly gradKey: number;
  readonly grad: number;
  readonly nameLine: number;
  readonly numberLine: number;
  readonly width: number;
  readonly height: number;
  /** How far the disc stands out of the card, to the left and to the top. */
  readonly out: { readonly left: number; readonly top: number };
}

/** Widths that the two numbers may have. */
export interface Room {
  readonly data: number;
  readonly grad: number;
}

export const DISC = 15;
const HEIGHT = 56;
const PAD = 13;
/** The disc reaches this far into the card; text begins a little after it. */
const INTO = 11;
const AFTER_DISC = 20;
const NAME_ROOM = 176;
const FAR_ROOM = 128;
const FAR_PAD = 6;
const SYMBOL_ROOM = 76;
const KEY_GAP = 4;
const COLUMN_GAP = 11;
const LEAST_WIDTH = 96;
/** Widths are rounded up to this, so that cards of a layer line up. */
const GRID = 8;

/** The room that each node's numbers need, now and at every step of the tape. */
export function roomsOf(
  numbers: Numbers,
  tape: Tape,
  precision: number,
  measure: Measure,
): readonly Room[] {
  const width = (text: string): number => ceil(measure(text, "number"));
  const written = (value: Known): number =>
    value === null ? 0 : width(formatNumber(value, precision));
  return Array.from(numbers.data, (data, node): Room => {
    const totals = (tape.received[node] ?? []).slice(0, -1).map(({ total }) => total);
    const running = totals.map((total) => written(total) + width(MORE_TO_COME));
    const known = [numbers.grad[node] ?? null, tape.gradients[node] ?? null].map(written);
    return {
      data: written(data),
      grad: max(ceil(measure(NOT_RUN, "key")), ...known, ...running),
    };
  });
}

/** Rooms of at least so many pixels, except on constants, which never change. */
export function raised({ nodes }: Structure, rooms: readonly Room[], least: Room): readonly Room[] {
  const isLow = ({ data, grad }: Room, node: number): boolean =>
    nodes.kind[node] !== "constant" && (data < least.data || grad < least.grad);
  if (!rooms.some(isLow)) return rooms;
  return rooms.map((room, node) =>
    isLow(room, node)
      ? { data: max(room.data, least.data), grad: max(room.grad, least.grad) }
      : room,
  );
}

/** One card of the given structure. */
export function cardOf(
  structure: Structure,
  node: number,
  room: Room,
  measure: Measure,
  rankdir: "LR" | "TB" = "LR",
): Card {
  const { nodes } = structure;
  const raw = nodes.symbol[node] || nodes.op[node] || "";
  const word = [...raw].length > 1;
  const symbol = cut(raw, SYMBOL_ROOM, word ? "word" : "symbol", measure);
  const half = raw === "" ? 0 : max(DISC, measure(symbol, word ? "word" : "symbol") / 2 + 9);
  const beside = half > 0 && rankdir === "LR";
  const above = half > 0 && rankdir === "TB";

  const text = beside ? AFTER_DISC : PAD;
  const name = cut(nodes.label[node] || raw, NAME_ROOM, "name", measure);
  const says = saysOf(structure, node);
  const data = text + (says ? 0 : measure("data", "key") + KEY_GAP);
  const gradKey = data + room.data + COLUMN_GAP;
  const grad = gradKey + measure("grad", "key") + KEY_GAP;
  const numbers = says ? data + measure(says, "key") : grad + room.grad;
  // A stack is no wider than what it says: its name has to be read from afar too.
  const far = says ? min(FAR_ROOM, measure(name, "far") + FAR_PAD - PAD) : 0;
  const content = max(numbers, text + max(far, measure(name, "name")));
  const width = GRID * ceil(max(content + PAD, LEAST_WIDTH) / GRID);
  const farRoom = width - text - FAR_PAD;
  const drop = above ? 8 : 0;
  const disc = above ? { x: width / 2, y: INTO - DISC } : { x: INTO - half, y: HEIGHT / 2 };
  return {
    name,
    farName: cut(tailOf(nodes.label[node] || raw, farRoom, measure), farRoom, "far", measure),
    symbol,
    word,
    half,
    disc,
    text,
    data,
    gradKey,
    grad,
    nameLine: 22 + drop,
    numberLine: 42 + drop,
    width,
    height: HEIGHT + drop,
    out: { left: beside ? 2 * half - INTO : 0, top: above ? 2 * DISC - INTO : 0 },
  };
}

/** Of a name with a scope before it, "layer 1.neuron 2.w1", as much of the end as fits. */
function tailOf(name: string, room: number, measure: Measure): string {
  if (!/^[\p{L}_][\p{L}\d_ ]*(\.[\p{L}_][\p{L}\d_ ]*)+$/u.test(name)) return name;
  const parts = name.split(".");
  const tails = parts.map((_, at) => parts.slice(at).join("."));
  return tails.find((tail) => measure(tail, "far") <= room) ?? (parts.at(-1) as string);
}

/** The box that the layout reserves: the card and what stands out of it. */
export const boxOf = (card: Card): Size => ({
  width: card.width + card.out.left,
  height: card.height + card.out.top,
});
