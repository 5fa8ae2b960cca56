/** Module-scope declarations in order: what is used comes before its user. spec: #declaration-and-scope */
import { note } from "../diagnostics/diagnostic.ts";
import { listOf } from "../text/list.ts";
import { type Span, span } from "../text/source.ts";
import type { Context, ModuleDeclaration } from "./context.ts";

/** A declaration among the others of its module. */
export class Dependent {
  readonly declaration: ModuleDeclaration;
  /** Of the declaration among all of the module. */
  readonly index: number;
  /** What it mentions, each once, where it does so first. Most mention little: lists would be longer than what is in them. */
  firstMention: Mention | null = null;
  lastMention: Mention | null = null;
  /** Open: what it mentions is being looked at. */
  state: "new" | "open" | "done" = "new";
  /** Who was the last to mention it. */
  mentionedBy: Dependent | null = null;
  /** Of whose uses it was found last to be one: see `static-access.ts`. */
  usedBy: Dependent | null = null;

  constructor(declaration: ModuleDeclaration, index: number) {
    this.declaration = declaration;
    this.index = index;
  }
}

class Mention {
  readonly of: Dependent;
  /** Where the name starts. */
  readonly at: number;
  next: Mention | null = null;

  constructor(of: Dependent, at: number) {
    this.of = of;
    this.at = at;
  }

  get span(): Span {
    return span(this.at, this.at + this.of.declaration.name.text.length);
  }
}

/** The first mention counts. */
export function mention(by: Dependent, of: Dependent, at: number): void {
  if (of.mentionedBy === by) return;
  of.mentionedBy = by;
  const mention = new Mention(of, at);
  if (by.lastMention === null) by.firstMention = mention;
  else by.lastMention.next = mention;
  by.lastMention = mention;
}

/**
 * Declarations may stand in any order, so each waits for what it mentions: `enter` finds that out, `leave` has all of it
 * before. Depth-first, without recursion: chains of declarations may be long. A mention of what is still open closes a
 * cycle: it is reported and then ignored.
 */
export function visitInOrder(
  context: Context,
  dependents: readonly Dependent[],
  enter: (dependent: Dependent) => void,
  leave: (dependent: Dependent) => void,
): void {
  const path: Dependent[] = listOf();
  /** For each on the path, which of its mentions is to be followed next. */
  const following: (Mention | null)[] = listOf();
  const open = (dependent: Dependent): void => {
    dependent.state = "open";
    enter(dependent);
    path.push(dependent);
    following.push(dependent.firstMention);
  };
  for (const root of dependents) {
    if (root.state === "new") open(root);
    while (path.length > 0) {
      const last = path.length - 1;
      const mention = following[last];
      if (mention === null) {
        following.pop();
        const done = path.pop()!;
        done.state = "done";
        leave(done);
        continue;
      }
      following[last] = mention.next;
      if (mention.of.state === "new") open(mention.of);
      else if (mention.of.state === "open") reportCycle(context, path, mention);
    }
  }
}

/** No declaration may depend on itself. spec: #declaration-and-scope */
function reportCycle(context: Context, path: readonly Dependent[], closing: Mention): void {
  const cycle = path.slice(path.indexOf(closing.of));
  const steps = cycle.map(({ declaration, firstMention }, index) => {
    const next = cycle[(index + 1) % cycle.length];
    let mention = firstMention!;
    while (mention.of !== next) mention = mention.next!;
    const names = { name: declaration.name.text, target: next.declaration.name.text };
    return note("mentions-here", mention.span, names);
  });
  const { text: name, span } = closing.of.declaration.name;
  const code = cycle.every(({ declaration }) => declaration.kind === "function")
    ? "recursive-function"
    : "declaration-cycle";
  context.diagnostics.report(
    code,
    closing.span,
    { name },
    { notes: [note("declared-here", span, { name }), ...(cycle.length > 1 ? steps.slice(0, 10) : [])] },
  );
}
