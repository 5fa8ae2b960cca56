fn double(p: ptr<function, f32>) {
  *p = *p * 2.0;
}

fn main_part() -> f32 {
  var v = 1.0;
  double(v);
  return v;
}
