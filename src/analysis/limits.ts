/** spec: #limits */
export const MAX_STRUCT_MEMBERS = 1023;
export const MAX_NESTING_DEPTH = 15;
export const MAX_PARAMETERS = 255;
export const MAX_CASE_SELECTORS = 1023;
export const MAX_ARRAY_CONSTRUCTOR_ELEMENTS = 2047;
/** WebGPU: maxComputeWorkgroupStorageSize. */
export const MAX_WORKGROUP_BYTES = 16384;
/** WebGPU: maxImmediateSize. */
export const MAX_IMMEDIATE_BYTES = 64;
/** Elements of an array that lies in no buffer: beyond this we do not go, as the specification lets us. */
export const MAX_VALUE_ELEMENTS = 65535;
/** No type takes more bytes than its offsets, which are u32, can count. */
export const MAX_TYPE_BYTES = 0xffff_ffff;
