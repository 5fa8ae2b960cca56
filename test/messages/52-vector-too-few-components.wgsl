fn color(rg: vec2f) -> vec4f {
  return vec4f(rg, 1.0);
}
