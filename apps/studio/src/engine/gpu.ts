/**
 * The browser's GPU. Nothing ends what runs there: a shader that comes to no end takes the browser along, worker or not.
 * So each runs on the CPU engine first, which is ended by its own watchdog.
 */
import { type Launch, type RunResult, run, sanitize } from "halay";
import type { DeviceChoice, Report } from "./protocol.ts";

type Options = NonNullable<Parameters<typeof run>[1]>;

/** Seconds for the search for invocations that wait for each other; where it does not end, it has found nothing. */
const SEARCH = 10;

export async function gpuAdapter(): Promise<GPUAdapter | null> {
  const { gpu } = navigator as Navigator & { readonly gpu?: GPU };
  if (gpu === undefined) return null;
  return (await gpu.requestAdapter()) ?? (await gpu.requestAdapter({ forceFallbackAdapter: true }));
}

/**
 * @param options of a run, for the trial on the CPU engine and for what is meant
 * @param isTried whether the CPU engine has to come to an end before
 */
export async function runOnGpu(
  launch: Launch,
  device: Exclude<DeviceChoice, "cpu">,
  options: (trial: boolean) => Options,
  isTried: boolean,
): Promise<RunResult & { readonly gpuRefused?: Report["gpuRefused"] }> {
  const adapter = await gpuAdapter();
  if (adapter === null) throw new Error("no-gpu");
  const own = isTried ? await run(launch, options(true)) : null;
  const gpuRefused = own === null ? null : await whyRefused(launch, own, options(true));
  if (own !== null && gpuRefused !== null) return { ...own, gpuRefused };
  const gpu = await adapter.requestDevice({ requiredFeatures: featuresOf(adapter) });
  try {
    // What the CPU engine gives is not waited for again; without a trial there may be nothing to wait for.
    const both = device === "both" && own !== null ? { device, own } : {};
    return await run(launch, { ...options(false), gpu, ...both });
  } finally {
    gpu.destroy();
  }
}

async function whyRefused(launch: Launch, own: RunResult, options: Options): Promise<Report["gpuRefused"]> {
  if (own.diagnostics.some(({ code }) => code === "timeout")) return "timeout";
  const { schedule: _, ...others } = options;
  const { findings } = await sanitize(launch, { ...others, checks: ["progress"], timeout: SEARCH } as Parameters<
    typeof sanitize
  >[1]);
  return findings.some(({ code }) => code === "no-forward-progress") ? "no-forward-progress" : null;
}

/** What a shader may enable. */
function featuresOf({ features }: GPUAdapter): GPUFeatureName[] {
  return (["shader-f16", "subgroups"] as GPUFeatureName[]).filter((name) => features.has(name));
}
