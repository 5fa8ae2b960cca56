import type { DeviceChoice } from "../engine/protocol.ts";
import { device, hasGpu } from "../state/store.ts";
import { t } from "../texts/texts.ts";

const DEVICES: readonly DeviceChoice[] = ["cpu", "gpu", "both"];

export function DeviceSelect() {
  return (
    <select
      aria-label={t.value.run.device}
      value={device.value}
      onChange={(event) => {
        device.value = event.currentTarget.value as DeviceChoice;
      }}
    >
      {DEVICES.map((each) => (
        <option key={each} value={each} disabled={each !== "cpu" && hasGpu.value === false}>
          {t.value.run.devices[each]}
        </option>
      ))}
    </select>
  );
}
