/** An open document, and what is known of it: found out when first asked for. */
import { advised } from "../analysis/advice/advised.ts";
import { analyze, withDiagnostics } from "../analysis/analyze.ts";
import type { Program } from "../analysis/program.ts";
import type { Diagnostic } from "../diagnostics/diagnostic.ts";
import { translated } from "../diagnostics/translate.ts";
import { readLaunch } from "../launch/read-launch.ts";
import { Source } from "../text/source.ts";
import type { Settings } from "./settings.ts";
import { Places } from "./text.ts";

export class OpenDocument {
  readonly uri: string;
  readonly version: number;
  readonly places: Places;
  readonly #settings: Settings;
  #program: Program | null = null;

  constructor(uri: string, version: number, text: string, settings: Settings) {
    this.uri = uri;
    this.version = version;
    this.places = new Places(text);
    this.#settings = settings;
  }

  /** A launch file is no shader: it has diagnostics and nothing else. */
  get isLaunch(): boolean {
    return this.uri.endsWith(".launch.json");
  }

  get program(): Program {
    this.#program ??= this.#analyzed();
    return this.#program;
  }

  get diagnostics(): readonly Diagnostic[] {
    return this.isLaunch ? this.#said(readLaunch(this.places.text, this.uri).diagnostics) : this.program.diagnostics;
  }

  #analyzed(): Program {
    const program = analyze(new Source(this.isLaunch ? "" : this.places.text, this.uri), advised(this.#settings.check));
    const diagnostics = this.#said(program.diagnostics);
    return diagnostics === program.diagnostics ? program : withDiagnostics(program, diagnostics);
  }

  /** In the language of the client. */
  #said(found: readonly Diagnostic[]): readonly Diagnostic[] {
    const { language } = this.#settings;
    return language === "en" ? found : found.map((item) => translated(item, language));
  }
}
