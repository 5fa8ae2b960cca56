/** Findings and errors of the devices of a test run: gathered as they come, looked at when a test ends. */
import { findingText, type GpuFinding } from "./sanitizer.ts";

export class TestWatch {
  /** Devices that findings may still come from, with those that nobody has looked at. */
  readonly #devices = new Map<GPUDevice, GpuFinding[]>();
  /** Codes that the running test allows, with the reasons. */
  readonly #allowed = new Map<string, string>();
  /** Errors that nobody captured, each once. */
  readonly #errors = new Set<string>();
  readonly #pause: () => Promise<void>;

  /** `pause` lets the tasks run that wait for their turn. */
  constructor(pause: () => Promise<void>) {
    this.#pause = pause;
  }

  addDevice(device: GPUDevice): void {
    this.#devices.set(device, []);
  }

  addFinding(finding: GpuFinding, device: GPUDevice): void {
    const findings = this.#devices.get(device) ?? [];
    findings.push(finding);
    this.#devices.set(device, findings);
  }

  addError(error: GPUError): void {
    this.#errors.add(`${error.constructor.name}: ${error.message}`);
  }

  /** @throws TypeError without a reason */
  allow(code: string, reason: string): void {
    if (typeof reason !== "string" || reason.trim() === "") {
      throw new TypeError(`halay.allow("${code}", reason): say why ‘${code}’ is allowed here`);
    }
    this.#allowed.set(code, reason);
  }

  /** What a device has found since it was asked last, once all that was submitted has run. */
  async take(device: GPUDevice): Promise<readonly GpuFinding[]> {
    await device.queue.onSubmittedWorkDone();
    const findings = this.#devices.get(device)?.splice(0) ?? [];
    return findings.filter(({ code, severity }) => severity !== "info" && !this.#allowed.has(code));
  }

  /** The end of a test: what was found and not looked at, and what nobody captured; null: nothing. */
  async finish(): Promise<string | null> {
    const left: GpuFinding[] = [];
    for (const device of [...this.#devices.keys()]) {
      left.push(...(await this.take(device)));
      if (await isLost(device)) this.#devices.delete(device);
    }
    // Errors are told by tasks of their own.
    await this.#pause();
    const texts: string[] = [];
    if (left.length > 0) texts.push(findingsText(left));
    if (this.#errors.size > 0) texts.push(errorsText([...this.#errors]));
    this.#allowed.clear();
    this.#errors.clear();
    return texts.length === 0 ? null : texts.join("\n\n");
  }
}

function isLost(device: GPUDevice): Promise<boolean> {
  return Promise.race([device.lost.then(() => true), Promise.resolve().then(() => false)]);
}

export function findingsText(findings: readonly GpuFinding[]): string {
  const title = findings.length === 1 ? "halay found a fault" : `halay found ${findings.length} faults`;
  return [`${title} in what was dispatched:`, ...findings.map(findingText)].join("\n\n");
}

function errorsText(errors: readonly string[]): string {
  const what = errors.length === 1 ? "an error" : `${errors.length} errors`;
  const title = `WebGPU told ${what} that no error scope captured, nor preventDefault() in an ‘uncapturederror’ listener:`;
  return [title, ...errors].join("\n\n");
}
