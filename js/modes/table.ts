/** The modes there are, in the order of the menu.  A mode is added by one line here. */

import { BY_HAND } from "./hand/mode";
import type { Mode } from "./mode";
import { ORDER } from "./order/mode";
import { PATHS } from "./paths/mode";

export const MODES: readonly Mode[] = [BY_HAND, ORDER, PATHS];

/** The mode of a name; null for none and for one that this page does not know. */
export const modeOf = (name: string): Mode | null =>
  MODES.find((mode) => mode.name === name) ?? null;
