/**
 * The code of a kernel between the IR and WebAssembly: calls are inlined where they should be, all ways out of a
 * structure are jumps to labels, and variables (the functions' own, private ones, results of inlined functions) are one list.
 * Values keep the rules of the IR: named by ids, defined before they are used.
 */
import type { InstId, Instruction } from "../../ir/ir.ts";
import type { Span } from "../../text/source.ts";
import type { Type } from "../../types/type.ts";
import type { ConstValue } from "../../types/value.ts";

export type ValueId = InstId;
export type LabelId = number;
export type VariableId = number;

type Control = "if" | "switch" | "loop" | "break" | "continue" | "return";

/** An instruction of the IR that is no control flow; `local` names a `Variable`, calls go to functions that stay functions. */
export type Operation = Exclude<Instruction, { kind: Control }>;

export interface IfNode {
  readonly kind: "if";
  readonly condition: ValueId;
  readonly whenTrue: readonly Node[];
  readonly whenFalse: readonly Node[];
}
export interface SwitchNode {
  readonly kind: "switch";
  readonly selector: ValueId;
  /** Behind the switch. */
  readonly label: LabelId;
  readonly clauses: readonly {
    readonly values: readonly number[];
    readonly isDefault: boolean;
    readonly body: readonly Node[];
  }[];
}
export interface LoopNode {
  readonly kind: "loop";
  readonly body: readonly Node[];
  readonly continuing: readonly Node[];
  readonly breakIf: ValueId | null;
  /** Behind the loop. */
  readonly label: LabelId;
  /** The continuing block. */
  readonly continueLabel: LabelId;
  readonly span: Span;
}
/** What was a function body: `label` is its end. */
export interface BlockNode {
  readonly kind: "block";
  readonly body: readonly Node[];
  readonly label: LabelId;
}
export interface JumpNode {
  readonly kind: "jump";
  readonly label: LabelId;
}
export type ControlNode = IfNode | SwitchNode | LoopNode | BlockNode | JumpNode;
export type Node = Operation | ControlNode;

export function isControl(node: Node): node is ControlNode {
  switch (node.kind) {
    case "if":
    case "switch":
    case "loop":
    case "block":
    case "jump":
      return true;
    default:
      return false;
  }
}

export interface Variable {
  readonly id: VariableId;
  readonly name: string;
  readonly type: Type;
}

export interface Parameter {
  readonly id: ValueId;
  readonly type: Type;
  /** Of entry points. */
  readonly builtin: string | null;
}

/** A function that is emitted: the kernel itself, or one that it calls. */
export interface Code {
  readonly name: string;
  readonly parameters: readonly Parameter[];
  readonly returnType: Type;
  /** The end of the function: what `return` jumps to. */
  readonly label: LabelId;
  /** Where returned values are put; null where there are none. */
  readonly result: VariableId | null;
  readonly variables: readonly Variable[];
  readonly nodes: readonly Node[];
  /** By value id. */
  readonly types: readonly Type[];
  readonly span: Span;
}

/** A private variable of the module that functions share, because one that stays a function uses it. */
export interface SharedPrivate {
  readonly variable: VariableId;
  readonly type: Type;
  readonly initializer: ConstValue | null;
}

/** The lists of nodes directly inside a node, in order of control. */
export function listsOf(node: Node): readonly (readonly Node[])[] {
  switch (node.kind) {
    case "if":
      return [node.whenTrue, node.whenFalse];
    case "switch":
      return node.clauses.map((clause) => clause.body);
    case "loop":
      return [node.body, node.continuing];
    case "block":
      return [node.body];
    default:
      return [];
  }
}

/** The same node with other lists in it. */
export function mapLists(
  node: Exclude<ControlNode, JumpNode>,
  map: (list: readonly Node[]) => readonly Node[],
): ControlNode {
  switch (node.kind) {
    case "if":
      return { ...node, whenTrue: map(node.whenTrue), whenFalse: map(node.whenFalse) };
    case "switch":
      return { ...node, clauses: node.clauses.map((clause) => ({ ...clause, body: map(clause.body) })) };
    case "loop":
      return { ...node, body: map(node.body), continuing: map(node.continuing) };
    case "block":
      return { ...node, body: map(node.body) };
  }
}

/** Every operation in the nodes, in order. */
export function eachOperation(nodes: readonly Node[], visit: (operation: Operation) => void): void {
  for (const node of nodes) {
    if (!isControl(node)) visit(node);
    else for (const list of listsOf(node)) eachOperation(list, visit);
  }
}

/** Every node, outer ones first. */
export function eachNode(nodes: readonly Node[], visit: (node: Node) => void): void {
  for (const node of nodes) {
    visit(node);
    if (isControl(node)) for (const list of listsOf(node)) eachNode(list, visit);
  }
}

/** The value that a control node itself needs. */
export function conditionOf(node: ControlNode): ValueId | null {
  switch (node.kind) {
    case "if":
      return node.condition;
    case "switch":
      return node.selector;
    case "loop":
      return node.breakIf;
    default:
      return null;
  }
}
