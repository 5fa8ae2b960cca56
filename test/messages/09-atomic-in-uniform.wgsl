struct Params {
  limit: atomic<u32>,
}
@group(0) @binding(0) var<uniform> params: Params;
