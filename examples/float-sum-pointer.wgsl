// The float sum once more as a function for any accumulator. A pointer into storage or workgroup memory as a parameter is
// a language feature that not every browser has: the directive turns a strange error into a clear one.
requires unrestricted_pointer_parameters;

struct Sums {
  positive: atomic<u32>,  // both are the bits of an f32
  negative: atomic<u32>,
}

@group(0) @binding(0) var<storage, read> values: array<f32>;
@group(0) @binding(1) var<storage, read_write> sums: Sums;
@group(0) @binding(2) var<storage, read_write> total: vec2f;

fn atomic_add_f32(sum: ptr<storage, atomic<u32>, read_write>, value: f32) {
  var seen = atomicLoad(sum);
  loop {
    let attempt = atomicCompareExchangeWeak(sum, seen, bitcast<u32>(bitcast<f32>(seen) + value));
    if (attempt.exchanged) {
      break;
    }
    seen = attempt.old_value;
  }
}

@compute @workgroup_size(64)
fn add_all(@builtin(global_invocation_id) id: vec3u) {
  if (id.x >= arrayLength(&values)) {
    return;
  }
  let value = values[id.x];
  if (value > 0.0) {
    atomic_add_f32(&sums.positive, value);
  } else {
    atomic_add_f32(&sums.negative, value);
  }
}

@compute @workgroup_size(1)
fn finish() {
  total = vec2f(bitcast<f32>(atomicLoad(&sums.positive)), bitcast<f32>(atomicLoad(&sums.negative)));
}
