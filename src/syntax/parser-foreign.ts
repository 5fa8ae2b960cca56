/** Declarations of GLSL, HLSL, CUDA and Metal at module scope: what WGSL has instead, and which names they declare. */
import { type GlobalDecl, type IdentifierExpr, Name } from "./ast.ts";
import { layoutInWgsl, looksLikeType, semanticInWgsl } from "./foreign.ts";
import { foreignName } from "./foreign-names.ts";
import * as make from "./make-statement.ts";
import { quote } from "./parser-base.ts";
import { StatementParser } from "./parser-statements.ts";
import { isWord, Token } from "./tokens.ts";

/** How far the end of a declaration is looked for, in tokens. */
const FARTHEST = 4096;

export abstract class ForeignParser extends StatementParser {
  /** `layout(…) …;`; null: this is none. */
  protected glslLayout(): readonly Name[] | null {
    if (this.tokenText() !== "layout" || this.peek(1) !== Token.parenLeft) return null;
    const place = this.tokenSpan();
    this.advance();
    const inside = this.start;
    this.skipBalanced();
    const expected = layoutInWgsl(this.text.slice(inside, this.previousEnd), this.tokenText());
    this.report("foreign-keyword", place, { word: "layout", expected });
    return this.namesDeclared();
  }

  /** `RWStructuredBuffer<float> data : register(u0);`, behind its type; null: WGSL has no such binding. */
  protected binding(type: Name, all: string): readonly Name[] | null {
    const wgsl = foreignName(type.text);
    if (wgsl === null || !/^[A-Z]/.test(type.text) || this.kind !== Token.identifier) return null;
    const variable = /^(var<[^>]*>) name: (.*)$/.exec(wgsl);
    const [head, inWgsl] = variable === null ? ["var", wgsl] : [variable[1], variable[2]];
    const expected = `‘@group(0) @binding(0) ${head} ${quote(this.tokenText())}: ${inWgsl}’`;
    this.report("foreign-keyword", type.span, { word: quote(all), expected });
    return this.namesDeclared();
  }

  /** The names that stand between here and the `;`, as in `float tile[64], x;` and `buffer Data { float data[]; };`. */
  protected namesDeclared(): readonly Name[] {
    const found: Name[] = [];
    this.scoping.forgetDeclaration();
    let depth = 0;
    let isValue = false;
    for (let passed = 0; passed < FARTHEST && this.kind !== Token.end; passed++) {
      if (this.kind === Token.semicolon && depth === 0) break;
      if (this.isFirstOnLine() && this.#isDeclarationOfWgsl()) break;
      if (this.kind === Token.braceLeft) depth++;
      else if (this.kind === Token.braceRight) depth--;
      else if (this.kind === Token.parenLeft || this.kind === Token.bracketLeft) {
        this.skipBalanced();
        continue;
      }
      if (this.kind === Token.equal) isValue = true;
      else if (this.kind === Token.comma || this.kind === Token.semicolon) isValue = false;
      const isName = this.kind === Token.identifier && !isValue && this.#endsDeclarator(this.peek(1));
      if (isName && !looksLikeType(this.tokenText())) {
        const { start, end } = this.tokenSpan();
        found.push(new Name(this.tokenText(), start, end));
      }
      this.advance();
    }
    this.accept(Token.semicolon);
    return found;
  }

  /** A variable of which nothing but its name is known. */
  protected declared(name: Name): GlobalDecl {
    return make.varDecl(this.ids, name.start, name.end, [], this.privately(name), name, this.unknownType(), null);
  }

  /** The template of a variable whose address space is no mistake of its own. */
  protected privately({ start, end }: Name): readonly IdentifierExpr[] {
    return [this.mentionAs(start, end, "private")];
  }

  /** `: SV_DispatchThreadID` behind a parameter or a function; false: there is none. */
  protected passSemantic(): boolean {
    if (this.kind !== Token.colon || this.panicking) return false;
    const word = this.tokenText(this.index + 1);
    const expected = semanticInWgsl(word);
    if (expected === null) return false;
    this.advance();
    this.report("foreign-keyword", this.tokenSpan(), { word, expected });
    this.advance();
    return true;
  }

  #endsDeclarator(kind: number): boolean {
    return (
      kind === Token.semicolon ||
      kind === Token.braceRight ||
      kind === Token.comma ||
      kind === Token.equal ||
      kind === Token.bracketLeft ||
      kind === Token.colon
    );
  }

  #isDeclarationOfWgsl(): boolean {
    return this.kind === Token.fn || this.kind === Token.attr || (this.kind === Token.struct && isWord(this.peek(1)));
  }
}
