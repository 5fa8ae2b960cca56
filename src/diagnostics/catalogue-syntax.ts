import type { CataloguePart } from "./entry.ts";

/** What lexer and parser say. */
export const SYNTAX = {
  // ---------------------------------------------------------------- characters and comments
  "forbidden-code-point": {
    severity: "error",
    text: "{codePoint} must not appear anywhere in the text, not even in a comment",
    spec: "#textual-structure",
  },
  "byte-order-mark": {
    severity: "error",
    text: "the text begins with a byte order mark (U+FEFF), save it as UTF-8 without one",
    spec: "#textual-structure",
  },
  "invisible-character": {
    severity: "error",
    text: "{codePoint} is invisible but no blankspace of WGSL, expected a space or nothing",
    spec: "#blankspace-and-line-breaks",
  },
  "invalid-character": {
    severity: "error",
    text: "‘{character}’ ({codePoint}) has no meaning outside comments",
    spec: "#tokens",
  },
  "lookalike-character": {
    severity: "error",
    text: "expected ‘{twin}’, found ‘{character}’ ({codePoint}), which WGSL does not take for it",
    spec: "#tokens",
  },
  "string-literal": {
    severity: "error",
    text: "WGSL has no strings and no character literals, expected a number, ‘true’ or ‘false’",
    spec: "#literals",
  },
  "preprocessor-directive": {
    severity: "error",
    text: "‘{directive}’ is left over from another language, WGSL has no preprocessor",
    spec: "#tokens",
  },
  "unterminated-comment": {
    severity: "error",
    text: "this block comment is not closed, expected one ‘*/’ for each ‘/*’",
    spec: "#comments",
  },

  // ---------------------------------------------------------------- numbers and names
  "malformed-number": {
    severity: "error",
    text: "‘{text}’ is not a number, expected digits with an optional point, exponent and suffix ‘i’, ‘u’, ‘f’ or ‘h’",
    spec: "#numeric-literals",
  },
  "digit-separator": {
    severity: "error",
    text: "nothing can separate the digits of a number, expected ‘{expected}’",
    spec: "#numeric-literals",
  },
  "leading-zero": {
    severity: "error",
    text: "an integer does not begin with ‘0’, expected ‘{expected}’",
    spec: "#numeric-literals",
  },
  "literal-too-large": {
    severity: "error",
    text: "‘{text}’ is above the largest value of {type}, which is {largest}",
    spec: "#numeric-literals",
  },
  "literal-not-exact": {
    severity: "error",
    text: "{type} has no value equal to ‘{text}’, expected fewer hexadecimal digits or no suffix",
    spec: "#numeric-literals",
  },
  "reserved-word": {
    severity: "error",
    text: "‘{word}’ is a reserved word, expected another name",
    spec: "#reserved-words",
  },
  "keyword-as-name": {
    severity: "error",
    text: "‘{word}’ is a keyword, expected another name",
    spec: "#identifiers",
  },
  "underscore-as-name": {
    severity: "error",
    text: "‘_’ is no name and stands only left of ‘=’, expected a name",
    spec: "#identifiers",
  },
  "double-underscore": {
    severity: "error",
    text: "‘{name}’ begins with two underscores, expected one or none",
    spec: "#identifiers",
  },

  // ---------------------------------------------------------------- structure
  "unexpected-token": { severity: "error", text: "expected {expected}, found {found}", spec: "#parsing" },
  "missing-semicolon": { severity: "error", text: "expected ‘;’ before {found}", spec: "#parsing" },
  "unmatched-bracket": {
    severity: "error",
    text: "‘{bracket}’ closes nothing, expected {expected}",
    spec: "#parsing",
  },
  "unclosed-template-list": {
    severity: "error",
    text: "the ‘<’ after ‘{name}’ is not closed, expected ‘>’ at the end of the template list",
    spec: "#template-lists-sec",
  },
  "nesting-too-deep": {
    severity: "error",
    text: "{what} nest more than {limit} levels deep",
    spec: "#limits",
  },
  "too-many-errors": {
    severity: "error",
    text: "there are more than {limit} syntax errors, the others are not shown",
    spec: "#parsing",
  },
  "more-of-the-same": {
    severity: "error",
    text: "{count} more ‘{of}’ are not shown after these {limit}",
    spec: null,
  },

  // ---------------------------------------------------------------- expressions
  "missing-parentheses": {
    severity: "error",
    text: "‘{left}’ and ‘{right}’ cannot stand side by side, add parentheses to say what belongs together",
    spec: "#operator-precedence-associativity",
  },
  "assignment-in-expression": {
    severity: "error",
    text: "‘{operator}’ assigns and cannot be part of an expression, expected {expected}",
    spec: "#assignment",
  },
  "increment-in-expression": {
    severity: "error",
    text: "‘{operator}’ is a statement without value, expected it on a line of its own",
    spec: "#increment-decrement",
  },
  "double-negation": {
    severity: "warning",
    text: "‘--’ means two negations here and some implementations refuse it, expected ‘- -’ or a statement ‘x--’",
    spec: "#parsing",
  },
  "method-call": {
    severity: "error",
    text: "there are no methods, expected ‘{expected}’",
    spec: "#function-call-expr",
  },
  "unary-plus": {
    severity: "error",
    text: "there is no ‘+’ before an operand, expected the operand alone",
    spec: "#expression-grammar",
  },
  "conditional-operator": {
    severity: "error",
    text: "there is no operator ‘?:’, expected ‘select(value_if_false, value_if_true, condition)’",
    spec: "#expression-grammar",
  },

  // ---------------------------------------------------------------- statements
  "comparison-as-statement": {
    severity: "error",
    text: "‘==’ compares and is no statement, expected ‘=’ to assign",
    spec: "#assignment",
  },
  "expression-as-statement": {
    severity: "error",
    text: "an expression is no statement, expected ‘_ = …’ to evaluate it or ‘… = …’ to assign",
    spec: "#statements-summary",
  },
  "invalid-assignment-target": {
    severity: "error",
    text: "{what} cannot stand left of ‘{operator}’, expected a variable, a part of one, or ‘*’ and a pointer",
    spec: "#assignment",
  },
  "prefix-increment": {
    severity: "error",
    text: "‘{operator}’ stands after its operand, expected ‘{expected}’",
    spec: "#increment-decrement",
  },
  "missing-braces": {
    severity: "error",
    text: "the body of ‘{keyword}’ must stand in braces, expected a left brace before {found}",
    spec: "#compound-statement-section",
  },
  "misplaced-continuing": {
    severity: "error",
    text: "‘continuing’ is allowed only once and last in the body of a ‘loop’",
    spec: "#continuing-statement",
  },
  "misplaced-break-if": {
    severity: "error",
    text: "‘break if’ is allowed only last in a ‘continuing’ block, expected ‘if’ and ‘break’",
    spec: "#break-if-statement",
  },
  "misplaced-clause": {
    severity: "error",
    text: "‘{keyword}’ is allowed only {place}",
    spec: "#statements-summary",
  },

  // ---------------------------------------------------------------- declarations
  "struct-semicolon": {
    severity: "error",
    text: "members end with ‘,’, found ‘;’",
    spec: "#struct-types",
  },
  "misplaced-directive": {
    severity: "error",
    text: "‘{directive}’ must stand before all declarations",
    spec: "#directives",
  },
  "attribute-not-allowed": {
    severity: "error",
    text: "attributes are not allowed before {what}",
    spec: "#attributes",
  },
  "bracket-attribute": {
    severity: "error",
    text: "attributes are not written in brackets, expected {expected}",
    spec: "#attributes",
  },
  "misplaced-declaration": {
    severity: "error",
    text: "‘{keyword}’ is allowed only outside functions",
    spec: "#declaration-and-scope",
  },
  "let-at-module-scope": {
    severity: "error",
    text: "‘let’ is allowed only in functions, expected ‘const’, ‘override’ or ‘var<private>’",
    spec: "#let-decls",
  },
  "statement-at-module-scope": {
    severity: "error",
    text: "a statement must stand in a function, expected a declaration, found {found}",
    spec: "#wgsl-module",
  },

  // ---------------------------------------------------------------- habits from other languages
  "foreign-keyword": {
    severity: "error",
    text: "‘{word}’ is no keyword of WGSL, expected {expected}",
    spec: "#keyword-summary",
  },
  "no-operator": {
    severity: "error",
    text: "there is no operator ‘{operator}’, expected {expected}",
    spec: "#operator-precedence-associativity",
  },
  "cast-before-value": {
    severity: "error",
    text: "a conversion is written like a call, expected ‘{expected}’",
    spec: "#value-constructor-builtin-function",
  },
  "several-names": {
    severity: "error",
    text: "a declaration declares one name, expected ‘;’ and another ‘{keyword}’",
    spec: "#var-and-value-decl-grammar",
  },
  "pointer-suffix": {
    severity: "error",
    text: "a pointer is written ‘{expected}’, and a buffer is a variable of its own outside of functions",
    spec: "#ref-ptr-types",
  },
  "list-without-type": {
    severity: "error",
    text: "a list of values is written ‘array(…)’, or after the name of its structure, found ‘{bracket}’",
    spec: "#value-constructor-builtin-function",
  },
  "struct-literal": {
    severity: "error",
    text: "a structure is made like a call, with its members in order, expected ‘{expected}’",
    spec: "#value-constructor-builtin-function",
  },
  "array-suffix": {
    severity: "error",
    text: "an array type is not written with brackets, expected ‘{expected}’",
    spec: "#array-types",
  },
  "type-before-name": {
    severity: "error",
    text: "the type stands after the name, expected ‘{expected}’",
    spec: "#var-and-value-decl-grammar",
  },
} as const satisfies CataloguePart;

/** Phrases that the texts above take as values. */
export const SYNTAX_PHRASES = {
  "an-expression": "an expression",
  "a-type": "a type",
  "a-name": "a name",
  "a-member-name": "the name of a member or components",
  "a-statement": "a statement",
  "a-declaration": "a declaration",
  "an-attribute-name": "the name of an attribute",
  "an-extension": "the name of an extension",
  "a-severity": "a severity: ‘error’, ‘warning’, ‘info’ or ‘off’",
  "a-rule": "the name of a diagnostic rule",
  "a-member": "a member ‘name: type’",
  "a-parameter": "a parameter ‘name: type’",
  "a-clause": "‘case’, ‘default’ or ‘}’",
  "a-body": "‘{’",
  "arrow-or-body": "‘->’ or ‘{’",
  "an-initializer": "‘=’ and an initial value",
  "comma-or-paren": "‘,’ or ‘)’",
  "comma-or-end-of-template": "‘,’ or ‘>’",
  "comma-or-brace": "‘,’ or ‘}’",
  "end-of-text": "the end of the text",
  // what nests too deep
  expressions: "expressions",
  statements: "statements in braces",
  "else-ifs": "‘else if’ clauses",
  // what attributes cannot stand before
  "this-statement": "this statement",
  // what is no target of an assignment
  "a-literal": "a number or truth value",
  "a-calculation": "the result of an operator",
  "a-type-name": "a name with a template list",
  // where a clause belongs
  "in-switch": "in the body of a ‘switch’",
  "after-if": "after the body of an ‘if’",
  "counting-loop": "‘(var i = 0; i < count; i++)’",
  // what WGSL has instead of words of other languages
  "const-for-each": "‘const’ for each value",
  "declaration-alone": "the declaration alone",
  "one-text": "all declarations in one text",
  "loop-with-break-if": "‘loop’ with ‘break if’ in its ‘continuing’ block",
  "let-or-var": "‘let’ or ‘var’",
  "if-loop-break": "‘if’, ‘loop’ and ‘break’",
  "fixed-precision": "nothing: f32 and f16 have a fixed precision",
  "one-per-type": "a function for each type",
  "equal-to-compare": "‘==’ to compare",
  "own-statement": "a statement of its own",
  "stage-io": "a parameter or a result of the entry point, with ‘@location(0)’",
  "plain-functions": "functions outside of structures",
  "values-in-case": "one ‘case’ with all values, as in ‘case 1, 2’",
  "no-attribute": "none: a structure in a buffer needs no attribute",
  "plain-name": "a name without ‘::’",
} as const satisfies Readonly<Record<string, string>>;
