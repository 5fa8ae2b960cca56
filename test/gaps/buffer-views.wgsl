// right: run
@group(0) @binding(0) var<storage, read_write> data: buffer<16>;
@compute @workgroup_size(1) fn main() { *bufferView<u32>(&data, 4u) = 7u; }
