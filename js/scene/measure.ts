/**
 * How wide a text will be, known before it is drawn.
 *
 * In: a text and the face it is set in.  Out: pixels.  Cards are sized from this, so that their
 * text fits and nothing has to be measured in the page afterwards.
 */

import { ceil } from "../maths";

export type Face = "name" | "far" | "key" | "number" | "symbol" | "word";
export type Measure = (text: string, face: Face) => number;

/** The sizes that the style sheet gives the same faces. */
const FONTS: Readonly<Record<Face, readonly [prefix: string, family: "sans" | "mono"]>> = {
  name: ["600 13px", "sans"],
  far: ["600 25px", "sans"],
  key: ["11px", "sans"],
  number: ["12.5px", "mono"],
  symbol: ["15px", "sans"],
  word: ["12px", "sans"],
};

/** Average advance per character, for pages without a canvas and for tests. */
const ADVANCE: Readonly<Record<Face, number>> = {
  name: 7.6,
  far: 14.6,
  key: 6,
  number: 7.6,
  symbol: 9,
  word: 7,
};

export const roughMeasure: Measure = (text, face) => text.length * ADVANCE[face];

/** Measures with a canvas in the fonts of the view; remembers what it has seen. */
export function canvasMeasure(families: Readonly<Record<"sans" | "mono", string>>): Measure {
  const context = document.createElement("canvas").getContext("2d");
  if (!context) return roughMeasure;
  const known = new Map<string, number>();
  return (text, face) => {
    const key = `${face} ${text}`;
    let width = known.get(key);
    if (width === undefined) {
      const [prefix, family] = FONTS[face];
      context.font = `${prefix} ${families[family]}`;
      width = context.measureText(text).width;
      known.set(key, width);
    }
    return width;
  };
}

/** `text`, or as much of it as fits into `room` pixels with an ellipsis. */
export function cut(text: string, room: number, face: Face, measure: Measure): string {
  const line = text.replace(/\s+/g, " ");
  if (measure(line, face) <= room) return line;
  const letters = [...line];
  let low = 0;
  let high = letters.length;
  while (low < high) {
    const middle = ceil((low + high) / 2);
    const fits = measure(`${letters.slice(0, middle).join("")}…`, face) <= room;
    if (fits) low = middle;
    else high = middle - 1;
  }
  return `${letters.slice(0, low).join("").trimEnd()}…`;
}
