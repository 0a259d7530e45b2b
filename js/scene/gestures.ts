/**
 * Pan and zoom by pointer and wheel, without ever trapping the notebook's scrolling.
 *
 * In: events on the picture.  Out: calls with pans, zooms and clicks.  The wheel zooms with Ctrl or
 * Cmd, or after a click into the picture until the pointer leaves it; in every other case the event
 * is left to the page.
 */

import { type Point, wheelFactor } from "./camera";

export interface Gestures {
  /** What follows a drag that begins on `target`, null where it pans. */
  grab(target: Element): ((pixels: number) => void) | null;
  pan(dx: number, dy: number): void;
  zoom(factor: number, at: Point): void;
  /** Two presses on `target`. */
  doubleClick(target: EventTarget | null): void;
  /** A press that did not become a drag; `target` is what was pressed. */
  click(target: Element): void;
}

/** A press becomes a drag after this many pixels. */
const SLACK = 4;

export function watchGestures(picture: SVGSVGElement, signal: AbortSignal, on: Gestures): void {
  let engaged = false;
  let press: {
    id: number;
    x: number;
    y: number;
    target: Element;
    dragged: boolean;
    start: number;
    follow: ((pixels: number) => void) | null;
  } | null = null;

  const release = (): void => {
    if (press?.dragged && picture.hasPointerCapture(press.id)) {
      picture.releasePointerCapture(press.id);
    }
    press = null;
    picture.classList.remove("gg-panning");
  };

  const pressed = (event: PointerEvent): void => {
    if (event.button !== 0 || !(event.target instanceof Element)) return;
    press = {
      id: event.pointerId,
      x: event.clientX,
      y: event.clientY,
      target: event.target,
      dragged: false,
      start: event.clientX,
      follow: null,
    };
  };

  const moved = (event: PointerEvent): void => {
    if (!press || event.pointerId !== press.id) return;
    const dx = event.clientX - press.x;
    const dy = event.clientY - press.y;
    if (!press.dragged && Math.hypot(dx, dy) < SLACK) return;
    if (!press.dragged) {
      press.dragged = true;
      picture.setPointerCapture(press.id);
      press.follow = on.grab(press.target);
      if (!press.follow) picture.classList.add("gg-panning");
    }
    if (press.follow) {
      press.follow(event.clientX - press.start);
      return;
    }
    press.x = event.clientX;
    press.y = event.clientY;
    on.pan(dx, dy);
  };

  const released = (event: PointerEvent): void => {
    if (!press || event.pointerId !== press.id) return;
    const { dragged, target } = press;
    release();
    engaged = true;
    if (!dragged) on.click(target);
  };

  const wheeled = (event: WheelEvent): void => {
    if (!(engaged || event.ctrlKey || event.metaKey)) return;
    event.preventDefault();
    const frame = picture.getBoundingClientRect();
    on.zoom(wheelFactor(event.deltaY, event.deltaMode), {
      x: event.clientX - frame.left,
      y: event.clientY - frame.top,
    });
  };

  const options = { signal };
  picture.addEventListener("pointerdown", pressed, options);
  picture.addEventListener("pointermove", moved, options);
  picture.addEventListener("pointerup", released, options);
  picture.addEventListener("pointercancel", release, options);
  picture.addEventListener("pointerleave", () => (engaged = false), options);
  picture.addEventListener("dblclick", ({ target }) => on.doubleClick(target), options);
  picture.addEventListener("wheel", wheeled, { signal, passive: false });
}
