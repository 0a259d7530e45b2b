/**
 * The field in which somebody writes a gradient, on the card that the gradient belongs to.
 *
 * In: a mode's field, the node it is about, and the camera.  Out: the field over the picture.  It
 * grows with the card but never becomes too small to write in; on a card that is seen from afar it
 * stands below, and without a picture in a row of its mode's panel.
 */

import { focusedBeside, focusOn, on } from "../dom";
import { handleKey } from "../keys";
import { max } from "../maths";
import { type Box, type Camera, type Point, project } from "./camera";
import type { Card } from "./cards";
import type { Frame } from "./frame";

/** From this scale on the field fits into its card. */
const INSIDE = 0.75;
const SIZE = { least: 48, height: 22, letters: 12.5 } as const;
/** Between the field and the card's right edge, and above the baseline of the numbers. */
const INSET = 4;
const RISE = 15;

/** The field's box in the viewport. */
export function fieldOn(camera: Camera, corner: Point, card: Card): Box {
  const scale = max(INSIDE, camera.scale);
  const width = max(SIZE.least, scale * (card.width - card.grad - 4));
  const height = scale * SIZE.height;
  const seen = project(camera, { ...corner, width: card.width, height: card.height });
  const right = seen.x + seen.width;
  return camera.scale < INSIDE
    ? { x: right - width, y: seen.y + seen.height + 2, width, height }
    : {
        x: right - width - scale * INSET,
        y: seen.y + scale * (card.numberLine - RISE),
        width,
        height,
      };
}

export interface Field {
  readonly input: HTMLElement;
  /** Where it stands while there is no picture. */
  readonly row: HTMLElement;
}

export interface FieldPlace {
  /** Puts the field on the card of `node`; without a camera into its row. */
  show(
    field: Field | undefined,
    node: number | undefined,
    frame: Frame,
    camera: Camera | null,
  ): void;
  /** Puts the keyboard's focus into the field, if it stands on the card of `node`. */
  focus(node: number | undefined): void;
}

/** `leave` takes the focus to a node's card, `seek` brings the card into sight. */
export function createFieldPlace(
  stage: HTMLElement,
  leave: (node: number) => void,
  seek: (node: number) => void,
  signal: AbortSignal,
): FieldPlace {
  let shown: Field | undefined;
  let asked: number | undefined;
  const isOurs = ({ target }: Event): boolean => asked !== undefined && target === shown?.input;
  const focused = (): Element | null => focusedBeside(stage);
  const focus = (): void => focusOn(shown?.input);
  on(signal, stage, "input", (event) => isOurs(event) && seek(asked as number));
  on(
    signal,
    stage,
    "keydown",
    (event) => isOurs(event) && handleKey(event, { Escape: () => leave(asked as number) }),
  );
  return {
    show(field, node, frame, camera) {
      if (field !== shown) shown?.input.remove();
      const before = asked;
      [shown, asked] = [field, node];
      if (!field) return;
      const { input, row } = field;
      const home = camera ? stage : row;
      if (input.parentNode !== home) home.append(input);
      input.classList.toggle("gg-on-card", camera !== null);
      if (camera && node !== undefined) {
        const box = fieldOn(camera, frame.corners[node] as Point, frame.cards[node] as Card);
        const { x, y, width, height } = box;
        const font = (SIZE.letters * height) / SIZE.height;
        input.style.cssText = `left:${x}px;top:${y}px;width:${width}px;height:${height}px;font-size:${font}px`;
      } else input.removeAttribute("style");
      const isWriting = focused() === input;
      input.hidden = node === undefined;
      if (node === before) return;
      if (node !== undefined && stage.closest(".gg")?.contains(focused())) focus();
      if (node === undefined && before !== undefined && isWriting) leave(before);
    },
    focus: (node) => node !== undefined && node === asked && focus(),
  };
}
