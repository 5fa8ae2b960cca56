fn flip(color: vec4f) -> vec4f {
  var result = color;
  result.xy = result.yx;
  return result;
}
