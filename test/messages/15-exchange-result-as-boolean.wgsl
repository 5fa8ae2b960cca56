var<workgroup> owner: atomic<u32>;

@compute @workgroup_size(64)
fn main() {
  loop {
    if (atomicCompareExchangeWeak(&owner, 0u, 1u)) {
      break;
    }
  }
}
