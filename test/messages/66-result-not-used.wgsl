fn normalized(v: vec3f) -> vec3f {
  normalize(v);
  return v;
}
