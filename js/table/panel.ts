/**
 * The table that stands in for the picture on demand.
 *
 * In: rows and how they are sorted.  Out: an accessible table; a press on a name pins that value.
 */

import { attributes, button, className, createKeyed, html, on, onPress, text } from "../dom";
import { readingOf } from "../panels/tooltip";
import { COLUMNS, type Column, type Sorting, type TableRow } from "./rows";

export interface TablePanel {
  readonly element: HTMLElement;
  show(rows: readonly TableRow[], sorting: Sorting, caption: string): void;
}

export function createTable(
  signal: AbortSignal,
  sort: (column: Column) => void,
  press: (id: number) => void,
): TablePanel {
  const heads = COLUMNS.map((column) => {
    const head = button(column, "gg-plain");
    on(signal, head, "click", () => sort(column));
    return html("th", "", { scope: "col" }, head);
  });
  const caption = html("caption", "gg-unseen");
  const body = html("tbody");
  const table = html(
    "table",
    "gg-values",
    {},
    caption,
    html("thead", "", {}, html("tr", "", {}, ...heads)),
    body,
  );
  const region = { role: "region", "aria-label": "Table of values", tabindex: "0", hidden: true };
  const element = html("div", "gg-table", region, table);
  onPress(signal, body, "row", press);
  const keyed = createKeyed<TableRow, HTMLElement>(body, ({ id }) => `${id}`, create, fill);
  return {
    element,
    show(rows, { by, down }, said) {
      text(caption, said);
      heads.forEach((head, at) => {
        const order = down ? "descending" : "ascending";
        attributes(head, { "aria-sort": COLUMNS[at] === by ? order : null });
      });
      keyed.show(rows);
    },
  };
}

function create({ id }: TableRow): HTMLElement {
  const head = html("th", "", { scope: "row" }, button("", "gg-plain"));
  return html("tr", "", { "data-row": id }, head, ...COLUMNS.slice(1).map(() => html("td")));
}

function fill(row: HTMLElement, { name, op, data, grad, slope, isPinned }: TableRow): void {
  const [head, ...cells] = row.children as unknown as HTMLElement[];
  const pin = head?.firstChild as HTMLElement;
  text(pin, name);
  attributes(pin, { "aria-pressed": `${isPinned}` });
  className(row, isPinned ? "gg-on" : "");
  const contents = [op, readingOf(data), grad ? readingOf(grad) : "", slope];
  cells.forEach((cell, at) => {
    cell.replaceChildren(contents[at] as Node | string);
  });
}
