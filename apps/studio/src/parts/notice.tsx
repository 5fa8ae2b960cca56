import { useEffect } from "preact/hooks";
import { notice } from "../state/store.ts";
import { t } from "../texts/texts.ts";
import { Icon } from "./icon.tsx";

/** In milliseconds; longer where there is something to press. */
const SHOWN = 6000;
const SHOWN_WITH_ACTION = 15_000;

export function Notice() {
  const told = notice.value;
  useEffect(() => {
    if (told === null) return;
    const timer = setTimeout(
      () => {
        notice.value = null;
      },
      told.action === undefined ? SHOWN : SHOWN_WITH_ACTION,
    );
    return () => clearTimeout(timer);
  }, [told]);
  return (
    <div class="notice-place" role="status" aria-live="polite">
      {told !== null && (
        <div class={`notice notice-${told.kind}`}>
          <Icon name={told.kind} />
          <span>{told.text}</span>
          {told.action !== undefined && (
            <button
              type="button"
              onClick={() => {
                notice.value = null;
                told.action?.run();
              }}
            >
              {told.action.label}
            </button>
          )}
          <button
            type="button"
            class="quiet icon-only"
            aria-label={t.value.close}
            onClick={() => {
              notice.value = null;
            }}
          >
            <Icon name="close" />
          </button>
        </div>
      )}
    </div>
  );
}
