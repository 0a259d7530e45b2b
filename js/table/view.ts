/** Keeps the table of values up to date while it is shown, and remembers how it is sorted. */

import type { Derived } from "../derive";
import { formatCount } from "../format";
import { remember } from "../remember";
import type { State } from "../store";
import { createTable } from "./panel";
import { pressed, type Sorting, tableRows, UNSORTED } from "./rows";

export interface Values {
  readonly element: HTMLElement;
  show(state: State, derived: Derived): void;
}

export function createValues(signal: AbortSignal, press: (id: number) => void): Values {
  const rowsFor = remember(tableRows);
  let sorting: Sorting = UNSORTED;
  let redraw = (): void => {};
  const table = createTable(
    signal,
    (column) => {
      sorting = pressed(sorting, column);
      redraw();
    },
    press,
  );
  const show = (state: State, { structure, numbers, readings, moment, found }: Derived): void => {
    table.element.hidden = !state.table;
    if (!state.table) return;
    const nodes = state.query?.trim() ? found : allOf(structure.nodes.id);
    const { precision } = state;
    const rows = rowsFor(structure, numbers, readings, precision, nodes, moment.pinned, sorting);
    table.show(rows, sorting, `${structure.title}: ${formatCount(nodes.length, "value")}`);
  };
  return {
    element: table.element,
    show(state, derived) {
      redraw = () => show(state, derived);
      redraw();
    },
  };
}

const allOf = remember((ids: readonly number[]): readonly number[] => [...ids.keys()]);
