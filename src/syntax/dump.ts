/** Trees and messages in short form, for tests: `(fn main () (return 1))`, one line a declaration. */
import { Source } from "../text/source.ts";
import type * as ast from "./ast.ts";
import { parse } from "./parser.ts";
import { printAttribute, printExpression } from "./print.ts";

/** The tree of a text, for texts without mistakes; the messages for all others. */
export function dumpText(text: string): string {
  const messages = syntaxMessages(text);
  return messages === "" ? dump(parse(new Source(text)).module) : messages;
}

/** `line:column: code message`, one line a diagnostic. */
export function syntaxMessages(text: string): string {
  const source = new Source(text);
  const lines = parse(source).diagnostics.map((diagnostic) => {
    const { line, column } = source.position(diagnostic.span.start);
    return `${line}:${column}: ${diagnostic.code} ${diagnostic.message}`;
  });
  return lines.join("\n");
}

export function dump(module: ast.Module): string {
  return [...module.directives.map(directive), ...module.declarations.map(declaration)].join("\n");
}

function list(...parts: readonly (string | null)[]): string {
  return `(${parts.filter((part) => part !== null && part !== "").join(" ")})`;
}

function directive(node: ast.Directive): string {
  if (node.kind !== "diagnostic") return list(node.kind, ...node.names.map((name) => name.text));
  return list("diagnostic", node.control.severity.text, node.control.rule.map((name) => name.text).join("."));
}

function attributes(nodes: readonly ast.Attribute[]): string {
  return nodes.map(printAttribute).join(" ");
}

function type(node: ast.Expr | null): string | null {
  return node === null ? null : `:${printExpression(node)}`;
}

function typed(node: ast.StructMember | ast.Param): string {
  return list(attributes(node.attributes), node.name.text, type(node.type));
}

export function dumpExpression(node: ast.Expr): string {
  switch (node.kind) {
    case "literal":
    case "identifier":
      return printExpression(node);
    case "call":
      return list("call", dumpExpression(node.callee), ...node.args.map(dumpExpression));
    case "index":
      return list("[]", dumpExpression(node.object), dumpExpression(node.index));
    case "member":
      return list(".", dumpExpression(node.object), node.member.text);
    case "unary":
      return list(node.operator, dumpExpression(node.operand));
    case "binary":
      return list(node.operator, dumpExpression(node.left), dumpExpression(node.right));
    case "error-expression":
      return "<error>";
  }
}

function optional(node: ast.Expr | null): string | null {
  return node === null ? null : dumpExpression(node);
}

function variable(node: ast.VarDecl | ast.LetDecl | ast.ConstDecl | ast.OverrideDecl): string {
  const before = node.kind === "let" ? "" : attributes(node.attributes);
  const template = node.kind === "var" && node.template !== null ? `<${node.template.map(printExpression)}>` : null;
  return list(node.kind, before, template, node.name.text, type(node.type), optional(node.initializer));
}

function declaration(node: ast.GlobalDecl): string {
  switch (node.kind) {
    case "var":
    case "const":
    case "override":
      return variable(node);
    case "alias":
      return list("alias", node.name.text, type(node.type));
    case "struct":
      return list("struct", node.name.text, ...node.members.map(typed));
    case "function": {
      const result =
        node.returnType === null ? null : list("->", attributes(node.returnAttributes), type(node.returnType));
      const params = list(...node.params.map(typed));
      const body = [attributes(node.body.attributes), ...node.body.statements.map(statement)];
      return list("fn", attributes(node.attributes), node.name.text, params, result, ...body);
    }
    case "const-assert":
      return list("const_assert", dumpExpression(node.condition));
    case "error-declaration":
      return "<error>";
  }
}

function block(node: ast.CompoundStatement): string {
  return `{${[attributes(node.attributes), ...node.statements.map(statement)].filter((part) => part !== "").join(" ")}}`;
}

export function statement(node: ast.Statement): string {
  switch (node.kind) {
    case "compound":
      return block(node);
    case "var":
    case "let":
    case "const":
      return variable(node);
    case "const-assert":
      return declaration(node);
    case "assign":
      return list(`${node.operator ?? ""}=`, dumpExpression(node.left), dumpExpression(node.right));
    case "phony-assign":
      return list("_=", dumpExpression(node.value));
    case "increment":
      return list(node.operator, dumpExpression(node.left));
    case "call-statement":
      return dumpExpression(node.call);
    case "if": {
      const parts: string[] = [];
      let clause: ast.IfStatement | ast.CompoundStatement | null = node;
      for (; clause !== null && clause.kind === "if"; clause = clause.otherwise) {
        parts.push(dumpExpression(clause.condition), block(clause.then));
      }
      return list("if", attributes(node.attributes), ...parts, clause === null ? null : block(clause));
    }
    case "switch": {
      const selector = (one: ast.Expr | ast.DefaultSelector) =>
        one.kind === "default" ? one.kind : dumpExpression(one);
      const clauses = node.clauses.map((clause) => list(...clause.selectors.map(selector), block(clause.body)));
      const before = attributes(node.bodyAttributes);
      return list("switch", attributes(node.attributes), dumpExpression(node.selector), before, ...clauses);
    }
    case "loop": {
      const continuing = node.continuing;
      const last = continuing && list("continuing", block(continuing.body), optional(continuing.breakIf));
      return list("loop", attributes(node.attributes), block(node.body), last);
    }
    case "for": {
      const header = [
        node.initializer === null ? "" : statement(node.initializer),
        optional(node.condition) ?? "",
        node.update === null ? "" : statement(node.update),
      ];
      return list("for", attributes(node.attributes), header.join("; "), block(node.body));
    }
    case "while":
      return list("while", attributes(node.attributes), dumpExpression(node.condition), block(node.body));
    case "return":
      return list("return", optional(node.value));
    case "break":
    case "continue":
    case "discard":
      return list(node.kind);
    case "empty":
      return ";";
    case "error-statement":
      return "<error>";
  }
}
