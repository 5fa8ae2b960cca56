/** The language of messages: what an option says, else the environment, else English. */
import { LANGUAGES, type LanguageName, languageOf } from "../diagnostics/translate.ts";
import { type Io, UsageError } from "./io.ts";

/** @throws UsageError where the environment names a language that there are no texts in */
export function chosenLanguage(chosen: LanguageName | undefined, env: Io["env"]): LanguageName {
  if (chosen !== undefined) return chosen;
  const { HALAY_LANG: wanted = "" } = env;
  if (wanted === "") return "en";
  const found = languageOf(wanted);
  if (found === null) throw new UsageError(`HALAY_LANG=${wanted}: expected ${LANGUAGES.join(", ")}`);
  return found;
}
