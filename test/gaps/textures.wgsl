// right: run
@group(0) @binding(0) var t: texture_2d<f32>;
@group(0) @binding(1) var<storage, read_write> out: vec4f;
@compute @workgroup_size(1) fn main() { out = textureLoad(t, vec2u(0u), 0); }
