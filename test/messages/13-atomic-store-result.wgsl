var<workgroup> count: atomic<u32>;

@compute @workgroup_size(64)
fn main() {
  let before = atomicStore(&count, 0u);
}
