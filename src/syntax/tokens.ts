/**
 * Kinds of tokens and their spelling. spec: #tokens, #grammar
 *
 * The order matters: words stand together (what a template list can follow), so do binary operators and the operators of
 * compound assignments.
 */
import type { AssignOperator } from "./ast.ts";

// The values are typed as plain numbers on purpose: literal types would narrow the kind of the current token, which
// every step of the parser changes.
export const Token = {
  /** The end of the text. */
  end: 0,
  /** A character that begins no token. */
  invalid: 1,
  number: 2,

  // spec: #identifiers, #reserved-words
  identifier: 3,
  reservedWord: 4,

  // spec: #keyword-summary
  alias: 5,
  break: 6,
  case: 7,
  const: 8,
  constAssert: 9,
  continue: 10,
  continuing: 11,
  default: 12,
  diagnostic: 13,
  discard: 14,
  else: 15,
  enable: 16,
  fn: 17,
  for: 18,
  if: 19,
  let: 20,
  loop: 21,
  override: 22,
  requires: 23,
  return: 24,
  struct: 25,
  switch: 26,
  var: 27,
  while: 28,
  true: 29,
  false: 30,

  // spec: #syntactic-tokens
  underscore: 31,
  parenLeft: 32,
  parenRight: 33,
  bracketLeft: 34,
  bracketRight: 35,
  braceLeft: 36,
  braceRight: 37,
  comma: 38,
  semicolon: 39,
  colon: 40,
  period: 41,
  attr: 42,
  arrow: 43,
  bang: 44,
  tilde: 45,
  plusPlus: 46,
  /** In an expression it is two tokens `-`, see the parser of expressions. */
  minusMinus: 47,

  star: 48,
  forwardSlash: 49,
  modulo: 50,
  plus: 51,
  minus: 52,
  shiftLeft: 53,
  shiftRight: 54,
  lessThan: 55,
  lessThanEqual: 56,
  greaterThan: 57,
  greaterThanEqual: 58,
  equalEqual: 59,
  notEqual: 60,
  and: 61,
  xor: 62,
  or: 63,
  andAnd: 64,
  orOr: 65,

  equal: 66,
  plusEqual: 67,
  minusEqual: 68,
  timesEqual: 69,
  divisionEqual: 70,
  moduloEqual: 71,
  andEqual: 72,
  orEqual: 73,
  xorEqual: 74,
  shiftRightAssign: 75,
  shiftLeftAssign: 76,

  templateArgsStart: 77,
  templateArgsEnd: 78,
};

export type TokenKind = number;

/** By kind: the text of tokens that are always spelled the same, `""` for all others. */
export const TOKEN_TEXT: readonly string[] = [
  ...["", "", "", "", ""],
  ...["alias", "break", "case", "const", "const_assert", "continue", "continuing", "default", "diagnostic", "discard"],
  ...["else", "enable", "fn", "for", "if", "let", "loop", "override", "requires", "return", "struct", "switch", "var"],
  ...["while", "true", "false", "_", "(", ")", "[", "]", "{", "}", ",", ";", ":", ".", "@", "->", "!", "~", "++", "--"],
  ...["*", "/", "%", "+", "-", "<<", ">>", "<", "<=", ">", ">=", "==", "!=", "&", "^", "|", "&&", "||"],
  ...["=", "+=", "-=", "*=", "/=", "%=", "&=", "|=", "^=", ">>=", "<<=", "<", ">"],
];

/** What ident_pattern_token matches: a template list can begin after it. `true` and `false` are literals. */
export function isWord(kind: number): boolean {
  return kind >= Token.identifier && kind <= Token.while;
}

export function isKeyword(kind: number): boolean {
  return kind >= Token.alias && kind <= Token.false;
}

/** `--` is among them: after an operand it may be a subtraction of a negation. */
export function canContinueExpression(kind: number): boolean {
  return kind >= Token.minusMinus && kind <= Token.orOr;
}

export function isComparison(kind: number): boolean {
  return kind >= Token.lessThan && kind <= Token.notEqual;
}

/** Whether a token can be the next behind an expression, as far as its kind tells: a colon is looked at again. */
export function canFollowExpression(kind: number): boolean {
  if (kind >= Token.plusPlus && kind <= Token.shiftLeftAssign) return false;
  return !isWord(kind) && kind !== Token.colon && kind !== Token.number && kind !== Token.invalid;
}

export function isStatementEnd(kind: number): boolean {
  return kind === Token.semicolon || kind === Token.braceLeft || kind === Token.braceRight || kind === Token.end;
}

/** Whether a token can be the first of an operand. */
export function canBeginOperand(kind: number): boolean {
  switch (kind) {
    case Token.identifier:
    case Token.reservedWord:
    case Token.number:
    case Token.true:
    case Token.false:
    case Token.parenLeft:
    case Token.minus:
    case Token.minusMinus:
    case Token.bang:
    case Token.tilde:
    case Token.star:
    case Token.and:
    case Token.andAnd:
      return true;
    default:
      return false;
  }
}

export function isBinaryOperator(kind: number): boolean {
  return kind >= Token.star && kind <= Token.orOr;
}

export function isAssignment(kind: number): boolean {
  return kind >= Token.equal && kind <= Token.shiftLeftAssign;
}

const ASSIGN_OPERATORS = TOKEN_TEXT.slice(Token.plusEqual, Token.shiftLeftAssign + 1).map((text) => text.slice(0, -1));

/** The binary operator that an assignment operator applies. */
export function assignOperator(kind: number): AssignOperator {
  return kind === Token.equal ? null : (ASSIGN_OPERATORS[kind - Token.plusEqual] as AssignOperator);
}

/** spec: #reserved-words */
const RESERVED_WORDS: readonly string[] = (
  "NULL Self abstract active alignas alignof as asm asm_fragment async attribute auto await become cast catch class " +
  "co_await co_return co_yield coherent column_major common compile compile_fragment concept const_cast consteval " +
  "constexpr constinit crate debugger decltype delete demote demote_to_helper do dynamic_cast enum explicit export " +
  "extends extern external fallthrough filter final finally friend from fxgroup get goto groupshared highp impl " +
  "implements import inline instanceof interface layout lowp macro macro_rules match mediump meta mod module move mut " +
  "mutable namespace new nil noexcept noinline nointerpolation non_coherent noncoherent noperspective null nullptr of " +
  "operator package packoffset partition pass patch pixelfragment precise precision premerge priv protected pub public " +
  "readonly ref regardless register reinterpret_cast require resource restrict self set shared sizeof smooth snorm " +
  "static static_assert static_cast std subroutine super target template this thread_local throw trait try type typedef " +
  "typeid typename typeof union unless unorm unsafe unsized use using varying virtual volatile wgsl where with " +
  "writeonly yield"
).split(" ");

/** Every keyword and reserved word with its kind. */
export const WORDS: ReadonlyMap<string, TokenKind> = new Map<string, TokenKind>([
  ...RESERVED_WORDS.map((word): [string, TokenKind] => [word, Token.reservedWord]),
  ...TOKEN_TEXT.slice(Token.alias, Token.false + 1).map((word, index): [string, TokenKind] => [
    word,
    Token.alias + index,
  ]),
]);

const BUCKETS = 2048;

function bucketOf(first: number, last: number, length: number): number {
  return (first * 61 + last * 7 + length * 257) & (BUCKETS - 1);
}

interface Word {
  readonly text: string;
  readonly kind: TokenKind;
}

const wordTable: (Word[] | null)[] = new Array(BUCKETS).fill(null);
for (const [text, kind] of WORDS) {
  const bucket = bucketOf(text.charCodeAt(0), text.charCodeAt(text.length - 1), text.length);
  wordTable[bucket] = [...(wordTable[bucket] ?? []), { text, kind }];
}

/** The kind of the word at `start`, found without making a string of it. */
export function wordKind(text: string, start: number, end: number): TokenKind {
  const length = end - start;
  if (length < 2) return Token.identifier;
  const words = wordTable[bucketOf(text.charCodeAt(start), text.charCodeAt(end - 1), length)];
  if (words === null) return Token.identifier;
  for (const word of words) {
    if (word.text.length === length && text.startsWith(word.text, start)) return word.kind;
  }
  return Token.identifier;
}
