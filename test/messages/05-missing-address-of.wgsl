@group(0) @binding(0) var<storage, read_write> count: atomic<u32>;

@compute @workgroup_size(64)
fn main() {
  atomicAdd(count, 1u);
}
