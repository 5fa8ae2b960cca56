/** The phrases of syntax messages, made once: the parser passes one wherever it may have to say it. */
import { SYNTAX_PHRASES } from "../diagnostics/catalogue-syntax.ts";
import { type Phrase, phrase } from "../diagnostics/diagnostic.ts";

type SyntaxPhrase = keyof typeof SYNTAX_PHRASES;

export const SAY = Object.fromEntries(
  (Object.keys(SYNTAX_PHRASES) as SyntaxPhrase[]).map((code) => [code, phrase(code)]),
) as Readonly<Record<SyntaxPhrase, Phrase>>;
