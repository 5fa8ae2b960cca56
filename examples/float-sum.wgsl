// WGSL has no atomic f32: add in the float world, exchange in the bit world, try again if somebody was faster.
// The variable is named in the function, so this needs no language feature; with a pointer: float-sum-pointer.wgsl.
@group(0) @binding(0) var<storage, read> values: array<f32>;
@group(0) @binding(1) var<storage, read_write> total_bits: atomic<u32>;  // an f32; all bits zero is 0.0
@group(0) @binding(2) var<storage, read_write> total: f32;

fn add_to_total(value: f32) {
  var seen = atomicLoad(&total_bits);
  loop {
    let wanted = bitcast<u32>(bitcast<f32>(seen) + value);
    // Weak: it may fail although the bits agree. The bits are compared, not the floats, so a NaN does not loop forever.
    let attempt = atomicCompareExchangeWeak(&total_bits, seen, wanted);
    if (attempt.exchanged) {
      break;
    }
    seen = attempt.old_value;
  }
}

// The order of the additions is left to chance. It does not show here because every partial sum is a whole number below
// 2^24, which f32 holds exactly; in general the last bits differ from run to run.
@compute @workgroup_size(64)
fn add_all(@builtin(global_invocation_id) id: vec3u) {
  if (id.x < arrayLength(&values)) {
    add_to_total(values[id.x]);
  }
}

@compute @workgroup_size(1)
fn finish() {
  total = bitcast<f32>(atomicLoad(&total_bits));
}
