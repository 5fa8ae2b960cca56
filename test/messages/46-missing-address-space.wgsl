@group(0) @binding(0) var data: array<u32, 4>;
