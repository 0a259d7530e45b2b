/** The menu of modes: plain looking first, then each mode of the table. */

import type { State } from "../store";
import { createMenu, type Entry } from "./menu";
import type { Panel } from "./toolbar";

const LOOK: Entry = { name: "", title: "Look", hint: "read the picture and step along the tape" };

export function createModeMenu(
  signal: AbortSignal,
  modes: readonly Entry[],
  choose: (name: string) => void,
): Panel {
  const entries = [LOOK, ...modes];
  const menu = createMenu(signal, "Mode", "menuitemradio", entries, (name) => {
    choose(name);
    return false;
  });
  return {
    element: menu.element,
    show({ mode }: State) {
      const on = entries.find(({ name }) => name === mode) ?? LOOK;
      menu.show(on.title, `Mode: ${on.title}`, on !== LOOK, (name) => ({
        checked: name === on.name,
      }));
    },
  };
}
