/** The modes there are, in the order of the menu.  A mode is added by one line here. */

import type { Mode } from "./mode";

export const MODES: readonly Mode[] = [];

/** The mode of a name; null for none and for one that this page does not know. */
export const modeOf = (name: string): Mode | null =>
  MODES.find((mode) => mode.name === name) ?? null;
