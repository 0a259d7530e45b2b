/**
 * By hand: a press on a value runs its own rule, now.
 *
 * In: presses, and the gradients as the kernel has them.  Out: commands, and a picture of who has
 * run, who is ready and who was wrong.  The rules that run are the user's own, so a class with a slip
 * in it shows the slip.
 */

import { button, classes, on, text } from "../../dom";
import { formatNumber } from "../../format";
import { isConstant, memberOf, nameOf, short } from "../../names";
import { isComputed } from "../../nodes";
import { createChips } from "../../panels/chips";
import { product } from "../../rules";
import type { Flow, NodeNote } from "../../scene/marks";
import { type NodeReading, readGradient, toneOf } from "../../scene/readings";
import { times } from "../../tape";
import type { Mode, ModePanel, Moment, Overlay, Tools } from "../mode";
import {
  isWhole,
  judge,
  type Move,
  type Position,
  readMoves,
  type Suggestion,
  suggest,
} from "./moves";
import { sayMoves } from "./says";

type Moves = readonly Move[];

export const BY_HAND: Mode<Moves> = {
  name: "by hand",
  title: "By hand",
  hint: "run one rule at a time, in any order",
  begin: () => [],
  read: (value, { structure }) => readMoves(value, structure),
  overlay,
  panel,
  press: (node, moment, _, tools) => {
    const { structure } = moment;
    const id = structure.nodes.id[node] as number;
    if (isComputed(structure, node)) tools.send({ command: "run_rule", node: id });
    else if (node === structure.root) tools.send({ command: "set_grad", node: id, grad: 1 });
  },
  keys: (_moment, moves, tools) => ({
    u: () => moves.length > 0 && tools.send({ command: "undo" }),
  }),
};

// -- the picture -------------------------------------------------------------------------------------

function overlay(moment: Moment, moves: Moves): Overlay {
  const { structure, numbers, readings, precision } = moment;
  const position = judge(structure, moves);
  const flows = flowsOf(moment, moves);
  return {
    readings: readings.map(
      (reading, node): NodeReading => ({
        ...reading,
        grad: readGradient(numbers.grad[node] ?? 0, precision),
      }),
    ),
    nodes: notes(moment, position),
    flows,
    labels: flows.flatMap((flow, edge) => {
      if (flow?.when !== "now") return [];
      const last = moves.at(-1);
      const sent = last?.do === "run" ? last.grad : null;
      const written = product(numbers.slope[edge], sent, precision);
      return [{ edge, text: written, tone: toneOf(flow.amount) }];
    }),
    look: nodeOf(moves.at(-1)),
    sentence: sayMoves(moment, moves, position),
  };
}

const nodeOf = (move: Move | undefined): number | undefined =>
  move && "node" in move ? move.node : undefined;

function notes({ structure }: Moment, position: Position): ReadonlyMap<number, NodeNote> {
  const found = new Map<number, NodeNote>();
  for (const node of structure.nodes.id.keys()) {
    if (isConstant(structure, node)) continue;
    const verdict = position.driven ? "whole" : position.runs[node];
    const ready = isComputed(structure, node) && isWhole(structure, position, node);
    if (verdict === "whole") found.set(node, { className: "gg-ran", spoken: "rule has run" });
    else if (verdict) found.set(node, { className: "gg-wrong", spoken: "rule ran wrongly" });
    else if (ready) found.set(node, { className: "gg-ready", spoken: "ready to run" });
  }
  return found;
}

/** What each rule sent when it last ran. */
function flowsOf({ structure, numbers }: Moment, moves: Moves): (Flow | null)[] {
  const { operandEdges, edges } = structure;
  const flows: (Flow | null)[] = edges.source.map(() => null);
  moves.forEach((move, at) => {
    if (move.do === "zero_grad") flows.fill(null);
    if (move.do === "backward") {
      edges.target.forEach((target, edge) => {
        flows[edge] = { amount: times(numbers.slope[edge], numbers.grad[target]), when: "past" };
      });
    }
    if (move.do !== "run") return;
    const when = at === moves.length - 1 ? "now" : "past";
    for (const edge of operandEdges[move.node] ?? []) {
      if (isConstant(structure, edges.source[edge] as number)) continue;
      flows[edge] = { amount: times(numbers.slope[edge], move.grad), when };
    }
  });
  return flows;
}

// -- the panel ---------------------------------------------------------------------------------------

function panel({ send }: Tools<Moves>, signal: AbortSignal): ModePanel<Moves> {
  let suggested: Suggestion | null = null;
  let ids: readonly number[] = [];
  const play = button("", "gg-primary gg-call");
  const undo = button("undo");
  const restore = button("put all back");
  const press = (element: HTMLElement, run: () => void): void => on(signal, element, "click", run);
  press(play, () => {
    if (!suggested) return;
    if (suggested.do === "zero_grad") send({ command: "zero_grad" });
    else if (suggested.do === "run") send({ command: "run_rule", node: ids[suggested.node] ?? -1 });
    else send({ command: "set_grad", node: ids[suggested.node] ?? -1, grad: 1 });
  });
  press(undo, () => send({ command: "undo" }));
  press(restore, () => send({ command: "restore" }));
  const chips = createChips("Moves so far", signal);
  return {
    controls: [play, undo, restore, chips.element],
    show({ structure, numbers }, moves) {
      const position = judge(structure, moves);
      suggested = suggest(structure, numbers.grad, moves, position);
      ids = structure.nodes.id;
      text(play, suggested ? codeOf(structure, suggested) : "all rules have run");
      play.disabled = suggested === null;
      undo.disabled = restore.disabled = moves.length === 0;
      chips.show(
        moves.map((move, at) => {
          const wrong = (position.judged[at]?.verdict ?? "whole") !== "whole";
          const last = at === moves.length - 1;
          return {
            key: at,
            text: codeOf(structure, move) + (wrong ? " ✗" : ""),
            mark: classes(wrong && "gg-bad", last && "gg-last"),
          };
        }),
      );
      chips.element.scrollLeft = chips.element.scrollWidth;
    },
  };
}

/** A move as the line of Python that would make it. */
function codeOf(structure: Moment["structure"], move: Move | Suggestion): string {
  if (move.do === "zero_grad") return "zero grads";
  if (move.do === "backward") return "backward()";
  const name = short(nameOf(structure, move.node));
  if (move.do === "run") return memberOf(name, "_backward()");
  const grad = "grad" in move ? formatNumber(move.grad) : "1";
  return `${memberOf(name, "grad")} = ${grad}`;
}
