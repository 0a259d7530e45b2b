/**
 * The stale layers: what is drawn of numbers that are not of one piece with the rest.
 *
 * In: the moment at rest.  Out: hatched nodes, what a screen reader and the tooltip say of each, and
 * one notice.  It lies over the plain picture, where nobody asked, because somebody who reads a
 * gradient that is twice as large as it should be does not know that there is something to ask.
 */

import { formatApart, formatCount, formatNumber } from "../format";
import type { Moment, Overlay } from "../modes/mode";
import { memberOf, nameOf, short } from "../names";
import type { NodeNote } from "../scene/marks";
import { staleData } from "./data";
import { type Stale, staleGradients } from "./gradients";

/** A graph of more values than this is not computed again at every update. */
const MOST = 1000;

export function staleOverlay(moment: Moment): Overlay {
  const { structure, numbers, tape } = moment;
  if (structure.nodes.id.length > MOST) return {};
  const data = staleData(structure, numbers);
  const gradients = data.nodes.length > 0 ? null : staleGradients(structure, numbers, tape);
  const nodes = new Map(
    (gradients?.nodes ?? []).map((node) => {
      return [node, note(sayGradient(moment, gradients as Stale, node))] as const;
    }),
  );
  const due = new Map(data.starts.map(({ node, due }) => [node, due]));
  for (const node of data.nodes) {
    const said = sayData(moment, due.get(node), node);
    // Where the kernel could tell, its own note stands in the tooltip already.
    const isTold = numbers.notes.get(node)?.includes("no longer follows");
    nodes.set(node, isTold ? { ...STALE, spoken: said } : note(said));
  }
  if (nodes.size === 0) return {};
  const notice =
    data.nodes.length > 0 ? noticeOfData(moment, data.starts) : noticeOf(moment, gradients);
  return { nodes, notice };
}

const STALE = { className: "gg-stale" } as const;

const note = (said: string): NodeNote => ({ ...STALE, spoken: said, told: `${said}.` });

const sayData = (
  { structure, precision }: Moment,
  due: number | undefined,
  node: number,
): string =>
  due === undefined
    ? `${nameOf(structure, node)} was computed from a value that is stale`
    : `${nameOf(structure, node)} does not follow from its operands, which give ${formatNumber(due, precision)} now`;

function noticeOfData(
  { structure, numbers, precision }: Moment,
  starts: readonly { readonly node: number; readonly due: number }[],
): string {
  // The kernel has said it already where it could.
  if (structure.messages.some((message) => message.includes("no longer follow"))) return "";
  const [{ node, due } = { node: 0, due: 0 }] = starts;
  const others = starts.length - 1;
  const also = others > 0 ? ` (and ${formatCount(others, "value")} like it)` : "";
  const [held, now] = formatApart(numbers.data[node] ?? due, due, precision);
  return `${nameOf(structure, node)} is ${held}, but its operands give ${now} now${also}: an input was changed after it was computed. Compute it again, with forward() or by running the cell.`;
}

/** "2 from cell 7": what was there before, and who left it, if that is known. */
function rest({ numbers, tape, precision }: Moment, node: number): string {
  const amount = (numbers.grad[node] as number) - (tape.gradients[node] as number);
  const cell = numbers.cells.get(node);
  return `${formatNumber(amount, precision)} from ${cell === undefined ? "before" : `cell ${cell}`}`;
}

function sayGradient(moment: Moment, stale: Stale, node: number): string {
  const { structure, tape, precision } = moment;
  const once = formatNumber(tape.gradients[node] ?? null, precision);
  const name = memberOf(short(nameOf(structure, node)), "grad");
  return stale.why === "again"
    ? `${name} holds ${stale.calls} calls of backward(); one gives ${once}`
    : `${name} still holds ${rest(moment, node)}; this graph gives ${once}`;
}

function noticeOf(moment: Moment, stale: Stale | null): string {
  if (!stale) return "";
  const { structure, numbers, tape, precision } = moment;
  const write = (value: number | null | undefined): string =>
    formatNumber(value ?? null, precision);
  const node = stale.nodes.at(0) as number;
  const name = memberOf(short(nameOf(structure, node)), "grad");
  const [held, due] = [numbers.grad[node] as number, tape.gradients[node] as number];
  if (stale.why === "again") {
    return `backward() ran ${stale.calls} times and added to what was there: ${name} is ${write(held)}, where one call gives ${write(due)}. Zero the gradients first.`;
  }
  // The kernel has said it already where it could.
  if (structure.messages.some((message) => message.startsWith(`${name} is`))) return "";
  const others = stale.nodes.length - 1;
  const also = others > 0 ? ` (and ${formatCount(others, "value")} like it)` : "";
  return `${name} still holds ${rest(moment, node)}${also}; this graph added ${write(due)}. Zero the gradients first.`;
}
