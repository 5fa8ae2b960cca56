var<workgroup> count: atomic<u32>;

@compute @workgroup_size(64)
fn main() {
  let result = atomicCompareExchange(&count, 0u, 1u);
}
