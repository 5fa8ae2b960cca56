/** The layers of `src`: who may import whom. Pure, so that the rules themselves have tests. */
import { posix } from "node:path";
import { type Import, type Module, parseModule } from "./syntax.ts";
import { lineAt, type SourceFile } from "./tree.ts";

/** A folder imports only from itself and from folders that stand before it. */
export const folderOrder: readonly string[] = [
  "text",
  "numeric",
  "diagnostics",
  "syntax",
  "types",
  "builtins",
  "layout",
  "analysis",
  "reflect",
  "ir",
  "engine",
  "launch",
  "sanitize",
  "explore",
  "fix",
  "webgpu",
  "kernels",
  "ide",
  "lsp",
  "cli",
];

/** Where `node:` modules and the names of a host may appear. */
const hostFolders: ReadonlySet<string> = new Set(["platform", "cli", "lsp"]);

/** What may import `platform`: the public entries (files directly in `src`) and the adapters. */
const platformUsers: ReadonlySet<string> = new Set(["", "platform", "cli", "lsp"]);

/** Dependencies by the folder that may import them; the core has none. */
const packageUsers: Readonly<Record<string, readonly string[]>> = {
  commander: ["cli"],
  webgpu: ["platform", "cli"],
  vitest: [""],
  "vscode-languageserver/node": ["lsp"],
};

const hostNames: ReadonlySet<string> = new Set([
  "process",
  "Buffer",
  "require",
  "__dirname",
  "__filename",
  "window",
  "document",
  "navigator",
  "localStorage",
  "performance",
  "Worker",
  "console",
]);

/** The folder below `src` that a file belongs to; `""` for a public entry. */
function folderOf(path: string): string {
  const parts = path.split("/");
  return parts.length > 2 ? parts[1] : "";
}

function isOwn(specifier: string): boolean {
  return specifier.startsWith(".") || specifier.startsWith("/");
}

function targetOf(path: string, specifier: string): string {
  return posix.join(posix.dirname(path), specifier);
}

export function layerViolations(sources: readonly SourceFile[]): string[] {
  const modules = sources.map((source) => parseModule(source.path, source.text));
  const paths = new Set(modules.map((module) => module.path));
  return [
    ...modules.flatMap((module) => [
      ...module.imports.flatMap((found) => importProblems(module, found, paths).map((text) => at(module, found, text))),
      ...hostNameProblems(module),
      ...module.notErasable.map((found) => at(module, found, `${found.what} does not erase`)),
    ]),
    ...cycles(modules).map((cycle) => `import cycle: ${cycle.join(" → ")}`),
    ...kernelProblems(modules),
  ];
}

function at(module: Module, found: { readonly offset: number }, problem: string): string {
  return `${module.path}:${lineAt(module.text, found.offset)}: ${problem}`;
}

function importProblems(module: Module, found: Import, paths: ReadonlySet<string>): string[] {
  const folder = folderOf(module.path);
  if (!isOwn(found.specifier)) return packageProblems(folder, found.specifier);
  if (found.specifier.endsWith(".json")) return [];
  const target = targetOf(module.path, found.specifier);
  if (!found.specifier.endsWith(".ts")) return [`‘${found.specifier}’ lacks its .ts extension`];
  if (!paths.has(target)) return [`‘${found.specifier}’ is no source file of the package`];
  return folderProblems(folder, folderOf(target), module.path, target);
}

function packageProblems(folder: string, specifier: string): string[] {
  if (specifier.startsWith("node:"))
    return hostFolders.has(folder) ? [] : [`‘${specifier}’ outside platform, cli and lsp`];
  const users = packageUsers[specifier];
  if (!users) return [`‘${specifier}’ is not among the dependencies of the package`];
  return users.includes(folder) ? [] : [`‘${specifier}’ is for ${users.join(", ")} only`];
}

function folderProblems(from: string, to: string, path: string, target: string): string[] {
  if (from === "") return [];
  if (to === "") return [`${from} imports a public entry`];
  if (to === "platform") {
    if (!platformUsers.has(from)) return [`${from} imports platform: declare an interface and let the entry inject it`];
    const host = (name: string) => /^src\/platform\/(node|browser)\//.exec(name)?.[1];
    const [here, there] = [host(path), host(target)];
    return here && there && here !== there ? [`platform/${here} imports platform/${there}`] : [];
  }
  if (from === "platform") return to === "cli" || to === "lsp" ? [`platform imports ${to}`] : [];
  const [fromIndex, toIndex] = [folderOrder.indexOf(from), folderOrder.indexOf(to)];
  if (fromIndex < 0) return [`folder ${from} has no place in the order of folders`];
  return toIndex > fromIndex || toIndex < 0 ? [`${from} imports ${to}, which comes later`] : [];
}

function hostNameProblems(module: Module): string[] {
  if (hostFolders.has(folderOf(module.path))) return [];
  return module.names
    .filter((found) => hostNames.has(found.name))
    .map((found) => at(module, found, `‘${found.name}’ outside platform, cli and lsp`));
}

/** What a file needs when it runs: its imports that are not erased. */
function neededBy(module: Module): string[] {
  return module.imports
    .filter((found) => isOwn(found.specifier) && !found.typeOnly)
    .map((found) => targetOf(module.path, found.specifier));
}

/** `kernels` must run on any device, so nothing that it reaches may be the engine. */
function kernelProblems(modules: readonly Module[]): string[] {
  const needs = new Map(modules.map((module) => [module.path, neededBy(module)]));
  const problems: string[] = [];
  for (const module of modules) {
    if (folderOf(module.path) !== "kernels") continue;
    const reached = new Set<string>([module.path]);
    for (const path of reached) for (const next of needs.get(path) ?? []) reached.add(next);
    const direct = module.imports.filter((found) => isOwn(found.specifier));
    for (const found of direct) reached.add(targetOf(module.path, found.specifier));
    for (const path of reached) if (folderOf(path) === "engine") problems.push(`${module.path} reaches ${path}`);
  }
  return problems;
}

/** One cycle for each strongly connected group of files, found by depth-first search. */
function cycles(modules: readonly Module[]): string[][] {
  const needs = new Map(modules.map((module) => [module.path, neededBy(module)]));
  const state = new Map<string, "open" | "done">();
  const found: string[][] = [];
  const visit = (path: string, trail: readonly string[]) => {
    if (state.get(path) === "done") return;
    if (state.get(path) === "open") {
      found.push([...trail.slice(trail.indexOf(path)), path]);
      return;
    }
    state.set(path, "open");
    for (const next of needs.get(path) ?? []) visit(next, [...trail, path]);
    state.set(path, "done");
  };
  for (const module of modules) visit(module.path, []);
  return found;
}
