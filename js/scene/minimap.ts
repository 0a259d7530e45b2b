/**
 * The whole picture in a corner, while the viewport shows only a part of it.
 *
 * In: the frame and the camera.  Out: a small map, and where the user points on it.  It is for the
 * eye alone; by keyboard the arrow keys bring every node into sight.
 */

import { attributes, on, svg } from "../dom";
import { max, min, toTenths } from "../maths";
import type { Box, Camera, Point, Size } from "./camera";
import { project } from "./camera";
import type { Frame } from "./frame";

export interface Minimap {
  readonly element: SVGSVGElement;
  show(frame: Frame, camera: Camera | null, viewport: Size): void;
}

const MOST: Size = { width: 150, height: 64 };
const PAD = 4;
/** What sticks out of the viewport by less does not count. */
const SLACK = 2;

/** Whether some of the picture lies outside the viewport. */
export function sticksOut(bounds: Box, camera: Camera, viewport: Size): boolean {
  const { x, y, width, height } = project(camera, bounds);
  const out = max(-x, -y, x + width - viewport.width, y + height - viewport.height);
  return out > SLACK;
}

/** The map's own scale. */
export const mapScale = ({ width, height }: Size): number =>
  min(MOST.width / max(1, width), MOST.height / max(1, height), 0.2);

/** `centre` takes the camera to a point of the picture. */
export function createMinimap(signal: AbortSignal, centre: (at: Point) => void): Minimap {
  const cards = svg("path", "gg-map-cards");
  const here = svg("rect", "gg-map-here", { rx: 2 });
  const element = svg("svg", "gg-map", { "aria-hidden": "true" }, cards, here);
  let bounds: Box = { x: 0, y: 0, width: 0, height: 0 };
  let shown: Frame | null = null;
  const point = (event: PointerEvent): void => {
    // A finger that comes down may be about to scroll the page; it points by a tap.
    const isTap = event.type === "click";
    if (event.pointerType === "touch" && !isTap) return;
    if (event.type === "pointerdown") element.setPointerCapture(event.pointerId);
    if (!isTap && !element.hasPointerCapture(event.pointerId)) return;
    const { left, top } = element.getBoundingClientRect();
    const scale = mapScale(bounds);
    const at = (pixels: number, start: number): number => (pixels - PAD - 1) / scale + start;
    centre({ x: at(event.clientX - left, bounds.x), y: at(event.clientY - top, bounds.y) });
  };
  on(signal, element, "pointerdown", point);
  on(signal, element, "pointermove", point);
  on(signal, element, "click", point as (event: MouseEvent) => void);
  return {
    element,
    show(frame, camera, viewport) {
      const isNeeded = camera !== null && sticksOut(frame.bounds, camera, viewport);
      element.style.display = isNeeded ? "" : "none";
      if (!isNeeded) return;
      bounds = frame.bounds;
      const scale = mapScale(bounds);
      const small = ({ x, y, width, height }: Box): Box => ({
        x: toTenths((x - bounds.x) * scale + PAD),
        y: toTenths((y - bounds.y) * scale + PAD),
        width: toTenths(max(1.5, width * scale)),
        height: toTenths(max(1.5, height * scale)),
      });
      if (frame !== shown) {
        const drawn = frame.boxes.filter(({ width }) => width > 0).map(small);
        const d = drawn.map(
          ({ x, y, width, height }) => `M${x} ${y}h${width}v${height}h${-width}z`,
        );
        attributes(cards, { d: d.join("") });
        const size = small(bounds);
        attributes(element, { width: size.width + 2 * PAD, height: size.height + 2 * PAD });
        shown = frame;
      }
      /** What is seen of an axis, no more than there is. */
      const seen = (start: number, room: number, low: number, all: number): [number, number] => {
        const from = max(low, -start / camera.scale);
        const to = min(low + all, (room - start) / camera.scale);
        return [from, max(0, to - from)];
      };
      const [x, width] = seen(camera.x, viewport.width, bounds.x, bounds.width);
      const [y, height] = seen(camera.y, viewport.height, bounds.y, bounds.height);
      attributes(here, { ...small({ x, y, width, height }) });
    },
  };
}
