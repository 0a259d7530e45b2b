/**
 * Five buttons that walk along something: to its start, back, play, on, to its end.
 *
 * In: where the walk stands.  Out: which button was pressed.  The tape has them, and every mode that
 * goes step by step.
 */

import { attributes, button, html, icon, on } from "../dom";

export type StepName = "first" | "previous" | "play" | "next" | "last";

export interface Standing {
  readonly atStart: boolean;
  readonly atEnd: boolean;
  readonly playing: boolean;
}

export interface Steps {
  readonly element: HTMLElement;
  show(standing: Standing): void;
}

interface Control {
  readonly label: string;
  readonly path: string;
  /** Drawn as a line, not filled. */
  readonly open?: boolean;
}

const PLAY = "M5 3l8 5-8 5z";
const PAUSE = "M5.5 3.5v9M10.5 3.5v9";
const CONTROLS: Readonly<Record<StepName, Control>> = {
  first: { label: "First step", path: "M4 3v10M12.5 3 6.5 8l6 5z" },
  previous: { label: "Previous step", path: "M10 3 5 8l5 5", open: true },
  play: { label: "Play", path: PLAY },
  next: { label: "Next step", path: "M6 3l5 5-5 5", open: true },
  last: { label: "Last step", path: "M12 3v10M3.5 3l6 5-6 5z" },
};

export function createSteps(signal: AbortSignal, go: (name: StepName) => void): Steps {
  const buttons = Object.fromEntries(
    Object.entries(CONTROLS).map(([name, { label, path, open }]) => {
      const element = button(icon(path, open), "gg-icon", label);
      on(signal, element, "click", () => go(name as StepName));
      return [name, element];
    }),
  ) as Record<StepName, HTMLButtonElement>;
  return {
    element: html("div", "gg-steps", {}, ...Object.values(buttons)),
    show({ atStart, atEnd, playing }) {
      buttons.previous.disabled = atStart;
      buttons.next.disabled = atEnd;
      showPlaying(buttons.play, playing);
    },
  };
}

function showPlaying(element: HTMLButtonElement, playing: boolean): void {
  const label = playing ? "Pause" : "Play";
  if (element.title === label) return;
  attributes(element, { "aria-label": label, title: label });
  element.replaceChildren(icon(playing ? PAUSE : PLAY));
}
