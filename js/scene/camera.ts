/**
 * The camera's arithmetic: where the picture's coordinates land in the viewport.
 *
 * In: a camera, sizes and points.  Out: another camera.  Kept apart from the gestures so that every
 * rule about zooming is a pure function with a test.
 */

import { exp, max, min } from "../maths";

/** A picture point p is seen at `scale * p + (x, y)`. */
export interface Camera {
  readonly x: number;
  readonly y: number;
  readonly scale: number;
}

export interface Point {
  readonly x: number;
  readonly y: number;
}

export interface Size {
  readonly width: number;
  readonly height: number;
}

export interface Box extends Point, Size {}

export const SCALES = { least: 0.03, most: 4 } as const;

/** Free space around a fitted picture, in viewport pixels. */
export const MARGIN = 28;

/** The margin in a view of this width: a narrow one has none to waste. */
export const marginFor = (width: number): number => (width < 720 ? MARGIN / 2 : MARGIN);

const clamp = (low: number, value: number, high: number): number => min(high, max(low, value));

/** The scale at which `content` fits into `viewport`; small pictures keep 1 and are not blown up. */
export function fittingScale(content: Size, viewport: Size, margin = MARGIN): number {
  const room = (all: number): number => max(1, all - 2 * margin);
  const scale = min(
    1,
    room(viewport.width) / max(1, content.width),
    room(viewport.height) / max(1, content.height),
  );
  return clamp(SCALES.least, scale, SCALES.most);
}

/** Shows all of `content`, centred. */
export function fitted(content: Box, viewport: Size, margin = MARGIN): Camera {
  const scale = fittingScale(content, viewport, margin);
  return {
    scale,
    x: (viewport.width - scale * content.width) / 2 - scale * content.x,
    y: (viewport.height - scale * content.height) / 2 - scale * content.y,
  };
}

/** Below this scale cards show their name in large letters and nothing else. */
export const FAR = 0.55;

/** Names can be read down to here, and are read with ease from there; numbers, with ease. */
const LEGIBLE = { least: 0.3, good: 0.45, numbers: 0.7 } as const;

/**
 * The scale at which a picture opens: all of it where its numbers can be read; else, if it is long
 * and thin, as much of its end as can be read; else all of it where its names can be.
 */
export function openingScale(content: Size, viewport: Size, margin = MARGIN): number {
  const whole = fittingScale(content, viewport, margin);
  if (whole >= FAR) return whole;
  const thin = min(content.width, content.height);
  const across = content.width > content.height ? viewport.height : viewport.width;
  const thinScale = (across - 2 * margin) / max(1, thin);
  if (thinScale >= FAR) return min(LEGIBLE.numbers, thinScale);
  return whole >= LEGIBLE.least ? whole : max(whole, min(LEGIBLE.good, thinScale));
}

/** The camera with which a picture opens; what does not fit is its beginning, not its end. */
export function opening(content: Box, viewport: Size, margin = MARGIN): Camera {
  const scale = openingScale(content, viewport, margin);
  const place = (start: number, length: number, room: number): number => {
    const free = room - scale * length;
    return (free < 2 * margin - 1 ? free - margin : free / 2) - scale * start;
  };
  return {
    scale,
    x: place(content.x, content.width, viewport.width),
    y: place(content.y, content.height, viewport.height),
  };
}

/** Zooms by `factor` while the picture point under `at` (viewport pixels) stays where it is. */
export function zoomAt(camera: Camera, factor: number, at: Point): Camera {
  const scale = clamp(SCALES.least, camera.scale * factor, SCALES.most);
  const ratio = scale / camera.scale;
  return { scale, x: at.x - ratio * (at.x - camera.x), y: at.y - ratio * (at.y - camera.y) };
}

export const pan = (camera: Camera, dx: number, dy: number): Camera => ({
  ...camera,
  x: camera.x + dx,
  y: camera.y + dy,
});

/** A box of the picture as it is seen in the viewport. */
export const project = (camera: Camera, box: Box): Box => ({
  x: camera.scale * box.x + camera.x,
  y: camera.scale * box.y + camera.y,
  width: camera.scale * box.width,
  height: camera.scale * box.height,
});

/** The least pan that brings `box` (picture coordinates) inside the viewport. */
export function reveal(camera: Camera, box: Box, viewport: Size, margin = MARGIN): Camera {
  const seen = project(camera, box);
  const shift = (start: number, length: number, room: number): number => {
    if (start < margin) return margin - start;
    return min(0, max(room - margin - (start + length), margin - start));
  };
  const dx = shift(seen.x, seen.width, viewport.width);
  const dy = shift(seen.y, seen.height, viewport.height);
  return dx || dy ? pan(camera, dx, dy) : camera;
}

/** The zoom of one wheel event: gentle, the same for lines and pixels. */
export function wheelFactor(delta: number, mode: number): number {
  const pixels = mode === 1 ? delta * 16 : delta;
  return exp(-clamp(-120, pixels, 120) * 0.0025);
}
