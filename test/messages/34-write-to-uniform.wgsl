@group(0) @binding(0) var<uniform> scale: f32;

@compute @workgroup_size(1)
fn main() {
  scale = 2.0;
}
