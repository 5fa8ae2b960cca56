/**
 * `call`: one function in each invocation, no entry point needed. An entry point that makes the call is appended to the
 * text, so that the arguments may be any expression of the module's scope and of `invocation`.
 */
import { advised } from "../analysis/advice/advised.ts";
import { analyze } from "../analysis/analyze.ts";
import type { CheckOptions } from "../analysis/options.ts";
import type { FunctionInfo, Program } from "../analysis/program.ts";
import { saidBy } from "../diagnostics/diagnostic.ts";
import { nearestName } from "../text/nearest.ts";
import { Source } from "../text/source.ts";
import { containsBool } from "../types/predicates.ts";
import { isScalar, type Type, typeName, VOID } from "../types/type.ts";
import { launchError, listed } from "./problem.ts";

export interface CallProgram {
  readonly program: Program;
  /** Name of the entry point that was made. */
  readonly entry: string;
  /** Name of the buffer with the results, element i from invocation i; null: the function returns nothing. */
  readonly result: string | null;
}

/** Invocations of one workgroup where their number is not given or larger. */
export const CALL_WORKGROUP_SIZE = 64;
const LARGEST_WORKGROUP = 256;

/**
 * @param invocations how many are wanted; null: not said
 * @throws LaunchError where there is no such function or the call is no legal expression
 */
export function makeCall(
  program: Program,
  text: string,
  invocations: number | null,
  options: CheckOptions,
): CallProgram {
  const { name, args } = parseCall(text);
  const info = functionNamed(program, name);
  const size = invocations !== null && invocations <= LARGEST_WORKGROUP ? invocations : CALL_WORKGROUP_SIZE;
  const entry = freeName(program, "call");
  const result = info.returnType === VOID ? null : freeName(program, "result");
  const lines = [...resultVariable(program, info, result), ...entryPoint(info, args, { size, entry, result })];
  const source = new Source(`${program.source.text}\n${lines.join("\n")}\n`, program.source.path);
  const made = analyze(source, advised(options));
  const wrong = made.diagnostics.find((each) => each.severity === "error");
  if (wrong !== undefined) throw launchError([], "call-invalid", { call: text, problem: saidBy(wrong) });
  return { program: made, entry, result };
}

function parseCall(text: string): { readonly name: string; readonly args: string } {
  const match = /^\s*([\p{XID_Start}_][\p{XID_Continue}]*)\s*\(([\s\S]*)\)\s*;?\s*$/u.exec(text);
  // Comments and braces would reach out of the expression that the text has to be.
  if (match === null || /[{};]|\/[/*]/.test(match[2])) throw launchError([], "call-syntax", { call: text });
  return { name: match[1], args: match[2] };
}

function functionNamed(program: Program, name: string): FunctionInfo {
  const info = program.functions.find((each) => each.name === name && each.stage === null);
  if (info !== undefined) return info;
  const known = program.functions.filter((each) => each.stage === null).map((each) => each.name);
  throw launchError([], "call-unknown", { name, known: listed(known) }, nearestName(name, known));
}

function resultVariable(program: Program, info: FunctionInfo, result: string | null): readonly string[] {
  if (result === null) return [];
  const isBool = info.returnType.kind === "bool";
  if (containsBool(info.returnType) && !isBool) {
    throw launchError([], "call-result", { name: info.name, type: typeName(info.returnType) });
  }
  const bindings = program.variables.filter((each) => each.group === 0).map((each) => each.binding!);
  const element = isBool ? "u32" : typeName(info.returnType);
  const binding = Math.max(-1, ...bindings) + 1;
  return [`@group(0) @binding(${binding}) var<storage, read_write> ${result}: array<${element}>;`];
}

function entryPoint(
  info: FunctionInfo,
  args: string,
  { size, entry, result }: { readonly size: number; readonly entry: string; readonly result: string | null },
): readonly string[] {
  const call = `${info.name}(${convertedArgs(info, args)})`;
  const value = info.returnType.kind === "bool" ? `u32(${call})` : call;
  const body =
    result === null
      ? `${call};`
      : `let value = ${value}; if invocation < arrayLength(&${result}) { ${result}[invocation] = value; }`;
  return [
    `@compute @workgroup_size(${size}) fn ${entry}(@builtin(global_invocation_id) id: vec3u) {`,
    `  let invocation = id.x; ${body}`,
    "}",
  ];
}

/** `invocation` alone stands for a number of the parameter's type. */
function convertedArgs(info: FunctionInfo, args: string): string {
  const parts = splitArguments(args);
  if (parts.length !== info.params.length) return args;
  return parts.map((part, i) => (part.trim() === "invocation" ? converted(info.params[i].type) : part)).join(",");
}

function converted(type: Type): string {
  return isScalar(type) && type.kind !== "u32" ? `${typeName(type)}(invocation)` : "invocation";
}

/** Parts between the commas that stand in no brackets. */
function splitArguments(text: string): readonly string[] {
  const parts: string[] = [];
  let depth = 0;
  let start = 0;
  for (let i = 0; i < text.length; i++) {
    if ("([".includes(text[i])) depth++;
    else if (")]".includes(text[i])) depth--;
    else if (text[i] === "," && depth === 0) {
      parts.push(text.slice(start, i));
      start = i + 1;
    }
  }
  const last = text.slice(start);
  return last.trim() === "" ? parts : [...parts, last];
}

/** The name, or with a number where the module has it already. */
function freeName(program: Program, name: string): string {
  const taken = (candidate: string) => new RegExp(`(?<![\\p{XID_Continue}])${candidate}(?![\\p{XID_Continue}])`, "u");
  let free = name;
  for (let i = 2; taken(free).test(program.source.text); i++) free = `${name}${i}`;
  return free;
}
