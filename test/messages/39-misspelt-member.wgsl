struct Particle {
  position: vec3f,
  velocity: vec3f,
}

fn speed(p: Particle) -> f32 {
  return length(p.velocty);
}
