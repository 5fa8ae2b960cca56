/** The patterns of a `.gitignore`, as far as they tell which files and folders to leave out. */

interface Pattern {
  readonly matches: RegExp;
  readonly negated: boolean;
  readonly folderOnly: boolean;
}

/** Tells whether a path below the folder of the `.gitignore` is ignored; null: it says nothing of it. */
export type Ignores = (path: string, isFolder: boolean) => boolean | null;

export function parseIgnore(text: string): Ignores {
  const patterns = text.split(/\r?\n/).flatMap(parsePattern);
  return (path, isFolder) => {
    const last = patterns.findLast((pattern) => (isFolder || !pattern.folderOnly) && pattern.matches.test(path));
    return last === undefined ? null : !last.negated;
  };
}

function parsePattern(line: string): Pattern[] {
  const trimmed = line.replace(/(?<!\\)\s+$/, "");
  if (trimmed === "" || trimmed.startsWith("#")) return [];
  const negated = trimmed.startsWith("!");
  const body = negated ? trimmed.slice(1) : trimmed;
  const folderOnly = body.endsWith("/");
  const glob = body.replace(/\/$/, "");
  // A slash inside ties the pattern to the folder of the file; without one it holds at any depth.
  const tied = glob.includes("/");
  const expression = globExpression(glob.replace(/^\//, ""));
  try {
    return [{ matches: new RegExp(`^${tied ? "" : "(?:.*/)?"}${expression}$`), negated, folderOnly }];
  } catch {
    return [];
  }
}

function globExpression(glob: string): string {
  return glob.replace(/\*\*\/|\/\*\*$|\*\*|\*|\?|\[!?[^\]]+\]|\\.|[.+^${}()|[\]\\/]/g, (part) => {
    if (part === "**/") return "(?:.*/)?";
    if (part === "/**") return "/.*";
    if (part === "**") return ".*";
    if (part === "*") return "[^/]*";
    if (part === "?") return "[^/]";
    if (part.length > 2 && part.startsWith("[")) return part.replace(/^\[!/, "[^");
    return part.length === 2 && part.startsWith("\\") ? part : `\\${part}`;
  });
}
