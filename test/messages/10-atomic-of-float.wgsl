var<workgroup> sum: atomic<f32>;
