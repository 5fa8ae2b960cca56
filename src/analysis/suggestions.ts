/** Near names for a name that is not declared, and what names of other shading languages are called in WGSL. */

/** Longest name that is compared; longer ones get no suggestion. */
const LONGEST = 40;

/** The name in `names` that is nearest to `wrong`, if it is near enough to be meant. */
export function nearestName(wrong: string, names: Iterable<string>): string | null {
  if (wrong.length > LONGEST || wrong.length < 2) return null;
  let limit = Math.max(1, Math.floor(wrong.length / 3));
  let nearest: string | null = null;
  for (const name of names) {
    if (name === wrong || Math.abs(name.length - wrong.length) > limit) continue;
    const distance = editDistance(wrong, name, limit);
    if (distance < limit || (distance === limit && nearest === null)) {
      nearest = name;
      limit = distance;
    }
  }
  return nearest;
}

/**
 * Insertions, deletions, replacements and exchanges of neighbours that make `a` into `b`; a change of case alone counts
 * half. More than `limit`: Infinity.
 */
function editDistance(a: string, b: string, limit: number): number {
  if (a.toLowerCase() === b.toLowerCase()) return 0.5;
  let before: number[] = [];
  let previous = Array.from({ length: b.length + 1 }, (_, column) => column);
  for (let row = 1; row <= a.length; row++) {
    const current = [row];
    let least = row;
    for (let column = 1; column <= b.length; column++) {
      const same = a[row - 1] === b[column - 1];
      let cost = Math.min(previous[column] + 1, current[column - 1] + 1, previous[column - 1] + (same ? 0 : 1));
      if (row > 1 && column > 1 && a[row - 1] === b[column - 2] && a[row - 2] === b[column - 1]) {
        cost = Math.min(cost, before[column - 2] + 1);
      }
      current.push(cost);
      least = Math.min(least, cost);
    }
    if (least > limit) return Infinity;
    before = previous;
    previous = current;
  }
  return previous[b.length] <= limit ? previous[b.length] : Infinity;
}

/** Names of GLSL, HLSL, Metal, C and Rust, by what WGSL has in their place. */
const FOREIGN: Readonly<Record<string, string>> = {
  float: "f32",
  float1: "f32",
  float2: "vec2f",
  float3: "vec3f",
  float4: "vec4f",
  float16_t: "f16",
  half: "f16",
  half2: "vec2h",
  half3: "vec3h",
  half4: "vec4h",
  double: "f32 (there are no 64-bit types)",
  f64: "f32 (there are no 64-bit types)",
  i64: "i32 (there are no 64-bit types)",
  u64: "u32 (there are no 64-bit types)",
  long: "i32 (there are no 64-bit types)",
  int: "i32",
  int2: "vec2i",
  int3: "vec3i",
  int4: "vec4i",
  int32_t: "i32",
  uint: "u32",
  uint2: "vec2u",
  uint3: "vec3u",
  uint4: "vec4u",
  uint32_t: "u32",
  unsigned: "u32",
  usize: "u32",
  size_t: "u32",
  char: "u32 (there are no 8-bit types)",
  u8: "u32 (there are no 8-bit types)",
  i8: "i32 (there are no 8-bit types)",
  u16: "u32 (there are no 16-bit integers)",
  i16: "i32 (there are no 16-bit integers)",
  bool2: "vec2<bool>",
  bool3: "vec3<bool>",
  bool4: "vec4<bool>",
  boolean: "bool",
  ivec2: "vec2i",
  ivec3: "vec3i",
  ivec4: "vec4i",
  uvec2: "vec2u",
  uvec3: "vec3u",
  uvec4: "vec4u",
  bvec2: "vec2<bool>",
  bvec3: "vec3<bool>",
  bvec4: "vec4<bool>",
  mat2: "mat2x2f",
  mat3: "mat3x3f",
  mat4: "mat4x4f",
  float2x2: "mat2x2f",
  float3x3: "mat3x3f",
  float4x4: "mat4x4f",
  void: "no return type at all",
  atomic_int: "atomic<i32>",
  atomic_uint: "atomic<u32>",
  sampler2D: "a texture_2d<f32> and a sampler",
  sampler3D: "a texture_3d<f32> and a sampler",
  samplerCube: "a texture_cube<f32> and a sampler",
  image2D: "texture_storage_2d",
  Texture2D: "texture_2d",
  Texture3D: "texture_3d",
  TextureCube: "texture_cube",
  RWTexture2D: "texture_storage_2d",
  SamplerState: "sampler",
  StructuredBuffer: "var<storage> name: array<T>",
  RWStructuredBuffer: "var<storage, read_write> name: array<T>",
  ByteAddressBuffer: "var<storage> name: array<u32>",
  RWByteAddressBuffer: "var<storage, read_write> name: array<u32>",
  lerp: "mix",
  frac: "fract",
  mod: "the operator %",
  fmod: "the operator %",
  mul: "the operator *",
  saturatef: "saturate",
  rsqrt: "inverseSqrt",
  inversesqrt: "inverseSqrt",
  atan2f: "atan2",
  sqrtf: "sqrt",
  sinf: "sin",
  cosf: "cos",
  fabs: "abs",
  powf: "pow",
  ddx: "dpdx",
  ddy: "dpdy",
  dFdx: "dpdx",
  dFdy: "dpdy",
  ddx_fine: "dpdxFine",
  ddy_fine: "dpdyFine",
  faceforward: "faceForward",
  asint: "bitcast<i32>",
  asuint: "bitcast<u32>",
  asfloat: "bitcast<f32>",
  floatBitsToInt: "bitcast<i32>",
  floatBitsToUint: "bitcast<u32>",
  intBitsToFloat: "bitcast<f32>",
  uintBitsToFloat: "bitcast<f32>",
  as_type: "bitcast",
  bitCount: "countOneBits",
  countbits: "countOneBits",
  popcount: "countOneBits",
  firstbithigh: "firstLeadingBit",
  firstbitlow: "firstTrailingBit",
  findMSB: "firstLeadingBit",
  findLSB: "firstTrailingBit",
  clz: "countLeadingZeros",
  ctz: "countTrailingZeros",
  reversebits: "reverseBits",
  bitfieldReverse: "reverseBits",
  bitfieldExtract: "extractBits",
  bitfieldInsert: "insertBits",
  texture: "textureSample",
  texture2D: "textureSample",
  textureCube: "textureSample",
  textureLod: "textureSampleLevel",
  textureGrad: "textureSampleGrad",
  texelFetch: "textureLoad",
  textureSize: "textureDimensions",
  imageLoad: "textureLoad",
  imageStore: "textureStore",
  imageSize: "textureDimensions",
  barrier: "workgroupBarrier",
  __syncthreads: "workgroupBarrier",
  GroupMemoryBarrierWithGroupSync: "workgroupBarrier",
  GroupMemoryBarrier: "workgroupBarrier",
  DeviceMemoryBarrier: "storageBarrier",
  DeviceMemoryBarrierWithGroupSync: "storageBarrier",
  AllMemoryBarrierWithGroupSync: "storageBarrier and workgroupBarrier",
  threadgroup_barrier: "workgroupBarrier",
  memoryBarrier: "storageBarrier",
  memoryBarrierShared: "workgroupBarrier",
  memoryBarrierBuffer: "storageBarrier",
  groupMemoryBarrier: "workgroupBarrier",
  InterlockedAdd: "atomicAdd",
  InterlockedAnd: "atomicAnd",
  InterlockedOr: "atomicOr",
  InterlockedXor: "atomicXor",
  InterlockedMin: "atomicMin",
  InterlockedMax: "atomicMax",
  InterlockedExchange: "atomicExchange",
  InterlockedCompareExchange: "atomicCompareExchangeWeak",
  atomicCompSwap: "atomicCompareExchangeWeak",
  atomicCAS: "atomicCompareExchangeWeak",
  atomicCompareExchange: "atomicCompareExchangeWeak",
  atomicCompareExchangeStrong: "atomicCompareExchangeWeak",
  atomicExch: "atomicExchange",
  atomicInc: "atomicAdd with 1",
  atomicDec: "atomicSub with 1",
  atomic_fetch_add: "atomicAdd",
  atomic_fetch_add_explicit: "atomicAdd",
  atomic_fetch_sub_explicit: "atomicSub",
  atomic_fetch_max_explicit: "atomicMax",
  atomic_fetch_min_explicit: "atomicMin",
  atomic_load_explicit: "atomicLoad",
  atomic_store_explicit: "atomicStore",
  atomic_exchange_explicit: "atomicExchange",
  atomic_compare_exchange_weak_explicit: "atomicCompareExchangeWeak",
  WaveActiveSum: "subgroupAdd",
  WaveActiveMax: "subgroupMax",
  WaveActiveMin: "subgroupMin",
  WaveReadLaneFirst: "subgroupBroadcastFirst",
  WavePrefixSum: "subgroupExclusiveAdd",
  gl_GlobalInvocationID: "a parameter with @builtin(global_invocation_id)",
  gl_LocalInvocationID: "a parameter with @builtin(local_invocation_id)",
  gl_LocalInvocationIndex: "a parameter with @builtin(local_invocation_index)",
  gl_WorkGroupID: "a parameter with @builtin(workgroup_id)",
  gl_NumWorkGroups: "a parameter with @builtin(num_workgroups)",
  gl_WorkGroupSize: "the constants of @workgroup_size",
  gl_Position: "a result with @builtin(position)",
  gl_FragCoord: "a parameter with @builtin(position)",
  gl_FragDepth: "a result with @builtin(frag_depth)",
  gl_FragColor: "a result with @location(0)",
  gl_VertexID: "a parameter with @builtin(vertex_index)",
  gl_VertexIndex: "a parameter with @builtin(vertex_index)",
  gl_InstanceID: "a parameter with @builtin(instance_index)",
  gl_InstanceIndex: "a parameter with @builtin(instance_index)",
  gl_FrontFacing: "a parameter with @builtin(front_facing)",
  gl_SubgroupSize: "a parameter with @builtin(subgroup_size)",
  gl_SubgroupInvocationID: "a parameter with @builtin(subgroup_invocation_id)",
  threadIdx: "a parameter with @builtin(local_invocation_id)",
  blockIdx: "a parameter with @builtin(workgroup_id)",
  gridDim: "a parameter with @builtin(num_workgroups)",
  global_invocation_id: "a parameter with @builtin(global_invocation_id)",
  local_invocation_id: "a parameter with @builtin(local_invocation_id)",
  local_invocation_index: "a parameter with @builtin(local_invocation_index)",
  workgroup_id: "a parameter with @builtin(workgroup_id)",
  num_workgroups: "a parameter with @builtin(num_workgroups)",
  push_constant: "immediate",
  readonly: "read",
  writeonly: "write",
  readwrite: "read_write",
  shared: "workgroup",
  groupshared: "workgroup",
  threadgroup: "workgroup",
  NULL: "(there are no null pointers)",
  printf: "(there is no output from a shader but buffers)",
  debugPrintfEXT: "(there is no output from a shader but buffers)",
};

/** What WGSL has in place of a name of another shading language; null where there is none known. */
export function foreignName(name: string): string | null {
  return Object.hasOwn(FOREIGN, name) ? FOREIGN[name] : null;
}
