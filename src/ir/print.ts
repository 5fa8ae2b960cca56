/** A module as text: one instruction a line, `%3 = binary + %1 %2 : u32`. Stable, for tests and for `check --emit ir`. */
import { typeName, VOID } from "../types/type.ts";
import type { ConstValue } from "../types/value.ts";
import type { Block, Instruction, IrFunction, IrModule, Root, RootId } from "./ir.ts";

export function printModule(module: IrModule): string {
  const roots = module.roots.map((root) => printRoot(root));
  const functions = module.functions.map((made) => printFunction(module, made));
  return `${[roots.join("\n"), ...functions].filter((part) => part !== "").join("\n\n")}\n`;
}

/** As WGSL declares it, with the address space always written. */
function printRoot(root: Root): string {
  const binding = root.group === null ? "" : `@group(${root.group}) @binding(${root.binding}) `;
  const initializer = root.initializer === null ? "" : ` = ${printConstant(root.initializer)}`;
  return `${binding}var<${root.space}, ${root.access}> ${root.name}: ${typeName(root.type)}${initializer}`;
}

/** One function: its parameters with their roots, its variables, its instructions. */
export function printFunction(module: IrModule, made: IrFunction): string {
  const params = made.params.map((param) => {
    const builtin = param.builtin === null ? "" : `@${param.builtin} `;
    const root = param.root === null ? "" : ` of ${module.roots[param.root].name}`;
    return `${builtin}%${param.id} ${param.name}: ${typeName(param.type)}${root}`;
  });
  const result = made.returnType === VOID ? "" : ` -> ${typeName(made.returnType)}`;
  const size = module.entryPoint === made.id ? `@workgroup_size(${module.workgroupSize.join(", ")}) ` : "";
  const head = `${size}fn #${made.id} ${made.name}(${params.join(", ")})${result} {`;
  const locals = made.locals.map((local) => `  var ${localName(made, local.id)}: ${typeName(local.type)}`);
  const printer: Printer = { module, function: made };
  return [head, ...locals, ...printBlock(printer, made.body, "  "), "}"].join("\n");
}

interface Printer {
  readonly module: IrModule;
  readonly function: IrFunction;
}

function printBlock(printer: Printer, block: Block, indent: string): string[] {
  return block.instructions.flatMap((instruction) => printInstruction(printer, instruction, indent));
}

/** Structured instructions over several lines, all others on one. */
function printInstruction(printer: Printer, inst: Instruction, indent: string): string[] {
  const inner = `${indent}  `;
  switch (inst.kind) {
    case "if": {
      const otherwise = printBlock(printer, inst.otherwise, inner);
      return [
        `${indent}if %${inst.condition} {`,
        ...printBlock(printer, inst.then, inner),
        ...(otherwise.length > 0 ? [`${indent}} else {`, ...otherwise] : []),
        `${indent}}`,
      ];
    }
    case "switch":
      return [
        `${indent}switch %${inst.selector} {`,
        ...inst.clauses.flatMap((clause) => {
          const labels = [...clause.values.map(String), ...(clause.isDefault ? ["default"] : [])];
          return [
            `${inner}case ${labels.join(", ")} {`,
            ...printBlock(printer, clause.body, `${inner}  `),
            `${inner}}`,
          ];
        }),
        `${indent}}`,
      ];
    case "loop": {
      const continuing = printBlock(printer, inst.continuing, inner);
      if (inst.breakIf !== null) continuing.push(`${inner}break if %${inst.breakIf}`);
      return [
        `${indent}loop {`,
        ...printBlock(printer, inst.body, inner),
        ...(continuing.length > 0 ? [`${indent}} continuing {`, ...continuing] : []),
        `${indent}}`,
      ];
    }
    default: {
      const text = printOperation(printer, inst);
      return [inst.type === VOID ? `${indent}${text}` : `${indent}%${inst.id} = ${text} : ${typeName(inst.type)}`];
    }
  }
}

type Operation = Exclude<Instruction, { kind: "if" | "switch" | "loop" }>;

function printOperation(printer: Printer, inst: Operation): string {
  switch (inst.kind) {
    case "const":
      return `const ${printConstant(inst.value)}`;
    case "unary":
      return `unary ${inst.operator} %${inst.operand}`;
    case "binary":
      return `binary ${inst.operator} %${inst.left} %${inst.right}`;
    case "convert":
    case "bitcast":
    case "splat":
      return `${inst.kind} %${inst.operand}`;
    case "construct":
      return `construct${list(inst.parts)}`;
    case "extract":
      return `extract %${inst.operand} ${inst.index}`;
    case "extract-dynamic":
      return `extract-dynamic %${inst.operand} [%${inst.index}]`;
    case "swizzle":
      return `swizzle %${inst.operand} ${inst.components.map((index) => "xyzw"[index]).join("")}`;
    case "select":
      return `select %${inst.condition} %${inst.ifTrue} %${inst.ifFalse}`;
    case "builtin":
    case "subgroup":
      return `${inst.kind} ${inst.name}${list(inst.args)}`;
    case "call":
      return `call #${inst.function} ${printer.module.functions[inst.function]?.name}${list(inst.args)}`;
    case "variable":
      return `variable ${rootName(printer, inst.root)}`;
    case "local":
      return `local ${localName(printer.function, inst.local)}`;
    case "access": {
      const index = typeof inst.index === "number" ? inst.index : `[%${inst.index.dynamic}]`;
      return `access ${inst.step} %${inst.pointer} ${index}`;
    }
    case "load":
    case "uniform-load":
      return `${inst.kind} %${inst.pointer}${place(printer, inst)}`;
    case "store":
      return `store %${inst.pointer} %${inst.value}${place(printer, inst)}`;
    case "atomic":
      return `atomic ${inst.operation} %${inst.pointer}${list(inst.args)}${place(printer, inst)}`;
    case "array-length":
      return `array-length %${inst.pointer} of ${rootName(printer, inst.root)}`;
    case "barrier":
      return `barrier ${inst.barrier}`;
    case "break":
    case "continue":
      return inst.kind;
    case "return":
      return inst.value === null ? "return" : `return %${inst.value}`;
    default:
      return inst satisfies never;
  }
}

function list(ids: readonly number[]): string {
  return ids.map((id) => ` %${id}`).join("");
}

/** ` (workgroup tile, 4 bytes)`; function memory has no root. */
function place(
  printer: Printer,
  inst: { readonly space: string; readonly root: RootId | null; readonly size: number },
): string {
  const name = inst.root === null ? "" : ` ${rootName(printer, inst.root)}`;
  return ` (${inst.space}${name}, ${inst.size} bytes)`;
}

function rootName(printer: Printer, root: RootId): string {
  return printer.module.roots[root]?.name ?? `?${root}`;
}

/** The source's name, with its number where another variable of the function has the same. */
function localName(made: IrFunction, id: number): string {
  const local = made.locals[id];
  if (local === undefined) return `?${id}`;
  const unique = made.locals.every((other) => other === local || other.name !== local.name);
  return unique ? local.name : `${local.name}#${id}`;
}

/** Long constants are cut, so that a table does not hide the code. */
const SHOWN_PARTS = 16;

/** As WGSL would write it, equal parts once: `vec3<f32>(0 …)`. */
export function printConstant(constant: ConstValue): string {
  const { type, value } = constant;
  if (!Array.isArray(value)) return typeof value === "number" ? printNumber(value) : String(value);
  const parts = value as readonly ConstValue[];
  if (parts.length > 1 && parts.every((part) => part === parts[0])) {
    return `${typeName(type)}(${printConstant(parts[0])} …)`;
  }
  const shown = parts.slice(0, SHOWN_PARTS).map(printConstant);
  return `${typeName(type)}(${shown.join(", ")}${parts.length > SHOWN_PARTS ? ", …" : ""})`;
}

/** The sign of a zero matters: `1 / x`. */
function printNumber(value: number): string {
  return Object.is(value, -0) ? "-0" : String(value);
}
