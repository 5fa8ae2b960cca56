/** The namespaces of bits. webgpu: #buffer-usage, #texture-usage */
import { defineNamespace } from "./idl/interface.ts";

export const GPUBufferUsage = defineNamespace("GPUBufferUsage", {
  MAP_READ: 0x0001,
  MAP_WRITE: 0x0002,
  COPY_SRC: 0x0004,
  COPY_DST: 0x0008,
  INDEX: 0x0010,
  VERTEX: 0x0020,
  UNIFORM: 0x0040,
  STORAGE: 0x0080,
  INDIRECT: 0x0100,
  QUERY_RESOLVE: 0x0200,
});

export const GPUMapMode = defineNamespace("GPUMapMode", { READ: 0x0001, WRITE: 0x0002 });

export const GPUTextureUsage = defineNamespace("GPUTextureUsage", {
  COPY_SRC: 0x01,
  COPY_DST: 0x02,
  TEXTURE_BINDING: 0x04,
  STORAGE_BINDING: 0x08,
  RENDER_ATTACHMENT: 0x10,
  TRANSIENT_ATTACHMENT: 0x20,
});

export const GPUShaderStage = defineNamespace("GPUShaderStage", { VERTEX: 0x1, FRAGMENT: 0x2, COMPUTE: 0x4 });

export const GPUColorWrite = defineNamespace("GPUColorWrite", {
  RED: 0x1,
  GREEN: 0x2,
  BLUE: 0x4,
  ALPHA: 0x8,
  ALL: 0xf,
});

/** `COPY_SRC | STORAGE`; unknown bits in hexadecimal. */
export function flagNames(value: number, namespace: Readonly<Record<string, number>>): string {
  const names = Object.getOwnPropertyNames(namespace).filter((name) => (value & namespace[name]) === namespace[name]);
  const unknown = names.reduce((left, name) => left & ~namespace[name], value) >>> 0;
  if (unknown !== 0) names.push(`0x${unknown.toString(16)}`);
  return names.length === 0 ? "0" : names.join(" | ");
}

/** All bits that have a name. */
export function allFlags(namespace: Readonly<Record<string, number>>): number {
  return Object.getOwnPropertyNames(namespace).reduce((bits, name) => bits | namespace[name], 0);
}
