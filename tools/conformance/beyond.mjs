// Which of the suite's cases ask for what halay does not do: drawing, and textures that hold texels. They are told apart
// from failures by what they call, not by what comes of it.

/** Interface, operation, and why a case that calls it is beyond halay. */
const CALLS = [
  ["GPUDevice", "createRenderPipeline", "drawing"],
  ["GPUDevice", "createRenderPipelineAsync", "drawing"],
  ["GPUDevice", "createRenderBundleEncoder", "drawing"],
  ["GPUCommandEncoder", "beginRenderPass", "drawing"],
  ["GPUCommandEncoder", "copyBufferToTexture", "texels"],
  ["GPUCommandEncoder", "copyTextureToBuffer", "texels"],
  ["GPUCommandEncoder", "copyTextureToTexture", "texels"],
  ["GPUQueue", "writeTexture", "texels"],
  ["GPUQueue", "copyExternalImageToTexture", "texels"],
];

/** What `halay/gpu` says of a dispatch whose shader has textures. */
const NOT_RUN = /was not run: .*texture/;

/** Watches the classes in `globals`. `take()`: the reasons that showed since the last call. */
export function watchBeyond(globals) {
  const reasons = new Set();
  const before = (name, operation, run) => {
    const { prototype } = globals[name];
    const original = prototype[operation];
    prototype[operation] = function (...args) {
      return run(() => original.apply(this, args));
    };
  };
  for (const [name, operation, reason] of CALLS) {
    before(name, operation, (call) => {
      reasons.add(reason);
      return call();
    });
  }
  before("GPUDevice", "popErrorScope", async (call) => {
    const error = await call();
    if (NOT_RUN.test(error?.message ?? "")) reasons.add("texels");
    return error;
  });
  return {
    take() {
      const taken = [...reasons];
      reasons.clear();
      return taken;
    },
  };
}
