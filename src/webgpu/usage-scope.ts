/** How resources are used at the same time. webgpu: #programming-model-synchronization */
import type { BufferObject } from "./buffer.ts";
import { type Named, nameOf } from "./object.ts";
import type { TextureViewObject } from "./texture-view.ts";

/** webgpu: #programming-model-resource-usages */
export type Usage = "input" | "constant" | "storage" | "storage-read" | "attachment" | "attachment-read";

const READS: ReadonlySet<Usage> = new Set<Usage>(["input", "constant", "storage-read", "attachment-read"]);

/** webgpu: #usage-scope */
export class UsageScope {
  readonly #buffers = new Map<BufferObject, Set<Usage>>();
  readonly #textures = new Map<Named, Map<string, Set<Usage>>>();

  /** webgpu: #abstract-opdef-usage-scope-add */
  addBuffer(buffer: BufferObject, usage: Usage): void {
    const usages = this.#buffers.get(buffer);
    if (usages === undefined) this.#buffers.set(buffer, new Set([usage]));
    else usages.add(usage);
  }

  addView(view: TextureViewObject, usage: Usage): void {
    const known = this.#textures.get(view.texture) ?? new Map<string, Set<Usage>>();
    this.#textures.set(view.texture, known);
    for (const key of view.subresources) {
      const usages = known.get(key);
      if (usages === undefined) known.set(key, new Set([usage]));
      else usages.add(usage);
    }
  }

  /** Why these usages do not go together; null: they do. webgpu: #usage-scope-validation */
  get problem(): string | null {
    for (const [buffer, usages] of this.#buffers) {
      if (!isCompatible(usages)) return problemOf(buffer, usages);
    }
    for (const [texture, parts] of this.#textures) {
      for (const usages of parts.values()) if (!isCompatible(usages)) return problemOf(texture, usages);
    }
    return null;
  }
}

/** webgpu: #compatible-usage-list */
function isCompatible(usages: ReadonlySet<Usage>): boolean {
  return usages.size === 1 || [...usages].every((usage) => READS.has(usage));
}

const WORDS: Readonly<Record<Usage, string>> = {
  input: "indirect parameters",
  constant: "a constant",
  storage: "writable storage",
  "storage-read": "read-only storage",
  attachment: "an attachment",
  "attachment-read": "a read-only attachment",
};

function problemOf(object: Named, usages: ReadonlySet<Usage>): string {
  const words = [...usages].map((usage) => WORDS[usage]).join(" and as ");
  return `the ${nameOf(object)} is used as ${words} at the same time: what is written is used as that alone`;
}
