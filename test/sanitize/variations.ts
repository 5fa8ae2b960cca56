/**
 * The same program written in another way: other names, another order of declarations, helpers, pointers, structures around
 * variables, loops in another form. Nothing is put on another line, but for declarations as a whole, so that whatever is
 * said of the one has to be said of the other, on the line that `lineOf` gives. null: there is nothing to vary.
 */
import type { Program } from "../../src/analysis/program.ts";
import { type NamedPlace, namesIn } from "../../src/ide/names.ts";
import type * as ast from "../../src/syntax/ast.ts";
import { nodesById } from "../../src/syntax/walk.ts";
import { applyEdits, type Edit } from "../../src/text/edit.ts";
import type { Span } from "../../src/text/source.ts";

export interface Varied {
  readonly text: string;
  /** The line of the varied program by the line of the given one. */
  readonly lineOf?: (line: number) => number;
}

type Variation = (program: Program) => readonly Edit[] | Varied | null;

export function vary(program: Program, name: string): Varied | null {
  const varied = VARIATIONS[name](program);
  if (varied === null || !Array.isArray(varied)) return varied as Varied | null;
  return varied.length === 0 ? null : { text: applyEdits(program.source.text, varied) };
}

export const VARIATIONS: Readonly<Record<string, Variation>> = {
  "other names": (program) =>
    namesIn(program).flatMap((place) => {
      const isOwn = place.meaning.kind === "declared" && !isGiven(place.meaning.declaration);
      return isOwn ? [replace(place, `${place.text}_too`)] : [];
    }),
  "declarations the other way round": reversed,
  "body in a helper": (program) => inHelper(program, []),
  "body in a helper that gets pointers": (program) =>
    inHelper(
      program,
      sharedVariables(program).filter(
        (one) => spaceOf(program, one) === "storage" || isCreationFixed(program, one.type!),
      ),
    ),
  "variables by pointers": (program) =>
    program.entryPoints.flatMap(({ declaration: node }) => {
      const used = sharedVariables(program).filter((variable) => placesOf(program, variable, node.body).length > 0);
      const lets = used.map(({ name }) => ` let ${name.text}_at = &${name.text};`).join("");
      return used.length === 0
        ? []
        : [insert(node.body.span.start + 1, lets), ...used.flatMap((one) => byPointer(program, one, node.body))];
    }),
  "variables in structures": (program) =>
    sharedVariables(program).flatMap((variable) =>
      wrapped(program, variable, (type) => ({
        before: `struct In_${variable.name.text} { inner: ${type} } `,
        type: `In_${variable.name.text}`,
        behind: ".inner",
      })),
    ),
  "variables in arrays of structures": (program) =>
    sharedVariables(program)
      .filter(({ type }) => isCreationFixed(program, type!))
      .flatMap((variable) =>
        wrapped(program, variable, (type) => ({
          before: `struct In_${variable.name.text} { inner: array<${type}, 1> } `,
          type: `array<In_${variable.name.text}, 1>`,
          behind: "[0].inner[0]",
        })),
      ),
  "body in a loop": (program) => aroundBodies(program, "for (var once = 0u; once < 1u; once++) {", "}"),
  "body in a switch": (program) => aroundBodies(program, "switch 0 { default: {", "} }"),
  "body under a condition": (program) => aroundBodies(program, "if true {", "}"),
  "variables for values": (program) =>
    nodesOf<ast.LetDecl>(program, "let").flatMap((node) =>
      program.typeOf[node.initializer.id]?.kind === "pointer" || isCompareExchange(program, node)
        ? []
        : [replace({ start: node.span.start, end: node.span.start + 3 }, "var")],
    ),
  "values through functions": (program) =>
    throughEach(program, (type) => `fn same_${type}(x: ${type}) -> ${type} { return x; }`, "same", ")"),
  "values through structures": (program) =>
    throughEach(program, (type) => `struct Held_${type} { held: ${type} }`, "Held", ").held"),
  "assignments in full": (program) =>
    nodesOf<ast.AssignStatement>(program, "assign").flatMap((node) => inFull(program, node)),
  "loops with continuing": (program) => [
    ...nodesOf<ast.ForStatement>(program, "for").flatMap((node) => forAsLoop(program, node)),
    ...nodesOf<ast.WhileStatement>(program, "while").flatMap((node) => whileAsLoop(program, node)),
  ],
  "branches for returns": (program) =>
    program.entryPoints.flatMap(({ declaration: node }) => branchForReturn(program, node.body)),
  "returns for branches": (program) =>
    program.entryPoints.flatMap(({ declaration: node }) => returnForBranch(program, node.body)),
  "invocations in two rows": twoRows,
};

// ---------------------------------------------------------------- text

function replace({ start, end }: Span, text: string): Edit {
  return { span: { start, end }, text };
}

function insert(at: number, text: string): Edit {
  return replace({ start: at, end: at }, text);
}

function textOf(program: Program, { span }: { readonly span: Span }): string {
  return program.source.slice(span).replaceAll("\n", " ");
}

function nodesOf<Node extends ast.NodeBase & { readonly kind: string }>(
  program: Program,
  kind: Node["kind"],
): readonly Node[] {
  const found = nodesById(program.module, (part): part is Node => "kind" in part && part.kind === kind);
  return found.filter((node) => node !== null);
}

// ---------------------------------------------------------------- variables

/** What a launch names. */
function isGiven(declaration: ast.NodeBase & { readonly kind: string }): boolean {
  if (declaration.kind === "override") return true;
  if (declaration.kind === "function") return (declaration as ast.FunctionDecl).attributes.length > 0;
  return (
    declaration.kind === "var" && (declaration as ast.VarDecl).attributes.some(({ name }) => name.text === "group")
  );
}

/** Variables of storage and workgroup memory. */
function sharedVariables(program: Program): readonly ast.VarDecl[] {
  return program.module.declarations.filter(
    (node): node is ast.VarDecl => node.kind === "var" && /^(workgroup|storage)$/.test(spaceOf(program, node)),
  );
}

function spaceOf(program: Program, { template }: ast.VarDecl): string {
  return template === null ? "" : textOf(program, template[0]);
}

function isCreationFixed(program: Program, type: ast.IdentifierExpr): boolean {
  const text = textOf(program, type);
  const named = program.structs.find(({ name }) => name === text);
  const all =
    named === undefined ? text : named.declaration.members.map((member) => textOf(program, member.type)).join();
  const counts = program.overrides.map(({ name }) => name);
  return !/array<[^,]*>|array<array<[^,]*>>/.test(all) && !counts.some((name) => new RegExp(`\\b${name}\\b`).test(all));
}

function placesOf(
  program: Program,
  { name }: ast.VarDecl,
  inside: { readonly span: Span } | null,
): readonly NamedPlace[] {
  return namesIn(program).filter(({ meaning, start, isDeclaration }) => {
    if (isDeclaration || meaning.kind !== "declared" || meaning.declaration.name.span.start !== name.span.start)
      return false;
    return inside === null || (start >= inside.span.start && start < inside.span.end);
  });
}

/** `x` becomes `(*x_at)`, `&x` becomes `x_at`. */
function byPointer(program: Program, variable: ast.VarDecl, inside: ast.CompoundStatement): readonly Edit[] {
  const { text } = program.source;
  return placesOf(program, variable, inside).map((place) => {
    const pointer = `${variable.name.text}_at`;
    const isAddress =
      text[place.start - 1] === "&" && text[place.start - 2] !== "&" && !/^\s*[.[]/.test(text.slice(place.end));
    return isAddress ? replace({ start: place.start - 1, end: place.end }, pointer) : replace(place, `(*${pointer})`);
  });
}

function wrapped(
  program: Program,
  variable: ast.VarDecl,
  how: (type: string) => { readonly before: string; readonly type: string; readonly behind: string },
): readonly Edit[] {
  const { before, type, behind } = how(textOf(program, variable.type!));
  // A workgroup array whose length an override gives stands alone.
  if (!isCreationFixed(program, variable.type!) && spaceOf(program, variable) === "workgroup") return [];
  return [
    insert(variable.span.start, before),
    replace(variable.type!.span, type),
    ...placesOf(program, variable, null).map(({ end }) => insert(end, behind)),
  ];
}

// ---------------------------------------------------------------- declarations

/** Directives and what stands between declarations keep their places. */
function reversed(program: Program): Varied {
  const { source, module } = program;
  const lines = source.text.split("\n");
  const lineAt = (offset: number) => source.position(offset).line - 1;
  const first = module.declarations.length === 0 ? 0 : lineAt(module.declarations[0].span.start);
  // Declarations that share a line stay together.
  const starts = [...new Set(module.declarations.map(({ span }) => lineAt(span.start)))];
  const parts = starts.map((start, i) => ({ start, end: starts[i + 1] ?? lines.length }));
  const order = [...Array.from({ length: first }, (_, i) => i)];
  for (const { start, end } of parts.reverse()) for (let line = start; line < end; line++) order.push(line);
  return { text: order.map((line) => lines[line]).join("\n"), lineOf: (line) => order.indexOf(line - 1) + 1 };
}

/** The body of each entry point becomes a function of its own, which the entry point calls. */
function inHelper(program: Program, variables: readonly ast.VarDecl[]): readonly Edit[] {
  return program.entryPoints.flatMap(({ declaration: node }): readonly Edit[] => {
    const { attributes, name, params, body } = node;
    const used = variables.filter((variable) => placesOf(program, variable, body).length > 0);
    const pointers = used.map((variable) => {
      const access = variable.template![1] === undefined ? "" : `, ${textOf(program, variable.template![1])}`;
      const type = `ptr<${spaceOf(program, variable)}, ${textOf(program, variable.type!)}${access}>`;
      return `${variable.name.text}_at: ${type}`;
    });
    const given = [...params.map((param) => param.name.text), ...used.map((each) => `&${each.name.text}`)];
    const heads = params.map((param) => textOf(program, param));
    const entry = `${attributes.map((each) => textOf(program, each)).join(" ")} fn ${name.text}(${heads.join(", ")})`;
    const last = params.at(-1);
    return [
      ...[...attributes, ...params.flatMap((param) => param.attributes)].map(({ span }) => replace(span, "")),
      insert(name.span.end, "_too"),
      insert(
        last?.span.end ?? program.source.text.indexOf("(", name.span.end) + 1,
        `${last === undefined ? "" : ", "}${pointers.join(", ")}`,
      ),
      ...used.flatMap((variable) => byPointer(program, variable, body)),
      insert(program.source.text.length, ` ${entry} { ${name.text}_too(${given.join(", ")}); }`),
    ];
  });
}

/** Where only the index in the workgroup tells invocations apart. */
function twoRows(program: Program): readonly Edit[] | null {
  const isOther = /(global|local)_invocation_id|num_workgroups|override|enable subgroups/;
  if (isOther.test(program.source.text)) return null;
  return program.entryPoints.flatMap(({ declaration: node }) => {
    const size = node.attributes.find(({ name }) => name.text === "workgroup_size")!;
    const x = Number.parseInt(textOf(program, size.args![0]), 10);
    return size.args!.length === 1 && x % 2 === 0 ? [replace(size.args![0].span, `2, ${x / 2}`)] : [];
  });
}

// ---------------------------------------------------------------- statements

function aroundBodies(program: Program, before: string, after: string): readonly Edit[] {
  return program.entryPoints.flatMap(({ declaration: node }) => [
    insert(node.body.span.start + 1, ` ${before}`),
    insert(node.body.span.end - 1, `${after} `),
  ]);
}

function isCompareExchange(program: Program, { initializer }: ast.LetDecl): boolean {
  return textOf(program, initializer).startsWith("atomicCompareExchangeWeak(");
}

/** Every `let` of a number takes a detour. */
function throughEach(
  program: Program,
  declare: (type: string) => string,
  callee: string,
  behind: string,
): readonly Edit[] {
  const types = new Set<string>();
  const edits = nodesOf<ast.LetDecl>(program, "let").flatMap(({ initializer, type }): readonly Edit[] => {
    const { kind } = program.usedAs[initializer.id] ?? { kind: "" };
    if (type !== null || (kind !== "u32" && kind !== "i32" && kind !== "f32")) return [];
    types.add(kind);
    return [insert(initializer.span.start, `${callee}_${kind}(`), insert(initializer.span.end, behind)];
  });
  if (edits.length === 0) return [];
  return [...edits, insert(program.source.text.length, [...types].map((type) => ` ${declare(type)}`).join(""))];
}

function inFull(program: Program, { operator, left, right }: ast.AssignStatement): readonly Edit[] {
  if (operator === null) return [];
  const place = textOf(program, left);
  return [
    replace({ start: left.span.end, end: right.span.start }, ` = ${place} ${operator} (`),
    insert(right.span.end, ")"),
  ];
}

function forAsLoop(
  program: Program,
  { span, initializer, condition, update, body }: ast.ForStatement,
): readonly Edit[] {
  const begin = initializer === null ? "" : `${textOf(program, initializer).replace(/;$/, "")};`;
  const check = condition === null ? "" : `if !(${textOf(program, condition)}) { break; }`;
  const step = update === null ? "" : `continuing { ${textOf(program, update).replace(/;$/, "")}; }`;
  return [
    replace({ start: span.start, end: body.span.start }, `{ ${begin} loop { ${check} `),
    insert(body.span.end, ` ${step} } }`),
  ];
}

function whileAsLoop(program: Program, { span, condition, body }: ast.WhileStatement): readonly Edit[] {
  const check = `if !(${textOf(program, condition)}) { break; }`;
  return [replace({ start: span.start, end: body.span.start }, `loop { ${check} `), insert(body.span.end, " }")];
}

/** `if (c) { return; } …` becomes `if (!(c)) { … }`. */
function branchForReturn(program: Program, { statements, span }: ast.CompoundStatement): readonly Edit[] {
  const at = statements.find(
    (node): node is ast.IfStatement =>
      node.kind === "if" &&
      node.otherwise === null &&
      node.then.statements.length === 1 &&
      node.then.statements[0].kind === "return",
  );
  if (at === undefined) return [];
  const then = at.then.span;
  const lines = program.source.slice(then).replaceAll(/[^\n]/g, "");
  return [
    insert(at.condition.span.start, "!("),
    insert(at.condition.span.end, ")"),
    replace(then, `{ ${lines}`),
    insert(span.end - 1, "} "),
  ];
}

/** `if (c) { … }` at the end becomes `if (!(c)) { return; } …`. */
function returnForBranch(_: Program, { statements }: ast.CompoundStatement): readonly Edit[] {
  const last = statements.at(-1);
  if (last?.kind !== "if" || last.otherwise !== null) return [];
  const { condition, then } = last;
  return [
    insert(condition.span.start, "!("),
    insert(condition.span.end, ")"),
    insert(then.span.start + 1, " return; }"),
    replace({ start: then.span.end - 1, end: then.span.end }, ""),
  ];
}
