/** An application of the package `typegpu`: a bitonic sort of structs, with typed buffers and bind groups. */
import { d, tgpu } from "typegpu";

const COUNT = 64;
const Item = d.struct({ key: d.u32, name: d.vec2f });
const Stage = d.struct({ distance: d.u32, run: d.u32 });

export async function sortWithTypeGpu() {
  const root = await tgpu.init();
  const layout = tgpu.bindGroupLayout({
    items: { storage: d.arrayOf(Item), access: "mutable" },
    stage: { uniform: Stage },
  });
  const sort = tgpu.computeFn({ in: { id: d.builtin.globalInvocationId }, workgroupSize: [16] })`{
    let other = in.id.x ^ layout.$.stage.distance;
    if other <= in.id.x { return; }
    let a = layout.$.items[in.id.x];
    let b = layout.$.items[other];
    let ascending = (in.id.x & layout.$.stage.run) == 0u;
    if (a.key > b.key) == ascending {
      layout.$.items[in.id.x] = b;
      layout.$.items[other] = a;
    }
  }`.$uses({ layout });
  const pipeline = root.createComputePipeline({ compute: sort });

  const keys = Array.from({ length: COUNT }, (_, i) => (i * 37) % 101);
  const items = root
    .createBuffer(
      d.arrayOf(Item, COUNT),
      keys.map((key) => ({ key, name: d.vec2f(key, 200 - key) })),
    )
    .$usage("storage");
  for (let run = 2; run <= COUNT; run *= 2) {
    for (let distance = run / 2; distance >= 1; distance /= 2) {
      const stage = root.createBuffer(Stage, { distance, run }).$usage("uniform");
      const group = root.createBindGroup(layout, { items, stage });
      pipeline.with(group).dispatchWorkgroups(COUNT / 16);
    }
  }
  const sorted = await items.read();
  root.destroy();
  return sorted.map(({ key, name }) => [key, name.x, name.y]);
}
