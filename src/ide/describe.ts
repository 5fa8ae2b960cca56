/** Declarations in one line of WGSL, with the types that analysis found. */
import type { CallInfo, Declaration, Entity, FunctionInfo, Program } from "../analysis/program.ts";
import { type Layout, layoutOf } from "../layout/layout.ts";
import type * as ast from "../syntax/ast.ts";
import { printAttribute, printExpression } from "../syntax/print.ts";
import { type Type, typeName, VOID } from "../types/type.ts";

/** `(a: f32, b: u32) -> f32`, as written. */
export function parametersText(node: ast.FunctionDecl): string {
  const params = node.params.map(({ name, type }) => `${name.text}: ${printExpression(type)}`);
  const result = node.returnType === null ? "" : ` -> ${printExpression(node.returnType)}`;
  return `(${params.join(", ")})${result}`;
}

function attributesText(attributes: readonly ast.Attribute[]): string {
  return attributes.map((each) => `${printAttribute(each)} `).join("");
}

/** The declaration without its initializer; where analysis gave no type, as far as it is written. */
export function declarationText(program: Program, node: Declaration): string {
  const entity = program.declared[node.id] ?? null;
  const { text } = node.name;
  const typed = `${text}${typeText(entity, node.kind === "function" || node.kind === "struct" ? null : node.type)}`;
  switch (node.kind) {
    case "var":
      return `${attributesText(node.attributes)}var${spaceText(entity, node)} ${typed}`;
    case "let":
    case "const":
      return `${node.kind} ${typed}`;
    case "override":
      return `${attributesText(node.attributes)}override ${typed}`;
    case "param":
      return `${attributesText(node.attributes)}${typed}`;
    case "alias":
      return `alias ${text} = ${printExpression(node.type)}`;
    case "struct":
      return `struct ${text}`;
    case "function":
      return `${attributesText(node.attributes)}fn ${text}${parametersText(node)}`;
    default:
      return node satisfies never;
  }
}

function typeText(entity: Entity | null, written: ast.Expr | null): string {
  const type = entity !== null && "type" in entity ? entity.type : null;
  if (type !== null && type.kind !== "error") return `: ${typeName(type)}`;
  return written === null ? "" : `: ${printExpression(written)}`;
}

function spaceText(entity: Entity | null, node: ast.VarDecl): string {
  if (entity?.kind !== "variable")
    return node.template === null ? "" : `<${node.template.map(printExpression).join(", ")}>`;
  const { space, access } = entity;
  if (space === "function" || space === "handle") return "";
  return space === "storage" ? `<storage, ${access}>` : `<${space}>`;
}

/** The type of what a declaration declares; null: it is none, or is not known. */
export function typeOfDeclaration(program: Program, node: Declaration): Type | null {
  const entity = program.declared[node.id] ?? null;
  return entity !== null && "type" in entity && entity.type.kind !== "error" ? entity.type : null;
}

/** As a declaration of the function that a call chose: the types are those of the call. */
export function calledText(call: Extract<CallInfo, { readonly kind: "builtin" }>, names: readonly string[]): string {
  const params = call.args.map((type, at) => `${names[at] ?? "e"}: ${typeName(type)}`);
  const template = call.template === null ? "" : `<${typeName(call.template)}>`;
  const result = call.result === VOID ? "" : ` -> ${typeName(call.result)}`;
  return `fn ${call.name}${template}(${params.join(", ")})${result}`;
}

/** `fn sum(a: f32, b: f32) -> f32` with the types that analysis found. */
export function functionText({ name, params, returnType }: FunctionInfo): string {
  const list = params.map((param) => `${param.name}: ${typeName(param.type)}`);
  return `fn ${name}(${list.join(", ")})${returnType === VOID ? "" : ` -> ${typeName(returnType)}`}`;
}

/** null: a type without a layout, or one that analysis found fault with. */
export function layoutOrNull(type: Type): Layout | null {
  try {
    return layoutOf(type);
  } catch {
    return null;
  }
}
