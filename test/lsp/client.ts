/** A client of the language server in this process. */
import { PassThrough } from "node:stream";
import { onTestFinished } from "vitest";
import {
  createConnection,
  createProtocolConnection,
  type Diagnostic,
  LSPErrorCodes,
  type ProtocolConnection,
  ResponseError,
  StreamMessageReader,
  StreamMessageWriter,
} from "vscode-languageserver/node";
import { serve } from "../../src/lsp/server.ts";

export const URI = "file:///shader.wgsl";

/** Whatever the server answers: what it holds is what tests ask. */
type Answer = ReturnType<typeof JSON.parse>;

export class Client {
  readonly connection: ProtocolConnection;
  readonly #published = new Map<string, (found: readonly Diagnostic[]) => void>();
  #version = 1;

  constructor(connection: ProtocolConnection) {
    this.connection = connection;
    connection.onNotification("textDocument/publishDiagnostics", ({ uri, diagnostics }) => {
      this.#published.get(uri)?.(diagnostics);
    });
    connection.listen();
  }

  initialize(initializationOptions: unknown = {}, snippetSupport = false): Promise<Answer> {
    const capabilities = { textDocument: { completion: { completionItem: { snippetSupport } } } };
    return this.connection.sendRequest("initialize", {
      processId: null,
      rootUri: null,
      capabilities,
      initializationOptions,
    });
  }

  /** What is published next about a document. */
  diagnostics(uri = URI): Promise<readonly Diagnostic[]> {
    return new Promise((resolve) => this.#published.set(uri, resolve));
  }

  async open(text: string, uri = URI): Promise<readonly Diagnostic[]> {
    const published = this.diagnostics(uri);
    const textDocument = { uri, languageId: "wgsl", version: this.#version, text };
    await this.connection.sendNotification("textDocument/didOpen", { textDocument });
    return published;
  }

  async change(contentChanges: readonly unknown[], uri = URI): Promise<readonly Diagnostic[]> {
    const published = this.diagnostics(uri);
    const textDocument = { uri, version: ++this.#version };
    await this.connection.sendNotification("textDocument/didChange", { textDocument, contentChanges });
    return published;
  }

  /** A request about the open document. */
  ask(method: string, params: object = {}): Promise<Answer> {
    return this.connection.sendRequest(`textDocument/${method}`, { textDocument: { uri: URI }, ...params });
  }
}

export async function client(initializationOptions: unknown = {}, snippets = false): Promise<Client> {
  const [toServer, toClient] = [new PassThrough(), new PassThrough()];
  const server = createConnection(new StreamMessageReader(toServer), new StreamMessageWriter(toClient));
  serve(server, { version: "1.2.3", refuse: (message) => new ResponseError(LSPErrorCodes.RequestFailed, message) });
  const connection = createProtocolConnection(new StreamMessageReader(toClient), new StreamMessageWriter(toServer));
  onTestFinished(() => connection.dispose());
  const made = new Client(connection);
  await made.initialize(initializationOptions, snippets);
  return made;
}
