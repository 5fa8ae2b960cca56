/** Functions that touch memory: atomics, synchronisation, buffer views. */
import type { Uniformity } from "./row.ts";
import { type Attributes, type Entry, type Overload, section } from "./section.ts";

const NON_UNIFORM: Uniformity = { callSite: "none", result: "non-uniform", parameter: null };
const ATOMIC_WHERE = "where AS: storage|workgroup, T: i32|u32";

/** `parameters` follow the pointer to the atomic object. */
function atomic(anchor: string, parameters: string, result: string, attributes: Attributes = {}): Entry {
  const signature = `(atomic_ptr: ptr<AS, atomic<T>, read_write>${parameters})${result} ${ATOMIC_WHERE}`;
  return { spec: `#atomic-${anchor}`, evaluate: null, overloads: [signature], ...attributes };
}

/** Gives the value from before. */
function modifying(anchor: string): Entry {
  return atomic(anchor, ", v: T", " -> T");
}

/** spec: #atomic-builtin-functions */
export const ATOMIC = section(
  { stages: ["compute", "fragment"], memory: "reads-and-writes", uniformity: NON_UNIFORM },
  {
    atomicLoad: atomic("load", "", " -> T", { memory: "reads" }),
    atomicStore: atomic("store", ", v: T", "", { memory: "writes" }),
    atomicAdd: modifying("add"),
    atomicSub: modifying("sub"),
    atomicMax: modifying("max"),
    atomicMin: modifying("min"),
    atomicAnd: modifying("and"),
    atomicOr: modifying("or"),
    atomicXor: modifying("xor"),
    atomicExchange: modifying("exchange"),
    atomicCompareExchangeWeak: atomic(
      "compare-exchange-weak",
      ", cmp: T, v: T",
      " -> __atomic_compare_exchange_result<T>",
    ),
  },
);

/** spec: #uniformity-function-calls: no filter silences this. */
const BARRIER: Uniformity = { callSite: "error", result: "arguments", parameter: null };
const UNIFORM_LOAD: Uniformity = { callSite: "error", result: "uniform", parameter: 0 };

function barrier(name: string, attributes: Attributes = {}): Entry {
  return { spec: `#${name}-builtin`, evaluate: null, overloads: ["()"], ...attributes };
}

/** spec: #sync-builtin-functions */
export const SYNCHRONIZATION = section(
  { stages: ["compute"], memory: "barrier", uniformity: BARRIER },
  {
    storageBarrier: barrier("storageBarrier"),
    textureBarrier: barrier("textureBarrier", { requires: "readonly_and_readwrite_storage_textures" }),
    workgroupBarrier: barrier("workgroupBarrier"),
    workgroupUniformLoad: {
      spec: "#workgroupUniformLoad-builtin",
      evaluate: null,
      mustUse: true,
      uniformity: UNIFORM_LOAD,
      overloads: [
        "(p: ptr<workgroup, T>) -> T where T: concrete_constructible",
        "(p: ptr<workgroup, atomic<T>, read_write>) -> T where T: i32|u32",
      ],
    },
  },
);

const SPACES = "AS: storage|uniform|workgroup";

/** Each function is for buffers of known size and for runtime-sized ones. */
function ofBuffer(anchor: string, signature: (buffer: string) => string): Entry {
  return {
    spec: `#${anchor}-builtin`,
    evaluate: null,
    overloads: ["buffer", "buffer<N>"].map((buffer): Overload => signature(`p: ptr<AS, ${buffer}, AM>`)),
  };
}

/** spec: #buffer-view-builtin-functions */
export const BUFFER_VIEW = section(
  { mustUse: true, requires: "buffer_view" },
  {
    bufferView: ofBuffer(
      "bufferview",
      (p) => `<T>(${p}, offset: I) -> ptr<AS, T, AM> where ${SPACES}, T: buffer_viewable, I: u32|i32`,
    ),
    bufferArrayView: ofBuffer(
      "bufferarrayview",
      (p) =>
        `<T>(${p}, offset: OI, size: SI) -> ptr<AS, T, AM> where ${SPACES}, T: buffer_array_viewable, OI: u32|i32, SI: u32|i32`,
    ),
    bufferLength: ofBuffer("bufferlength", (p) => `(${p}) -> u32 where ${SPACES}`),
  },
);
