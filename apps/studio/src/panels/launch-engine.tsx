import { CHECKS, type Check, DEFAULT_CHECKS } from "halay";
import { DeviceSelect } from "../parts/device-select.tsx";
import { WrittenInput } from "../parts/written-field.tsx";
import { checks, device, hasGpu, schedule, seed, subgroupSize } from "../state/store.ts";
import { later } from "../texts/later.ts";
import { t } from "../texts/texts.ts";

const SCHEDULES = ["in-order", "interleave", "random"] as const;
const SUBGROUP_SIZES = [4, 8, 16, 32, 64, 128] as const;

/** What is no part of the launch: where and in which order it runs, and what is looked for. */
export function EngineFields() {
  const texts = later.value.launch;
  const chosen = checks.value ?? DEFAULT_CHECKS;
  const toggle = (check: Check) => {
    const next = chosen.includes(check) ? chosen.filter((each) => each !== check) : [...chosen, check];
    checks.value = CHECKS.filter((each) => next.includes(each));
  };
  return (
    <fieldset class="fields">
      <legend>{texts.engine}</legend>
      <p class="faint">
        {hasGpu.value === null ? texts.gpuUnknown : hasGpu.value ? texts.gpuThere : texts.gpuMissing}
        {device.value !== "cpu" && ` ${texts.gpuOnlyRun}`}
      </p>
      <div class="field">
        <span aria-hidden="true">{t.value.run.device}</span>
        <DeviceSelect />
      </div>
      <label class="field">
        <span>{texts.schedule}</span>
        <select
          value={schedule.value}
          onChange={(event) => {
            schedule.value = event.currentTarget.value as typeof schedule.value;
          }}
        >
          {SCHEDULES.map((each) => (
            <option key={each} value={each}>
              {texts.schedules[each]}
            </option>
          ))}
        </select>
      </label>
      {schedule.value === "random" && (
        <label class="field">
          <span>{texts.fields.seed}</span>
          <WrittenInput
            type="number"
            min="0"
            value={String(seed.value)}
            onWritten={(text) => {
              seed.value = Math.max(0, Math.floor(Number(text)));
            }}
          />
        </label>
      )}
      <label class="field">
        <span>{texts.subgroupSize}</span>
        <select
          value={subgroupSize.value === null ? "" : String(subgroupSize.value)}
          onChange={(event) => {
            const { value } = event.currentTarget;
            subgroupSize.value = value === "" ? null : Number(value);
          }}
        >
          <option value="">{texts.usual}</option>
          {SUBGROUP_SIZES.map((size) => (
            <option key={size} value={String(size)}>
              {size}
            </option>
          ))}
        </select>
      </label>
      <fieldset class="field checks" aria-label={texts.checks}>
        <span>{texts.checks}</span>
        <div class="check-list">
          {CHECKS.map((check) => (
            <label key={check} class="check">
              <input type="checkbox" checked={chosen.includes(check)} onChange={() => toggle(check)} />
              {texts.checkNames[check]}
            </label>
          ))}
        </div>
      </fieldset>
    </fieldset>
  );
}
