var<private> samples: array;

fn first() -> f32 {
  return samples[0];
}
