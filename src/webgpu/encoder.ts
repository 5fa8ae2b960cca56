/** What all encoders have in common: a state, debug groups, and what they use. webgpu: #gpucommandsmixin */
import type { BindGroupObject } from "./bind-group.ts";
import type { BufferObject } from "./buffer.ts";
import type { Command } from "./commands.ts";
import { usvString } from "./idl/convert.ts";
import { needed, type Operation, operation } from "./idl/interface.ts";
import { InternalObject, nameOf } from "./object.ts";
import type { QuerySetObject } from "./query-set.ts";
import type { TextureObject } from "./texture.ts";

/** Resources that have to be there when commands are submitted. */
export class UsedResources {
  readonly buffers = new Set<BufferObject>();
  readonly textures = new Set<TextureObject>();
  readonly querySets = new Set<QuerySetObject>();
  readonly #groups = new Set<BindGroupObject>();

  addGroup(group: BindGroupObject): void {
    if (this.#groups.has(group)) return;
    this.#groups.add(group);
    for (const { resource } of group.entries) {
      if (!(resource instanceof InternalObject)) this.buffers.add(resource.buffer);
      else if (resource.kind === "texture view" && "texture" in resource) this.textures.add(resource.texture);
    }
  }

  addAll(other: UsedResources): void {
    for (const buffer of other.buffers) this.buffers.add(buffer);
    for (const texture of other.textures) this.textures.add(texture);
    for (const querySet of other.querySets) this.querySets.add(querySet);
  }
}

export abstract class EncoderObject extends InternalObject {
  /** The interface, for messages. */
  abstract readonly interfaceName: string;
  /** webgpu: #encoder-state */
  state: "open" | "locked" | "ended" = "open";
  readonly commands: Command[] = [];
  readonly used = new UsedResources();
  readonly debugGroups: string[] = [];

  /** Whether a command may be encoded now. webgpu: #abstract-opdef-validate-the-encoder-state */
  canEncode(operation: string): boolean {
    if (this.state === "open") return true;
    const what = `${this.interfaceName}.${operation}`;
    if (this.state === "ended") this.device.validationError(`${what}: the ${nameOf(this)} has ended`);
    else this.invalidate(`${what}: a pass of the ${nameOf(this)} is open; end() it first`);
    return false;
  }

  /** Encodes a command, or makes the encoder invalid where something is wrong with it. */
  encode(operation: string, problem: () => string | null, run: () => void): void {
    if (!this.canEncode(operation)) return;
    const found = problem();
    if (found === null) run();
    else this.invalidate(`${this.interfaceName}.${operation}: ${found}`);
  }

  get openGroupProblem(): string | null {
    const open = this.debugGroups.at(-1);
    return open === undefined ? null : `the debug group ‘${open}’ was not popped`;
  }
}

/** webgpu: #gpudebugcommandsmixin */
export const DEBUG_COMMANDS: Readonly<Record<string, Operation<EncoderObject>>> = {
  pushDebugGroup: operation([needed(usvString)], (encoder, label) =>
    encoder.encode(
      "pushDebugGroup()",
      () => null,
      () => encoder.debugGroups.push(label),
    ),
  ),
  popDebugGroup: operation([], (encoder) =>
    encoder.encode(
      "popDebugGroup()",
      () => (encoder.debugGroups.length > 0 ? null : "there is no debug group to pop"),
      () => encoder.debugGroups.pop(),
    ),
  ),
  insertDebugMarker: operation([needed(usvString)], (encoder) => {
    encoder.canEncode("insertDebugMarker()");
  }),
};
