/** The language server: a thin layer that says in the protocol's words what `src/ide` finds. */
import type {
  Connection,
  InitializeParams,
  InitializeResult,
  ResponseError,
  TextDocumentPositionParams,
} from "vscode-languageserver/node";
import { translatedNote } from "../diagnostics/translate.ts";
import { codeActions } from "../ide/actions.ts";
import { completions } from "../ide/completions.ts";
import { highlight } from "../ide/highlight.ts";
import { inlayHints } from "../ide/hints.ts";
import { hover } from "../ide/hover.ts";
import { documentSymbols, foldingRanges } from "../ide/outline.ts";
import { definition, references } from "../ide/references.ts";
import { rename } from "../ide/rename.ts";
import { sharedMemory } from "../ide/shared-memory.ts";
import { signatureHelp } from "../ide/signature-help.ts";
import { uniformity } from "../ide/uniformity.ts";
import * as convert from "./convert.ts";
import { OpenDocument } from "./document.ts";
import { LEGEND, semanticTokens } from "./semantic-tokens.ts";
import { type Settings, settingsOf } from "./settings.ts";
import { changed } from "./text.ts";

/** Makes the answer that says why something cannot be done; of the package, which is loaded only when it is needed. */
export type Refuse = (message: string) => ResponseError;

export interface ServerOptions {
  readonly version: string;
  readonly refuse: Refuse;
}

/** While somebody types, nothing is checked until there is a pause. In milliseconds. */
const PAUSE = 60;

type At = TextDocumentPositionParams;

export function serve(connection: Connection, options: ServerOptions): void {
  const server = new Server(connection, options);
  server.lifecycle();
  server.places();
  server.whole();
  server.typing();
  connection.listen();
}

class Server {
  readonly #connection: Connection;
  readonly #options: ServerOptions;
  readonly #documents = new Map<string, OpenDocument>();
  readonly #timers = new Map<string, ReturnType<typeof setTimeout>>();
  #settings: Settings = settingsOf(null);
  #snippets = false;

  constructor(connection: Connection, options: ServerOptions) {
    this.#connection = connection;
    this.#options = options;
  }

  /** Runs a service on an open document; what is not open has no answer. */
  #with<Answer>(uri: string, service: (document: OpenDocument) => Answer): Answer | null {
    const document = this.#documents.get(uri);
    return document === undefined || document.isLaunch ? null : service(document);
  }

  #at<Answer>(
    { textDocument, position }: At,
    service: (document: OpenDocument, offset: number) => Answer,
  ): Answer | null {
    return this.#with(textDocument.uri, (document) => service(document, document.places.offset(position)));
  }

  // ---------------------------------------------------------------- documents

  lifecycle(): void {
    const connection = this.#connection;
    connection.onInitialize((params) => this.#initialize(params));
    connection.onDidOpenTextDocument(({ textDocument: { uri, version, text } }) => this.#set(uri, version, text));
    connection.onDidChangeTextDocument(({ textDocument: { uri, version }, contentChanges }) => {
      const document = this.#documents.get(uri);
      if (document !== undefined) this.#set(uri, version, changed(document.places.text, contentChanges));
    });
    connection.onDidChangeConfiguration(({ settings }) => {
      this.#settings = settingsOf(settings?.halay ?? settings);
      for (const { uri, version, places } of this.#documents.values()) this.#set(uri, version, places.text);
    });
    connection.onDidCloseTextDocument(({ textDocument: { uri } }) => {
      this.#documents.delete(uri);
      this.#cancel(uri);
      void connection.sendDiagnostics({ uri, diagnostics: [] });
    });
  }

  #initialize({ capabilities, initializationOptions }: InitializeParams): InitializeResult {
    this.#settings = settingsOf(initializationOptions);
    this.#snippets = capabilities.textDocument?.completion?.completionItem?.snippetSupport === true;
    return {
      serverInfo: { name: "halay", version: this.#options.version },
      capabilities: {
        positionEncoding: "utf-16",
        textDocumentSync: { openClose: true, change: 2 },
        hoverProvider: true,
        definitionProvider: true,
        referencesProvider: true,
        documentHighlightProvider: true,
        renameProvider: { prepareProvider: true },
        documentSymbolProvider: true,
        foldingRangeProvider: true,
        semanticTokensProvider: { legend: LEGEND, full: true },
        inlayHintProvider: this.#settings.inlayHints,
        completionProvider: { triggerCharacters: [".", "@", "<"] },
        signatureHelpProvider: { triggerCharacters: ["(", ","] },
        codeActionProvider: { codeActionKinds: ["quickfix"] },
      },
    };
  }

  #set(uri: string, version: number, text: string): void {
    this.#documents.set(uri, new OpenDocument(uri, version, text, this.#settings));
    this.#cancel(uri);
    this.#timers.set(
      uri,
      setTimeout(() => this.#publish(uri), PAUSE),
    );
  }

  #cancel(uri: string): void {
    clearTimeout(this.#timers.get(uri));
    this.#timers.delete(uri);
  }

  #publish(uri: string): void {
    this.#timers.delete(uri);
    const document = this.#documents.get(uri);
    if (document === undefined) return;
    const diagnostics = document.diagnostics.map((found) => convert.toDiagnostic(document, found));
    void this.#connection.sendDiagnostics({ uri, version: document.version, diagnostics });
  }

  // ---------------------------------------------------------------- requests

  /** About what stands at a place. */
  places(): void {
    const connection = this.#connection;
    connection.onHover((params) =>
      this.#at(params, ({ program, places }, offset) => {
        const found = hover(program, offset);
        return found === null ? null : convert.toHover(places, found);
      }),
    );
    connection.onDefinition((params) =>
      this.#at(params, ({ program, places, uri }, offset) => {
        const found = definition(program, offset);
        return found === null ? null : { uri, range: places.range(found.name) };
      }),
    );
    connection.onReferences((params) =>
      this.#at(params, ({ program, places, uri }, offset) =>
        references(program, offset)
          .filter(({ isDeclaration }) => params.context.includeDeclaration || !isDeclaration)
          .map((reference) => ({ uri, range: places.range(reference) })),
      ),
    );
    connection.onDocumentHighlight((params) =>
      this.#at(params, ({ program, places }, offset) =>
        references(program, offset).map((reference) => ({ range: places.range(reference) })),
      ),
    );
    connection.onPrepareRename((params) => this.#prepareRename(params));
    connection.onRenameRequest((params) =>
      this.#at(params, (document, offset) => {
        const renamed = rename(document.program, offset, params.newName);
        if (renamed.ok) return convert.toWorkspaceEdit(document, renamed.edits);
        return this.#options.refuse(translatedNote(renamed, this.#settings.language).message) as never;
      }),
    );
  }

  #prepareRename(params: At) {
    return this.#at(params, ({ program, places }, offset) => {
      const at = references(program, offset).find(({ start, end }) => start <= offset && offset <= end);
      return at === undefined ? null : places.range(at);
    });
  }

  /** About a whole document. */
  whole(): void {
    const connection = this.#connection;
    connection.onDocumentSymbol(({ textDocument: { uri } }) =>
      this.#with(uri, ({ program, places }) =>
        documentSymbols(program).map((symbol) => convert.toDocumentSymbol(places, symbol)),
      ),
    );
    connection.onFoldingRanges(({ textDocument: { uri } }) =>
      this.#with(uri, ({ program, places }) =>
        foldingRanges(program).map((range) => convert.toFoldingRange(places, range)),
      ),
    );
    connection.languages.semanticTokens.on(
      ({ textDocument: { uri } }) =>
        this.#with(uri, ({ places }) => semanticTokens(places, highlight(places.text))) ?? { data: [] },
    );
    connection.languages.inlayHint.on(({ textDocument: { uri }, range }) =>
      this.#with(uri, ({ program, places }) => {
        const { start, end } = places.span(range);
        return inlayHints(program)
          .filter(({ offset }) => start <= offset && offset <= end)
          .map((hint) => convert.toInlayHint(places, hint));
      }),
    );
    // Of our own: plain data with offsets, as `halay/ide` gives it.
    connection.onRequest("halay/sharedMemory", ({ uri, entry }: { uri: string; entry?: string }) =>
      this.#with(uri, ({ program }) => sharedMemory(program, entry)),
    );
    connection.onRequest("halay/uniformity", ({ uri }: { uri: string }) =>
      this.#with(uri, ({ program }) => uniformity(program)),
    );
  }

  /** While somebody writes. */
  typing(): void {
    const connection = this.#connection;
    connection.onCompletion((params) =>
      this.#at(params, ({ program, places }, offset) => {
        const found = completions(program, offset);
        return found.items.map((item) => convert.toCompletionItem(places, found, item, this.#snippets));
      }),
    );
    connection.onSignatureHelp((params) =>
      this.#at(params, ({ program }, offset) => {
        const found = signatureHelp(program, offset);
        return found === null ? null : convert.toSignatureHelp(found);
      }),
    );
    connection.onCodeAction(({ textDocument: { uri }, range, context }) =>
      this.#with(uri, (document) =>
        codeActions(document.program, document.places.span(range)).map((action) =>
          convert.toCodeAction(document, action, context.diagnostics),
        ),
      ),
    );
  }
}
