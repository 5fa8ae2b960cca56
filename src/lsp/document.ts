/** An open document, and what is known of it: found out when first asked for. */
import { analyze } from "../analysis/analyze.ts";
import type { CheckOptions } from "../analysis/options.ts";
import type { Program } from "../analysis/program.ts";
import type { Diagnostic } from "../diagnostics/diagnostic.ts";
import { readLaunch } from "../launch/read-launch.ts";
import { Source } from "../text/source.ts";
import { Places } from "./text.ts";

export class OpenDocument {
  readonly uri: string;
  readonly version: number;
  readonly places: Places;
  readonly #options: CheckOptions;
  #program: Program | null = null;

  constructor(uri: string, version: number, text: string, options: CheckOptions) {
    this.uri = uri;
    this.version = version;
    this.places = new Places(text);
    this.#options = options;
  }

  /** A launch file is no shader: it has diagnostics and nothing else. */
  get isLaunch(): boolean {
    return this.uri.endsWith(".launch.json");
  }

  get program(): Program {
    const text = this.isLaunch ? "" : this.places.text;
    this.#program ??= analyze(new Source(text, this.uri), { advice: true, ...this.#options });
    return this.#program;
  }

  get diagnostics(): readonly Diagnostic[] {
    return this.isLaunch ? readLaunch(this.places.text, this.uri).diagnostics : this.program.diagnostics;
  }
}
