/** Starts the language server on the streams of this process, with the optional package that speaks the protocol. */
import { serve } from "./server.ts";

/** Why there is no server, and what to do about it. */
export class NoServerError extends Error {
  constructor(message: string) {
    super(message);
    this.name = "NoServerError";
  }
}

/** Never comes back: the process ends when the client says so, or when its end of the streams is closed. @throws NoServerError */
export async function startServer(version: string): Promise<never> {
  const { createConnection, LSPErrorCodes, ResponseError } = await loadPackage();
  const refuse = (message: string) => new ResponseError(LSPErrorCodes.RequestFailed, message);
  serve(createConnection(process.stdin, process.stdout), { version, refuse });
  return new Promise<never>(() => {});
}

async function loadPackage(): Promise<typeof import("vscode-languageserver/node")> {
  try {
    return await import("vscode-languageserver/node");
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ERR_MODULE_NOT_FOUND") {
      throw new NoServerError(
        "the language server needs the package ‘vscode-languageserver’: npm install vscode-languageserver",
      );
    }
    throw new NoServerError(`the package ‘vscode-languageserver’ does not load: ${(error as Error).message}`);
  }
}
