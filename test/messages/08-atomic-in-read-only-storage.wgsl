@group(0) @binding(0) var<storage, read> count: atomic<u32>;
@group(0) @binding(1) var<storage, read_write> result: u32;

@compute @workgroup_size(1)
fn main() {
  result = atomicLoad(&count);
}
