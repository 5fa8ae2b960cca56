// The largest of the positive floats with atomicMax on their bits: floats without a sign compare like unsigned integers.
//
// The guard looks at the bits, not at `value >= 0.0`: -0.0 passes that test, and as bits (0x80000000) it beats every
// positive number; a NaN (above 0x7f800000) beats even infinity, and an implementation may assume that there are none.
// The counter starts at 0, the bits of +0.0: it stands for "nothing above zero seen".
const INFINITY_BITS = 0x7f800000u;

@group(0) @binding(0) var<storage, read> values: array<f32>;
@group(0) @binding(1) var<storage, read_write> largest_bits: atomic<u32>;

@compute @workgroup_size(64)
fn find_largest(@builtin(global_invocation_id) id: vec3u) {
  if (id.x >= arrayLength(&values)) {
    return;
  }
  let bits = bitcast<u32>(values[id.x]);
  if (bits <= INFINITY_BITS) {
    atomicMax(&largest_bits, bits);
  }
}
