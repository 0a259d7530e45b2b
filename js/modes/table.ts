/** The modes there are, in the order of the menu.  A mode is added by one line here. */

import type { State } from "../store";
import { BLAME } from "./blame/mode";
import { FOLDED, REFUSED } from "./fold";
import { BY_HAND } from "./hand/mode";
import type { Mode } from "./mode";
import { NUDGE } from "./nudge/mode";
import { ORDER } from "./order/mode";
import { PATHS } from "./paths/mode";
import { PREDICT } from "./predict/mode";

export const MODES: readonly Mode[] = [BY_HAND, ORDER, PATHS, NUDGE, PREDICT, BLAME];

/** The mode that a view is in: a folded picture has its own. */
export const modeIn = ({ mode, step, structure }: State): Mode | null => {
  if (structure?.folds) return mode || step >= 0 ? REFUSED : FOLDED;
  return modeOf(mode);
};

/** The mode of a name; null for none and for one that this page does not know. */
export const modeOf = (name: string): Mode | null =>
  MODES.find((mode) => mode.name === name) ?? null;
