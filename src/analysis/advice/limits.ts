/** What only devices with raised limits accept. webgpu: #limits */
import { note, type Phrase, phrase } from "../../diagnostics/diagnostic.ts";
import { layoutOf, minBindingSize, roundUp } from "../../layout/layout.ts";
import type { Span } from "../../text/source.ts";
import { hasOverrideCount, resolveCounts } from "../../types/counts.ts";
import { isTexture } from "../../types/predicates.ts";
import { DEFAULT_LIMITS } from "../overrides.ts";
import type { FunctionInfo, VariableInfo } from "../program.ts";
import type { Advice } from "./advice-context.ts";

/** Defaults that are about bindings; those about workgroups are `DEFAULT_LIMITS`. */
const BINDING_LIMITS = {
  maxBindGroups: 4,
  maxBindingsPerBindGroup: 1000,
  maxStorageBuffersPerShaderStage: 8,
  maxUniformBuffersPerShaderStage: 12,
  maxStorageTexturesPerShaderStage: 4,
  maxSampledTexturesPerShaderStage: 16,
  maxSamplersPerShaderStage: 16,
  maxUniformBufferBindingSize: 65536,
  maxStorageBufferBindingSize: 134217728,
} as const;

const LIMITS = { ...BINDING_LIMITS, ...DEFAULT_LIMITS };

type Limit = keyof typeof LIMITS;

function report(advice: Advice, limit: Limit, span: Span, name: string, value: number, unit: Phrase): void {
  const most = LIMITS[limit];
  if (value <= most) return;
  const notes = [note("require-limit", span, { limit, value })];
  advice.found.report("above-default-limit", span, { name, value, unit, limit, most }, { notes });
}

export function aboveDefaultLimits(advice: Advice): void {
  for (const info of advice.program.entryPoints) {
    if (info.stage === "compute") {
      workgroupSize(advice, info);
      workgroupBytes(advice, info);
    }
    bindingsPerStage(advice, info);
  }
  for (const variable of advice.program.variables) binding(advice, variable);
}

function workgroupSize(advice: Advice, { declaration, workgroupSize: size, name }: FunctionInfo): void {
  const axes = ["maxComputeWorkgroupSizeX", "maxComputeWorkgroupSizeY", "maxComputeWorkgroupSizeZ"] as const;
  let product = 1;
  for (const [axis, expr] of size.entries()) {
    const extent = advice.number(expr);
    if (extent === null) return;
    product *= extent;
    report(advice, axes[axis], expr.span, name, extent, phrase("invocations-along", { axis: "xyz"[axis] }));
  }
  const { span } = declaration.name;
  report(advice, "maxComputeInvocationsPerWorkgroup", span, name, product, phrase("invocations-in-workgroup"));
}

/** Each workgroup variable takes its size rounded up to 16 bytes. */
function workgroupBytes(advice: Advice, info: FunctionInfo): void {
  let bytes = 0;
  for (const { space, type } of info.usedVariables) {
    if (space !== "workgroup") continue;
    const fixed = resolveCounts(type, ({ expression }) => {
      const expr = advice.program.expressionOf[expression];
      return (expr === null ? null : advice.number(expr)) ?? 1;
    });
    bytes += roundUp(16, layoutOf(fixed).size);
  }
  const { span } = info.declaration.name;
  report(advice, "maxComputeWorkgroupStorageSize", span, info.name, bytes, phrase("bytes-of-workgroup-memory"));
}

function bindingsPerStage(advice: Advice, info: FunctionInfo): void {
  const counts = new Map<Limit, { count: number; what: Phrase }>();
  for (const variable of info.usedVariables) {
    const kind = kindOf(variable);
    if (kind === null) continue;
    const [limit, what] = kind;
    counts.set(limit, { count: (counts.get(limit)?.count ?? 0) + 1, what });
  }
  for (const [limit, { count, what }] of counts) {
    report(advice, limit, info.declaration.name.span, info.name, count, what);
  }
}

function kindOf({ space, type }: VariableInfo): readonly [Limit, Phrase] | null {
  if (space === "storage") return ["maxStorageBuffersPerShaderStage", phrase("storage-buffers")];
  if (space === "uniform") return ["maxUniformBuffersPerShaderStage", phrase("uniform-buffers")];
  if (type.kind === "sampler") return ["maxSamplersPerShaderStage", phrase("samplers")];
  if (type.kind === "storage-texture") return ["maxStorageTexturesPerShaderStage", phrase("storage-textures")];
  return isTexture(type) ? ["maxSampledTexturesPerShaderStage", phrase("sampled-textures")] : null;
}

function binding(advice: Advice, { group, binding: number, declaration, name, space, type }: VariableInfo): void {
  if (group === null || number === null) return;
  const { span } = declaration.name;
  // The limits count: the last group is one less.
  report(advice, "maxBindGroups", span, name, group + 1, phrase("bind-groups"));
  report(advice, "maxBindingsPerBindGroup", span, name, number + 1, phrase("binding-numbers"));
  if ((space !== "uniform" && space !== "storage") || hasOverrideCount(type)) return;
  const limit = space === "uniform" ? "maxUniformBufferBindingSize" : "maxStorageBufferBindingSize";
  report(advice, limit, span, name, minBindingSize(layoutOf(type)), phrase("bytes-in-buffer", { space }));
}
