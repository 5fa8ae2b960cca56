/** What the page tells an editor state: colours, accesses of a finding, shared memory. */
import { StateEffect } from "@codemirror/state";
import type { NonUniformRange, SharedMemory, Token } from "halay/ide";
import type { Marked } from "../state/store.ts";

export const setTokens = StateEffect.define<readonly Token[]>();
export const setMarked = StateEffect.define<readonly Marked[]>();
export const setMemory = StateEffect.define<SharedMemory | null>();
export const setNonUniform = StateEffect.define<readonly NonUniformRange[]>();
