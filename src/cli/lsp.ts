/** `halay lsp`: the language server, for editors. */
import { Command } from "commander";
import { UsageError } from "./io.ts";
import { packageVersion } from "./version.ts";

export function lspCommand(): Command {
  return new Command("lsp")
    .summary("the language server for editors, on standard input and output")
    .description(
      "Speaks the Language Server Protocol on standard input and output: diagnostics, completion, hover, renaming and " +
        "the like. docs/editors.md says how editors are set up. Needs the package vscode-languageserver.",
    )
    .option("--stdio", "what is done anyway; editors say so")
    .action(async () => {
      // Other commands shall not wait for it.
      const { NoServerError, startServer } = await import("../lsp/start.ts");
      try {
        await startServer(packageVersion());
      } catch (error) {
        throw error instanceof NoServerError ? new UsageError(error.message) : error;
      }
    });
}
