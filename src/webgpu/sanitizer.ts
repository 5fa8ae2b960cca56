/**
 * Looks at every dispatch with the checkers: what is bound becomes a launch, which is sanitized as any other. What that
 * leaves in its buffers is what the dispatch leaves; only where it did not come to its end the dispatch itself is run.
 */
import { hasErrors } from "../diagnostics/diagnostic.ts";
import { printPretty } from "../diagnostics/print-pretty.ts";
import type { DispatchRequest, DispatchResult, Engine } from "../engine/dispatch.ts";
import type { Launch } from "../launch/launch.ts";
import { layoutOf } from "../layout/layout.ts";
import type { Finding, SanitizeResult } from "../sanitize/finding.ts";
import type { SanitizeOptions } from "../sanitize/sanitize.ts";
import type { NamesOf } from "../text/option-names.ts";
import type { DispatchCommand } from "./commands.ts";
import type { ComputePipelineObject } from "./compute-pipeline.ts";
import type { DispatchChecker, Emulation } from "./environment.ts";
import { immediateOf } from "./immediates.ts";

/** What is looked for, and how long. */
export type SanitizeSettings = Pick<
  SanitizeOptions,
  "checks" | "maxFindings" | "scheduleBudget" | "shadowBytes" | "contention" | "seed" | "weakFail"
>;

export const SANITIZE_SETTINGS: NamesOf<SanitizeSettings> = {
  checks: true,
  maxFindings: true,
  scheduleBudget: true,
  shadowBytes: true,
  contention: true,
  seed: true,
  weakFail: true,
};

/** A finding, and what the application calls the things that it is about. */
export interface GpuFinding extends Finding {
  readonly labels: {
    readonly pipeline: string;
    readonly shaderModule: string;
    /** Of the buffer behind the finding's variable; null where it is about none. */
    readonly buffer: string | null;
    /** Debug groups around the dispatch, outermost first. */
    readonly debugGroups: readonly string[];
  };
}

export type OnFinding = (finding: GpuFinding, device: GPUDevice) => void;

/** Other schedules of a pipeline's dispatches are run as long as that many accesses last: a pipeline may run in a loop. */
const SCHEDULE_BUDGET = 2 ** 18;

export class DispatchSanitizer implements DispatchChecker {
  readonly #settings: SanitizeSettings;
  readonly #emulation: Emulation;
  readonly #onFinding: OnFinding;
  /** What is left of the budget, by pipeline. */
  readonly #budgets = new WeakMap<ComputePipelineObject, number>();
  /** What was told already, by device: a shader that runs in every frame has its races in every frame. */
  readonly #told = new WeakMap<object, Set<string>>();

  constructor(settings: SanitizeSettings, emulation: Emulation, onFinding: OnFinding) {
    this.#settings = settings;
    this.#emulation = emulation;
    this.#onFinding = onFinding;
  }

  async dispatch(engine: Engine, request: DispatchRequest, command: DispatchCommand): Promise<DispatchResult> {
    // Who does not sanitize does not wait for the checkers to load.
    const { sanitize } = await import("../sanitize/sanitize.ts");
    const { subgroupSize, outOfBounds } = this.#emulation;
    const budget = this.#budgets.get(command.pipeline) ?? this.#settings.scheduleBudget ?? SCHEDULE_BUDGET;
    const result = await sanitize(launchOf(request, command), {
      engine,
      ...(subgroupSize === undefined ? {} : { subgroupSize }),
      ...(outOfBounds === undefined ? {} : { outOfBounds }),
      // The application has said how long a dispatch may take, not how long looking at it may.
      ...(request.timeout === undefined ? {} : { dispatchTimeout: request.timeout / 1000 }),
      ...this.#settings,
      scheduleBudget: budget,
    });
    const { findings, checked } = result;
    const spent = checked.accesses * (checked.schedules.length - 1);
    this.#budgets.set(command.pipeline, Math.max(0, budget - spent));
    for (const finding of findings) this.#tell(finding, command);
    return hasEnded(result) ? taken(result, command) : engine.dispatch(request);
  }

  #tell(finding: Finding, { pipeline, bindings, debugGroups }: DispatchCommand): void {
    const { code, message, span, source, resource } = finding;
    const { device } = pipeline;
    const key = JSON.stringify([code, message, span.start, source.path, pipeline.label]);
    const told = this.#told.get(device) ?? new Set<string>();
    this.#told.set(device, told);
    if (told.has(key)) return;
    told.add(key);
    const bound = resource === null ? undefined : bindings.get(`${resource.group}.${resource.binding}`);
    const labels = {
      pipeline: pipeline.label,
      shaderModule: pipeline.shader.moduleLabel,
      buffer: bound?.buffer.label ?? null,
      debugGroups,
    };
    this.#onFinding({ ...finding, labels }, device.target as GPUDevice);
  }
}

/** Findings of dispatches that may not have come to their end. */
const UNENDED: ReadonlySet<string> = new Set(["timeout", "no-forward-progress", "barrier-divergence"]);

/** Whether the run that was looked at did all that the dispatch does. What is not told could say that it did not. */
function hasEnded({ diagnostics, findings, checked, dispatches }: SanitizeResult): boolean {
  const isAllTold = checked.untold === 0 && checked.suppressed === 0;
  return (
    isAllTold && dispatches.length === 1 && !hasErrors(diagnostics) && !findings.some(({ code }) => UNENDED.has(code))
  );
}

/** The dispatch as it was looked at; its buffers get what that left. */
function taken({ buffers, dispatches, engine }: SanitizeResult, { bindings }: DispatchCommand): DispatchResult {
  for (const { group, binding, bytes } of Object.values(buffers)) {
    const { buffer, offset } = bindings.get(`${group}.${binding}`)!;
    buffer.bytes.set(bytes, offset);
  }
  const [{ invocations, milliseconds }] = dispatches;
  return {
    status: "ok",
    faults: [],
    timeout: null,
    statistics: { invocations, instructions: null, sharedAccesses: null, barriers: null },
    milliseconds,
    turns: null,
    engine: engine === "wasm" ? "wasm" : "interpreter",
    notes: [],
  };
}

/** A dispatch as a launch of its own, with the bytes that its buffers hold now. */
function launchOf(request: DispatchRequest, { pipeline, bindings, immediates }: DispatchCommand): Launch {
  const { program, entryPoint, overrides, roots } = pipeline.shader;
  const buffers: Record<string, Uint8Array> = {};
  for (const key of roots.keys()) {
    const { buffer, offset, size } = bindings.get(key)!;
    buffers[key] = buffer.bytes.slice(offset, offset + size);
  }
  const immediate = immediateOf(entryPoint);
  if (immediate !== null) buffers[immediate.name] = immediates.slice(0, layoutOf(immediate.type).size);
  return { shader: program, entry: entryPoint.name, workgroups: request.workgroups, overrides, buffers };
}

/** The finding with its place in the shader, as the command line shows it, and the labels below. */
export function findingText(finding: GpuFinding): string {
  const { pipeline, buffer, debugGroups } = finding.labels;
  const labels = [
    ...(pipeline === "" ? [] : [`pipeline ‘${pipeline}’`]),
    ...(buffer === null || buffer === "" ? [] : [`buffer ‘${buffer}’`]),
    ...debugGroups.map((group) => `in ‘${group}’`),
  ];
  return printPretty(finding) + (labels.length === 0 ? "" : `${labels.join(", ")}\n`);
}
