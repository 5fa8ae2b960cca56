// What the host writes by member name, the shader must find, and the other way round. The struct has all that makes
// hand-written layouts go wrong; launch and comments state the byte offsets that host code has to use.
struct Pose {         // size 16
  position: vec3f,    //  0: aligned to 16, but 12 bytes long ...
  angle: f32,         // 12: ... so a scalar fits behind it
}

struct Body {           // size 112, the stride of an array of them; aligned to 16 like its widest member
  pose: Pose,           //   0
  velocity: vec3f,      //  16
  tags: array<u32, 3>,  //  28: directly behind the vec3f; stride 4
  axes: mat3x3f,        //  48: three columns, 16 bytes apart, 12 bytes used of each
  flags: vec2u,         //  96
  mass: f32,            // 104, then 4 bytes of padding
}

struct Settings {              // size 64
  gain: f32,                   //  0
  offset: vec3f,               // 16, not 4
  weights: array<vec4f, 2>,    // 32; in a uniform buffer the stride must be a multiple of 16
}

@group(0) @binding(0) var<uniform> settings: Settings;
@group(0) @binding(1) var<storage, read> bodies: array<Body>;
@group(0) @binding(2) var<storage, read_write> copies: array<Body>;
@group(0) @binding(3) var<storage, read_write> probes: array<vec4f>;

@compute @workgroup_size(4)
fn round_trip(@builtin(global_invocation_id) id: vec3u) {
  if (id.x >= arrayLength(&bodies)) {
    return;
  }
  let body = bodies[id.x];
  copies[id.x] = body;
  // Each of these is wrong if one offset is.
  probes[id.x] = vec4f(
    settings.gain * body.pose.angle + settings.offset.z,
    body.velocity.z + body.mass,
    f32(body.tags[2] + body.flags.y),
    dot(settings.weights[1].xyz, body.axes[2]),
  );
}
