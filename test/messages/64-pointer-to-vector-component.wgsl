fn double(p: ptr<function, f32>) {
  *p = *p * 2.0;
}

fn main_part() -> vec3f {
  var v = vec3f(1.0);
  double(&v.x);
  return v;
}
