fn brightest(texture: vec3f, sampler: vec3f) -> vec3f {
  let target = max(texture, sampler);
  return target;
}
