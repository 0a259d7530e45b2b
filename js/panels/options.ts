/**
 * The menu of ways to view: direction, digits, constants, table, copies.
 *
 * In: the state.  Out: reducers, and texts in the clipboard.
 */

import { FORMATS, type Format } from "../copy";
import { focusedBeside, focusOn } from "../dom";
import { formatCount } from "../format";
import { assign, type Reducer, reset, type State } from "../store";
import { createMenu, type Entry, type Standing } from "./menu";
import type { Panel } from "./toolbar";

/** The numbers of digits that the menu goes through; the trait may hold any. */
const DIGITS = [3, 4, 6, 10, 17];

interface Option extends Entry {
  /** What a press does to the state. */
  readonly press?: Reducer;
  /** Whether the list stays open, to be pressed again. */
  readonly stays?: boolean;
  readonly standing?: (state: State) => Standing;
}

const COPIES = Object.keys(FORMATS) as readonly Format[];

const OPTIONS: readonly Option[] = [
  { name: "find", title: "Find", hint: "a name, an operation, code (/)" },
  {
    name: "rankdir",
    title: "Direction",
    hint: "",
    stays: true,
    press: (state) =>
      assign({ rankdir: state.rankdir === "LR" ? "TB" : "LR", camera: null })(state),
    standing: ({ rankdir }) => ({ hint: rankdir === "LR" ? "left to right" : "top to bottom" }),
  },
  {
    name: "precision",
    title: "Digits",
    hint: "",
    stays: true,
    press: (state) => {
      const precision = DIGITS.find((digits) => digits > state.precision) ?? DIGITS[0];
      return assign({ precision: precision as number })(state);
    },
    standing: ({ precision }) => ({ hint: formatCount(precision, "significant digit") }),
  },
  {
    name: "constants",
    title: "Constants",
    hint: "cards of their own",
    stays: true,
    press: (state) => ({ ...state, constants: !state.constants }),
    standing: ({ constants }) => ({ checked: constants }),
  },
  {
    name: "table",
    title: "Table",
    hint: "instead of the picture (t)",
    press: (state) => ({ ...state, table: !state.table }),
    standing: ({ table }) => ({ checked: table }),
  },
  {
    name: "fold",
    title: "Fold",
    hint: "stacks of what belongs together",
    standing: ({ structure }) => ({ checked: !!structure?.folds }),
  },
  { name: "reset", title: "Reset", hint: "the view as it opened", press: reset },
  ...COPIES.map((name) => ({ name, title: "Copy", hint: `as ${name}`, stays: true })),
  { name: "help", title: "Keys", hint: "everything by keyboard (?)" },
];

/** What a press on an option does that is no change of the state alone. */
export interface Acts {
  update(reducer: Reducer): void;
  find(): void;
  fold(): void;
  help(): void;
  /** Hands a text to the clipboard; answers whether it got there. */
  copy(format: Format): Promise<boolean>;
}

export function createOptions(signal: AbortSignal, acts: Acts): Panel {
  let told: { readonly name: string; readonly hint: string } | null = null;
  let shown: State | null = null;
  const copy = (name: Format): void => {
    const refusal = shown?.structure?.folds
      ? "not of a folded picture"
      : "the browser did not allow it";
    acts.copy(name).then((done) => {
      told = { name, hint: done ? `${name} is in the clipboard` : refusal };
      if (shown) show(shown);
    });
  };
  const menu = createMenu(signal, "View", "menuitem", OPTIONS, (name) => {
    const { press, stays = false } = OPTIONS.find((option) => option.name === name) as Option;
    if (press) acts.update(press);
    else if (name === "find" || name === "fold" || name === "help") acts[name]();
    else copy(name as Format);
    return stays;
  });
  const show = (state: State): void => {
    if (state !== shown) told = null;
    shown = state;
    menu.show("View", "View", false, (name) => ({
      ...OPTIONS.find((option) => option.name === name)?.standing?.(state),
      ...(told?.name === name ? { hint: told.hint } : {}),
    }));
  };
  return { element: menu.element, show };
}

/** Puts a text into the clipboard, in the older way where a page may not in the newer. */
export async function toClipboard(text: string, root: HTMLElement): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    const before = focusedBeside(root);
    const field = document.createElement("textarea");
    field.value = text;
    root.append(field);
    field.select();
    const done = document.execCommand("copy");
    field.remove();
    focusOn(before);
    return done;
  }
}
