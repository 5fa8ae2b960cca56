/**
 * WGSL text for a tree, in one canonical form. `parse` of the text gives the same tree, but for ids, spans and comments;
 * the tree knows of parentheses, so none are invented.
 */
import type * as ast from "./ast.ts";

export function printModule(module: ast.Module): string {
  const printer = new Printer();
  for (const directive of module.directives) printer.line(printDirective(directive));
  for (const declaration of module.declarations) printer.declaration(declaration);
  return printer.text;
}

// ---------------------------------------------------------------- expressions

export function printExpression(node: ast.Expr): string {
  const text = printBare(node);
  return node.isParenthesized ? `(${text})` : text;
}

function printBare(node: ast.Expr): string {
  switch (node.kind) {
    case "literal":
      return printLiteral(node);
    case "identifier":
      return node.name.text + printTemplate(node.template);
    case "call":
      return `${printExpression(node.callee)}(${printList(node.args)})`;
    case "index":
      return `${printExpression(node.object)}[${printExpression(node.index)}]`;
    case "member":
      return `${printExpression(node.object)}.${node.member.text}`;
    case "unary":
      return printUnary(node);
    case "binary":
      return `${printExpression(node.left)} ${node.operator} ${printExpression(node.right)}`;
    case "error-expression":
      return "/* error */";
  }
}

/** `- -x` and `& &x` keep their gap: together they would be other tokens. */
function printUnary(node: ast.UnaryExpr): string {
  const operand = printExpression(node.operand);
  const gap = operand.startsWith(node.operator) && (node.operator === "-" || node.operator === "&") ? " " : "";
  return node.operator + gap + operand;
}

function printLiteral(node: ast.LiteralExpr): string {
  switch (node.type) {
    case "bool":
    case "abstract-int":
      return String(node.value);
    case "i32":
      return `${node.value}i`;
    case "u32":
      return `${node.value}u`;
    case "f32":
      return `${node.value}f`;
    case "f16":
      return `${node.value}h`;
    case "abstract-float": {
      const text = String(node.value);
      return /[.e]/.test(text) ? text : `${text}.0`;
    }
  }
}

function printList(list: readonly ast.Expr[]): string {
  return list.map(printExpression).join(", ");
}

function printTemplate(template: readonly ast.Expr[] | null): string {
  return template === null ? "" : `<${printList(template)}>`;
}

// ---------------------------------------------------------------- parts of declarations

export function printAttribute(node: ast.Attribute): string {
  if (node.control !== null) return `@diagnostic${printControl(node.control)}`;
  return `@${node.name.text}${node.args === null ? "" : `(${printList(node.args)})`}`;
}

function printAttributes(attributes: readonly ast.Attribute[]): string {
  return attributes.map((attribute) => `${printAttribute(attribute)} `).join("");
}

function printControl(control: ast.DiagnosticControl): string {
  return `(${control.severity.text}, ${control.rule.map((name) => name.text).join(".")})`;
}

function printDirective(node: ast.Directive): string {
  if (node.kind === "diagnostic") return `diagnostic${printControl(node.control)};`;
  return `${node.kind} ${node.names.map((name) => name.text).join(", ")};`;
}

function printTyped(name: ast.Name, type: ast.Expr | null): string {
  return name.text + (type === null ? "" : `: ${printExpression(type)}`);
}

function printInitializer(value: ast.Expr | null): string {
  return value === null ? "" : ` = ${printExpression(value)}`;
}

type Variable = ast.VarDecl | ast.LetDecl | ast.ConstDecl | ast.OverrideDecl;

/** Without `;`. */
function printVariable(node: Variable): string {
  const attributes = node.kind === "let" ? "" : printAttributes(node.attributes);
  const template = node.kind === "var" ? printTemplate(node.template) : "";
  return `${attributes}${node.kind}${template} ${printTyped(node.name, node.type)}${printInitializer(node.initializer)}`;
}

// ---------------------------------------------------------------- statements and declarations

/** A statement that ends with `;`, without it; null for all others. */
function printSimple(node: ast.Statement): string | null {
  switch (node.kind) {
    case "var":
    case "let":
    case "const":
      return printVariable(node);
    case "const-assert":
      return `const_assert ${printExpression(node.condition)}`;
    case "assign":
      return `${printExpression(node.left)} ${node.operator ?? ""}= ${printExpression(node.right)}`;
    case "phony-assign":
      return `_ = ${printExpression(node.value)}`;
    case "increment":
      return printExpression(node.left) + node.operator;
    case "call-statement":
      return printExpression(node.call);
    case "break":
    case "continue":
    case "discard":
      return node.kind;
    case "return":
      return node.value === null ? "return" : `return ${printExpression(node.value)}`;
    case "empty":
      return "";
    case "error-statement":
      return "/* error */";
    default:
      return null;
  }
}

class Printer {
  text = "";
  #indentation = "";

  line(text: string): void {
    this.text += `${this.#indentation}${text}\n`;
  }

  #indented(print: () => void): void {
    const outer = this.#indentation;
    this.#indentation += "  ";
    print();
    this.#indentation = outer;
  }

  declaration(node: ast.GlobalDecl): void {
    switch (node.kind) {
      case "var":
      case "const":
      case "override":
        this.line(`${printVariable(node)};`);
        return;
      case "alias":
        this.line(`alias ${node.name.text} = ${printExpression(node.type)};`);
        return;
      case "struct":
        this.#struct(node);
        return;
      case "function":
        this.#function(node);
        return;
      case "const-assert":
        this.line(`const_assert ${printExpression(node.condition)};`);
        return;
      case "error-declaration":
        this.line("/* error */");
        return;
      default:
        node satisfies never;
    }
  }

  #struct(node: ast.StructDecl): void {
    this.line(`struct ${node.name.text} {`);
    this.#indented(() => {
      for (const member of node.members) {
        this.line(`${printAttributes(member.attributes)}${printTyped(member.name, member.type)},`);
      }
    });
    this.line("}");
  }

  #function(node: ast.FunctionDecl): void {
    const params = node.params.map((param) => printAttributes(param.attributes) + printTyped(param.name, param.type));
    const type = node.returnType === null ? "" : printExpression(node.returnType);
    const result = type === "" ? "" : `-> ${printAttributes(node.returnAttributes)}${type} `;
    const header = `${printAttributes(node.attributes)}fn ${node.name.text}(${params.join(", ")}) ${result}`;
    this.#block(header, node.body);
  }

  #block(head: string, node: ast.CompoundStatement, last: (() => void) | null = null): void {
    this.#open(head, node, last);
    this.line("}");
  }

  /** A block but for its closing brace. */
  #open(head: string, node: ast.CompoundStatement, last: (() => void) | null = null): void {
    this.line(`${head}${printAttributes(node.attributes)}{`);
    this.#indented(() => {
      for (const statement of node.statements) this.#statement(statement);
      last?.();
    });
  }

  #statement(node: ast.Statement): void {
    const simple = printSimple(node);
    if (simple !== null) {
      this.line(`${simple};`);
      return;
    }
    switch (node.kind) {
      case "compound":
        this.#block("", node);
        return;
      case "if":
        this.#if(node);
        return;
      case "switch":
        this.#switch(node);
        return;
      case "loop":
        this.#loop(node);
        return;
      case "for": {
        const initializer = node.initializer === null ? "" : printSimple(node.initializer);
        const condition = node.condition === null ? "" : ` ${printExpression(node.condition)}`;
        const update = node.update === null ? "" : ` ${printSimple(node.update)}`;
        this.#block(`${printAttributes(node.attributes)}for (${initializer};${condition};${update}) `, node.body);
        return;
      }
      case "while":
        this.#block(`${printAttributes(node.attributes)}while ${printExpression(node.condition)} `, node.body);
    }
  }

  #if(node: ast.IfStatement): void {
    let head = printAttributes(node.attributes);
    let clause: ast.IfStatement | ast.CompoundStatement | null = node;
    for (; clause !== null && clause.kind === "if"; clause = clause.otherwise) {
      this.#open(`${head}if ${printExpression(clause.condition)} `, clause.then);
      head = "} else ";
    }
    if (clause !== null) this.#open("} else ", clause);
    this.line("}");
  }

  #switch(node: ast.SwitchStatement): void {
    const bodyAttributes = printAttributes(node.bodyAttributes);
    this.line(`${printAttributes(node.attributes)}switch ${printExpression(node.selector)} ${bodyAttributes}{`);
    this.#indented(() => {
      for (const clause of node.clauses) {
        const selectors = clause.selectors.map((one) => (one.kind === "default" ? "default" : printExpression(one)));
        this.#block(`case ${selectors.join(", ")} `, clause.body);
      }
    });
    this.line("}");
  }

  #loop(node: ast.LoopStatement): void {
    const continuing = node.continuing;
    this.#block(
      `${printAttributes(node.attributes)}loop `,
      node.body,
      continuing === null ? null : () => this.#continuing(continuing),
    );
  }

  #continuing(node: ast.ContinuingBlock): void {
    const breakIf = node.breakIf;
    const last = breakIf === null ? null : () => this.line(`break if ${printExpression(breakIf)};`);
    this.#block("continuing ", node.body, last);
  }
}
