/**
 * The worker, of which the page keeps two: one answers while somebody types, the other runs shaders and may be ended at
 * any time; an export has one for itself. What only some calls need is loaded when they are first made.
 */
import type { CallMessage, Calls, Method, Progress, ReplyMessage, Report } from "./protocol.ts";
import { inspect } from "./services.ts";

type Handlers = {
  readonly [M in Method]: (
    input: Calls[M][0],
    progress: (progress: Progress) => void,
  ) => Calls[M][1] | Promise<Calls[M][1]>;
};

const more = () => import("./more-services.ts");
const executing = () => import("./execute.ts");

const handlers: Handlers = {
  inspect,
  inspectLaunch: async (input) => (await more()).inspectLaunch(input),
  typescript: async (input) => (await more()).typescript(input),
  hover: async (input) => (await more()).hoverAt(input),
  definition: async (input) => (await more()).definitionAt(input),
  references: async (input) => (await more()).referencesAt(input),
  rename: async (input) => (await more()).renameAt(input),
  completions: async (input) => (await more()).completionsAt(input),
  signatureHelp: async (input) => (await more()).signatureHelpAt(input),
  nonUniformFlow: async (input) => (await more()).nonUniformFlowOf(input),
  warmUp: async () => (await executing()).warmUp(),
  execute: async (input, progress) => (await executing()).execute(input, progress),
  exportBuffer: async (input) => (await more()).exportBuffer(input),
  say: async (input) => (await more()).say(input),
};

const scope = globalThis as unknown as {
  onmessage: ((event: MessageEvent<CallMessage>) => void) | null;
  postMessage(message: ReplyMessage, transfer?: readonly ArrayBuffer[]): void;
};

/** What was read back is handed over, not copied once more. */
function transferred(value: unknown): readonly ArrayBuffer[] {
  const { buffers = [] } = (value ?? {}) as Partial<Report>;
  return buffers.map(({ bytes }) => bytes.buffer as ArrayBuffer);
}

scope.onmessage = async ({ data: { id, method, input } }) => {
  const progress = (step: Progress) => scope.postMessage({ kind: "progress", id, progress: step });
  try {
    const handler = handlers[method] as (input: unknown, progress: (step: Progress) => void) => unknown;
    const value = await handler(input, progress);
    scope.postMessage({ kind: "result", id, value }, transferred(value));
  } catch (error) {
    scope.postMessage({ kind: "failure", id, message: error instanceof Error ? error.message : String(error) });
  }
};
