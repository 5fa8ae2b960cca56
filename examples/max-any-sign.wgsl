// The largest float of any sign, with atomicMax on a key whose unsigned order is the order of the floats: of a negative
// number all bits are flipped (so that the larger magnitude becomes the smaller key), of the others the sign bit only.
//
// Key 0 belongs to no number (it would be a NaN), so "nothing seen" needs no second variable. Starting from the key of
// 0.0 instead would be wrong as soon as all numbers are negative, as they are here.
const SIGN = 0x80000000u;
const INFINITY_BITS = 0x7f800000u;
const NOTHING = 0u;

@group(0) @binding(0) var<storage, read> values: array<f32>;
@group(0) @binding(1) var<storage, read_write> largest_key: atomic<u32>;
@group(0) @binding(2) var<storage, read_write> largest: f32;

fn key_of_bits(bits: u32) -> u32 {
  return select(bits | SIGN, ~bits, (bits & SIGN) != 0u);
}

fn bits_of_key(key: u32) -> u32 {
  return select(~key, key & ~SIGN, (key & SIGN) != 0u);
}

@compute @workgroup_size(64)
fn find_largest(@builtin(global_invocation_id) id: vec3u) {
  if (id.x >= arrayLength(&values)) {
    return;
  }
  let bits = bitcast<u32>(values[id.x]);
  let is_nan = (bits & ~SIGN) > INFINITY_BITS;
  if (!is_nan) {
    atomicMax(&largest_key, key_of_bits(bits));
  }
}

// Left as the host filled it if there was no number at all.
@compute @workgroup_size(1)
fn finish() {
  let key = atomicLoad(&largest_key);
  if (key != NOTHING) {
    largest = bitcast<f32>(bits_of_key(key));
  }
}
