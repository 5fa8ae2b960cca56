/** What the page tells an editor state: colours, accesses of a finding, shared memory. */
import { StateEffect } from "@codemirror/state";
import type { NonUniformRange, SharedMemory, Token } from "halay/ide";

/** One access of a finding, where it is now. */
export interface Mark {
  readonly from: number;
  readonly to: number;
  readonly role: "first" | "second";
  readonly label: string;
}

export const setTokens = StateEffect.define<readonly Token[]>();
export const setMarked = StateEffect.define<readonly Mark[]>();
export const setMemory = StateEffect.define<SharedMemory | null>();
export const setNonUniform = StateEffect.define<readonly NonUniformRange[]>();
