/**
 * Gives the mode that is on its place in a view.
 *
 * In: what is derived from the state.  Out: the mode's panel, built when the mode is first entered,
 * and its answers to presses and keys.
 */

import type { Send } from "../commands";
import type { Derived } from "../derive";
import { html } from "../dom";
import type { Field } from "../scene/field";
import type { State, Store } from "../store";
import { keep, type Mode, type ModePanel, type Tools } from "./mode";

export interface Host {
  /** Stands in for the tape while a mode is on. */
  readonly controls: HTMLElement;
  /** Stands below it. */
  readonly body: HTMLElement;
  /** The field of the mode that is on, for a gradient to be written into. */
  readonly field: Field | undefined;
  show(derived: Derived | null): void;
  /** Whether the mode took a press on the node with this id. */
  press(id: number): boolean;
  /** What follows a drag that begins on the node with this id, null where the picture pans. */
  grab(id: number): ((pixels: number) => void) | null;
  keys(): Readonly<Record<string, () => void>>;
}

export function createHost(
  store: Store,
  derive: (state: State) => Derived | null,
  send: Send,
  signal: AbortSignal,
): Host {
  const controls = html("div", "gg-controls", { hidden: true });
  const body = html("div", "gg-room", { hidden: true });
  const panels = new Map<Mode, ModePanel<unknown>>();
  const toolsFor = (mode: Mode): Tools<unknown> => ({
    send,
    update: (reducer) => store.update(reducer),
    change(reducer, ...others) {
      const now = derive(store.state);
      if (now?.mode !== mode) return;
      store.update(keep(mode.name, reducer(now.slice, now.moment)), ...others);
    },
  });
  const panelOf = (mode: Mode): ModePanel<unknown> => {
    const panel = panels.get(mode) ?? mode.panel(toolsFor(mode), signal);
    panels.set(mode, panel);
    return panel;
  };
  let shown: { mode: Mode | null; moment: unknown; slice: unknown } | null = null;

  return {
    controls,
    body,
    get field() {
      return shown?.mode ? panels.get(shown.mode)?.field : undefined;
    },
    show(derived) {
      const { mode = null, moment, slice } = derived ?? {};
      if (mode !== (shown?.mode ?? null)) {
        if (shown?.mode) panels.get(shown.mode)?.rest?.();
        const panel = mode && panelOf(mode);
        controls.replaceChildren(...(panel?.controls ?? []));
        body.replaceChildren(...(panel?.body ? [panel.body] : []));
        controls.hidden = panel === null;
        body.hidden = !panel?.body;
      }
      const isNew = mode !== shown?.mode || moment !== shown.moment || slice !== shown.slice;
      if (mode && moment && isNew) panelOf(mode).show(moment, slice);
      shown = { mode, moment, slice };
    },
    press(id) {
      const now = derive(store.state);
      const node = now?.structure.indexOf.get(id);
      if (!now?.mode?.press || node === undefined) return false;
      now.mode.press(node, now.moment, now.slice, toolsFor(now.mode));
      return true;
    },
    grab(id) {
      const now = derive(store.state);
      const node = now?.structure.indexOf.get(id);
      if (!now?.mode?.grab || node === undefined) return null;
      return now.mode.grab(node, now.moment, now.slice, toolsFor(now.mode));
    },
    keys() {
      const now = derive(store.state);
      return now?.mode?.keys?.(now.moment, now.slice, toolsFor(now.mode)) ?? {};
    },
  };
}
