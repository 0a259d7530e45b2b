/**
 * What the columns of a structure say about one node.
 *
 * In: a structure and the index of a node.  Out: its rule, its operands, and what kind of node it is,
 * the same for every room that asks.
 */

import type { Rule, Structure } from "./contract";
import { isConstant } from "./names";

/** The rule that computes a node; none for a leaf and for an operation we do not know. */
export const ruleOf = ({ rules, nodes }: Structure, node: number): Rule | undefined =>
  rules.get(nodes.rule[node] ?? "");

/** The edges from the drawn operands of a node in order, one entry per use. */
export const usesOf = ({ operandEdges, edges }: Structure, node: number): number[] =>
  (operandEdges[node] ?? []).flatMap((edge) =>
    new Array<number>(edges.count[edge] ?? 1).fill(edge),
  );

/** The drawn operands of a node in order, one entry per use. */
export const operandsOf = (structure: Structure, node: number): number[] =>
  usesOf(structure, node).map((edge) => structure.edges.source[edge] as number);

/** Whether the class tells which operand stands where. */
export const isOrdered = ({ operandEdges, edges }: Structure, node: number): boolean =>
  (operandEdges[node] ?? []).every((edge) => edges.operand[edge] !== null);

/** Whether operands of a node are drawn. */
export const hasOperands = ({ operandEdges }: Structure, node: number): boolean =>
  (operandEdges[node]?.length ?? 0) > 0;

/** Whether a value is computed, also from what is not drawn. */
export const isComputed = (structure: Structure, node: number): boolean =>
  hasOperands(structure, node) || (structure.nodes.hidden[node] ?? 0) > 0;

/** The nodes that one asks the gradient of, constants left out, in order. */
export const countedNodes = (structure: Structure): number[] =>
  [...structure.nodes.id.keys()].filter((node) => !isConstant(structure, node));
