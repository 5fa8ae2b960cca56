/** An application of the package `webgpu-utils`: typed views and bind group layouts out of the shader's text. */
import { makeBindGroupLayoutDescriptors, makeShaderDataDefinitions, makeStructuredView } from "webgpu-utils";

const SHADER = `
struct Particle { position: vec3f, mass: f32, velocity: vec2h, alive: u32 }
struct Step { gravity: vec3f, time: f32, count: u32 }
@group(0) @binding(0) var<uniform> step: Step;
@group(0) @binding(1) var<storage, read_write> particles: array<Particle>;
@group(1) @binding(3) var<storage, read_write> living: atomic<u32>;

@compute @workgroup_size(4)
fn move_all(@builtin(global_invocation_id) id: vec3u) {
  if (id.x >= step.count) { return; }
  let particle = &particles[id.x];
  (*particle).position += step.time * (step.gravity * (*particle).mass + vec3f(vec2f((*particle).velocity), 0));
  if ((*particle).alive != 0u) { atomicAdd(&living, 1u); }
}`;

export async function moveParticles() {
  const adapter = await navigator.gpu.requestAdapter();
  const device = await adapter.requestDevice({ requiredFeatures: ["shader-f16"] });
  const code = `enable f16;\n${SHADER}`;
  const module = device.createShaderModule({ code });
  const compute = { module, entryPoint: "move_all" };
  const definitions = makeShaderDataDefinitions(code);
  const layouts = makeBindGroupLayoutDescriptors(definitions, { compute }).map((descriptor) =>
    device.createBindGroupLayout(descriptor),
  );
  const layout = device.createPipelineLayout({ bindGroupLayouts: layouts });
  const pipeline = device.createComputePipeline({ layout, compute });

  const step = makeStructuredView(definitions.uniforms.step);
  step.set({ gravity: [0, -10, 0], time: 0.5, count: 5 });
  const particles = makeStructuredView(definitions.storages.particles, new ArrayBuffer(5 * 32));
  particles.set(
    [1, 2, 3, 4, 5].map((mass) => ({ position: [mass, 0, 0], mass, velocity: [0x3c00, 0x4000], alive: mass % 2 })),
  );

  const { STORAGE, UNIFORM, COPY_SRC, COPY_DST, MAP_READ } = GPUBufferUsage;
  const stepBuffer = bufferOf(device, step.arrayBuffer, UNIFORM | COPY_DST);
  const particleBuffer = bufferOf(device, particles.arrayBuffer, STORAGE | COPY_SRC | COPY_DST);
  const livingBuffer = device.createBuffer({ size: 4, usage: STORAGE | COPY_SRC });
  const read = device.createBuffer({ size: 5 * 32 + 4, usage: COPY_DST | MAP_READ });

  const encoder = device.createCommandEncoder();
  const pass = encoder.beginComputePass();
  pass.setPipeline(pipeline);
  pass.setBindGroup(
    0,
    device.createBindGroup({
      layout: layouts[0],
      entries: [
        { binding: 0, resource: { buffer: stepBuffer } },
        { binding: 1, resource: { buffer: particleBuffer } },
      ],
    }),
  );
  pass.setBindGroup(
    1,
    device.createBindGroup({ layout: layouts[1], entries: [{ binding: 3, resource: { buffer: livingBuffer } }] }),
  );
  pass.dispatchWorkgroups(2);
  pass.end();
  encoder.copyBufferToBuffer(particleBuffer, 0, read, 0, 5 * 32);
  encoder.copyBufferToBuffer(livingBuffer, 0, read, 5 * 32, 4);
  device.queue.submit([encoder.finish()]);

  await read.mapAsync(GPUMapMode.READ);
  const contents = read.getMappedRange().slice(0);
  const moved = makeStructuredView(definitions.storages.particles, contents.slice(0, 5 * 32));
  return {
    positions: moved.views.map(({ position }) => [...position]),
    living: new Uint32Array(contents, 5 * 32)[0],
  };
}

function bufferOf(device, contents, usage) {
  const buffer = device.createBuffer({ size: contents.byteLength, usage });
  device.queue.writeBuffer(buffer, 0, contents);
  return buffer;
}
