override size = 64u;
var<private> samples: array<f32, size>;
