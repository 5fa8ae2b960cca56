/**
 * The server of `halay studio`: on this machine alone, its own files alone. It is asked by pages of other sites too, as any
 * local server is; so it answers only to its own names, and says nothing of what is on the disk.
 */
import { readdirSync, readFileSync } from "node:fs";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { extname, join, relative, sep } from "node:path";

const TYPES: Readonly<Record<string, string>> = {
  ".html": "text/html; charset=utf-8",
  ".js": "text/javascript; charset=utf-8",
  ".css": "text/css; charset=utf-8",
  ".svg": "image/svg+xml",
  ".json": "application/json",
  ".wgsl": "text/plain; charset=utf-8",
};

/** Scripts are files of ours; WebAssembly may be compiled, text may not become script. */
const POLICY = [
  "default-src 'none'",
  "script-src 'self' 'wasm-unsafe-eval'",
  "worker-src 'self'",
  "style-src 'self' 'unsafe-inline'",
  "img-src 'self' data: blob:",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join("; ");

const HEADERS: Readonly<Record<string, string>> = {
  // Threads share memory in pages that are isolated from others.
  "cross-origin-opener-policy": "same-origin",
  "cross-origin-embedder-policy": "require-corp",
  "cross-origin-resource-policy": "same-origin",
  "content-security-policy": POLICY,
  "x-content-type-options": "nosniff",
  "referrer-policy": "no-referrer",
};

export interface StudioServer {
  readonly url: string;
  close(): Promise<void>;
}

/**
 * @param folder of the built studio
 * @param session what it opens with, as JSON; null: nothing
 * @param port taken if it is free, else any other
 */
export async function serveStudio(folder: string, session: string | null, port: number): Promise<StudioServer> {
  const files = readFiles(folder);
  if (session !== null) files.set("/session.json", Buffer.from(session));
  const server = createServer((request, response) => answer(server, files, request, response));
  await listen(server, port).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== "EADDRINUSE" && error.code !== "EACCES") throw error;
    return listen(server, 0);
  });
  return {
    url: `http://127.0.0.1:${portOf(server)}/${session === null ? "" : "?session"}`,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

function listen(server: Server, port: number): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once("error", reject);
    server.listen(port, "127.0.0.1", () => {
      server.off("error", reject);
      resolve();
    });
  });
}

function portOf(server: Server): number {
  return (server.address() as AddressInfo).port;
}

/** All files of the studio by the path that asks for them: what is not among them is not there. */
function readFiles(folder: string): Map<string, Buffer> {
  const entries = readdirSync(folder, { withFileTypes: true, recursive: true }).filter((entry) => entry.isFile());
  return new Map(
    entries.map((entry) => {
      const path = join(entry.parentPath, entry.name);
      return [`/${relative(folder, path).split(sep).join("/")}`, readFileSync(path)];
    }),
  );
}

/** Browsers leave out the usual port. */
function isOwnName(host: string, port: number): boolean {
  return ["127.0.0.1", "localhost"].some((name) => host === `${name}:${port}` || (port === 80 && host === name));
}

function answer(
  server: Server,
  files: ReadonlyMap<string, Buffer>,
  request: IncomingMessage,
  response: ServerResponse,
): void {
  const end = (status: number, headers: Readonly<Record<string, string>> = {}) =>
    response.writeHead(status, { ...HEADERS, ...headers }).end();
  // A site whose name is made to lead here would be asked for under that name.
  if (!isOwnName(request.headers.host ?? "", portOf(server))) return void end(421);
  if (request.method !== "GET" && request.method !== "HEAD") return void end(405, { allow: "GET, HEAD" });
  const asked = (request.url ?? "/").replace(/[?#].*$/, "");
  const path = asked === "/" ? "/index.html" : asked;
  const bytes = files.get(path);
  if (bytes === undefined) return void end(404);
  response.writeHead(200, {
    ...HEADERS,
    "content-type": TYPES[extname(path)] ?? "application/octet-stream",
    "content-length": String(bytes.length),
    // Names of assets hold a hash of their contents.
    "cache-control": path.startsWith("/assets/") ? "max-age=31536000, immutable" : "no-store",
  });
  response.end(request.method === "HEAD" ? undefined : bytes);
}
