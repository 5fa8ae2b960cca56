import { useEffect, useRef } from "preact/hooks";
import { notice } from "../state/store.ts";
import { t } from "../texts/texts.ts";
import { Icon } from "./icon.tsx";

/** In milliseconds; longer where there is something to press. */
const SHOWN = 6000;
const SHOWN_WITH_ACTION = 15_000;

export function Notice() {
  const told = notice.value;
  const place = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (told === null) return;
    const patience = told.action === undefined ? SHOWN : SHOWN_WITH_ACTION;
    const timer = setInterval(() => {
      // Not while somebody is about to press.
      if (place.current?.matches(":hover, :focus-within") !== true) notice.value = null;
    }, patience);
    return () => clearInterval(timer);
  }, [told]);
  return (
    <div class="notice-place" role="status" aria-live="polite">
      {told !== null && (
        <div ref={place} class={`notice notice-${told.kind}`}>
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
