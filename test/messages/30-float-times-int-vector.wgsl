fn position(id: vec3u) -> vec3f {
  return id * 0.5;
}
