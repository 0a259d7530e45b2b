/**
 * Step buttons that also play: one step after the other, until there is none or somebody says stop.
 *
 * In: how to walk, and where the walk stands.  Out: steps in a pace that can be read.  The clock
 * belongs to the panel that started it, not to the state: two views of one widget follow the same
 * steps, and only one of them drives.
 */

import { atEnd } from "../dom";
import { createSteps, type StepName } from "../panels/steps";

const PACE = 1100;

export type Walk = Exclude<StepName, "play">;

export interface Walker {
  readonly element: HTMLElement;
  show(place: { readonly atStart: boolean; readonly atEnd: boolean }): void;
  stop(): void;
}

/** `rewind` goes to where playing starts anew once the end was reached. */
export function createWalker(
  signal: AbortSignal,
  walk: (name: Walk) => void,
  rewind: () => void,
): Walker {
  let timer: ReturnType<typeof setTimeout> | undefined;
  let place = { atStart: true, atEnd: true };
  const repaint = (): void => steps.show({ ...place, playing: timer !== undefined });
  const stop = (): void => {
    clearTimeout(timer);
    timer = undefined;
    repaint();
  };
  const beat = (): void => {
    walk("next");
    timer = setTimeout(beat, PACE);
    if (place.atEnd) stop();
  };
  const toggle = (): void => {
    if (timer !== undefined) {
      stop();
      return;
    }
    if (place.atEnd) rewind();
    timer = setTimeout(beat, PACE / 2);
    repaint();
  };
  const steps = createSteps(signal, (name) => {
    if (name === "play") toggle();
    else {
      stop();
      walk(name);
    }
  });
  atEnd(signal, () => clearTimeout(timer));
  return {
    element: steps.element,
    stop,
    show(now) {
      place = now;
      repaint();
    },
  };
}
