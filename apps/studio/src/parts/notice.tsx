import { useEffect } from "preact/hooks";
import { notice } from "../state/store.ts";
import { t } from "../texts/texts.ts";
import { Icon } from "./icon.tsx";

const SHOWN = 6000;

export function Notice() {
  const told = notice.value;
  useEffect(() => {
    if (told === null) return;
    const timer = setTimeout(() => {
      notice.value = null;
    }, SHOWN);
    return () => clearTimeout(timer);
  }, [told]);
  return (
    <div class="notice-place" role="status" aria-live="polite">
      {told !== null && (
        <div class={`notice notice-${told.kind}`}>
          <Icon name={told.kind} />
          <span>{told.text}</span>
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
