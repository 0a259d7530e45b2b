/**
 * Pan and zoom by pointer and wheel, without ever trapping the notebook's scrolling.
 *
 * In: events on the picture.  Out: calls with pans, zooms and clicks.  The wheel zooms with Ctrl or
 * Cmd, or after a click into the picture until the pointer leaves it; in every other case the event
 * is left to the page.  One finger moves the picture sideways and scrolls the page up and down, as
 * the style sheet tells the browser; two fingers zoom.
 */

import { on } from "../dom";
import { hypot, max } from "../maths";
import { type Point, wheelFactor } from "./camera";

export interface Gestures {
  /** What follows a drag if this press on `target` becomes one, null where that pans. */
  grab(target: Element): ((pixels: number) => void) | null;
  pan(dx: number, dy: number): void;
  zoom(factor: number, at: Point): void;
  /** Two presses on `target`. */
  doubleClick(target: EventTarget | null): void;
  /** A press that did not become a drag; `target` is what was pressed. */
  click(target: Element): void;
}

const pointOf = ({ clientX, clientY }: MouseEvent): Point => ({ x: clientX, y: clientY });

/** A press becomes a drag after this many pixels. */
const SLACK = 4;

export function watchGestures(picture: SVGSVGElement, signal: AbortSignal, calls: Gestures): void {
  let engaged = false;
  /** Whether the fingers or the mouse have moved the picture since they came down. */
  let dragged = false;
  let press: {
    id: number;
    x: number;
    y: number;
    target: Element;
    start: number;
    follow: ((pixels: number) => void) | null;
  } | null = null;

  /** Where each finger is; two of them pinch. */
  const fingers = new Map<number, Point>();
  const pinch = (): { readonly span: number; readonly middle: Point } => {
    const [a, b] = [...fingers.values()] as [Point, Point];
    const middle = { x: (a.x + b.x) / 2, y: (a.y + b.y) / 2 };
    return { span: hypot(a.x - b.x, a.y - b.y), middle };
  };
  const within = ({ x, y }: Point): Point => {
    const frame = picture.getBoundingClientRect();
    return { x: x - frame.left, y: y - frame.top };
  };

  const release = (): void => {
    if (press && dragged && picture.hasPointerCapture(press.id)) {
      picture.releasePointerCapture(press.id);
    }
    press = null;
    picture.classList.remove("gg-panning");
  };

  const pressed = (event: PointerEvent): void => {
    if (event.button !== 0 || !(event.target instanceof Element)) return;
    if (event.pointerType === "touch") fingers.set(event.pointerId, pointOf(event));
    dragged = fingers.size > 1;
    if (dragged) {
      release();
      return;
    }
    press = {
      id: event.pointerId,
      x: event.clientX,
      y: event.clientY,
      target: event.target,
      start: event.clientX,
      follow: calls.grab(event.target),
    };
  };

  const moved = (event: PointerEvent): void => {
    if (fingers.size === 2 && fingers.has(event.pointerId)) {
      const before = pinch();
      fingers.set(event.pointerId, pointOf(event));
      const { span, middle } = pinch();
      calls.pan(middle.x - before.middle.x, middle.y - before.middle.y);
      calls.zoom(span / max(1, before.span), within(middle));
      return;
    }
    if (!press || event.pointerId !== press.id) return;
    const dx = event.clientX - press.x;
    // Up and down a finger belongs to the page, also before the page has noticed.
    const dy = event.pointerType === "touch" ? 0 : event.clientY - press.y;
    if (!dragged && hypot(dx, dy) < SLACK) return;
    if (!dragged) {
      dragged = true;
      picture.setPointerCapture(press.id);
      if (!press.follow) picture.classList.add("gg-panning");
    }
    if (press.follow) {
      press.follow(event.clientX - press.start);
      return;
    }
    press.x = event.clientX;
    press.y = event.clientY;
    calls.pan(dx, dy);
  };

  const lifted = ({ pointerId }: PointerEvent): void => {
    fingers.delete(pointerId);
  };

  const released = (event: PointerEvent): void => {
    if (!press || event.pointerId !== press.id) return;
    release();
    engaged = true;
  };

  // Not the pointer's release: on a touch screen the focus moves only after it, and a screen reader
  // presses without any pointer.
  const clicked = ({ target }: MouseEvent): void => {
    if (!dragged && target instanceof Element) calls.click(target);
  };

  const wheeled = (event: WheelEvent): void => {
    if (!(engaged || event.ctrlKey || event.metaKey)) return;
    event.preventDefault();
    calls.zoom(wheelFactor(event.deltaY, event.deltaMode), within(pointOf(event)));
  };

  on(signal, picture, "pointerdown", pressed);
  on(signal, picture, "pointermove", moved);
  on(signal, picture, "pointerup", released);
  on(signal, picture, "pointercancel", release);
  on(signal, picture, "click", clicked);
  for (const end of ["pointerup", "pointercancel"] as const) {
    on(signal, picture, end, lifted);
  }
  on(signal, picture, "pointerleave", () => (engaged = false));
  on(signal, picture, "dblclick", ({ target }) => calls.doubleClick(target));
  picture.addEventListener("wheel", wheeled, { signal, passive: false });
}
