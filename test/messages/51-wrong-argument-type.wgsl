fn shade(normal: vec3f, light: vec2f) -> f32 {
  return dot(normal, light);
}
