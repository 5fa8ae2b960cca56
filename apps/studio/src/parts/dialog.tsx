import type { ComponentChildren } from "preact";
import { useLayoutEffect, useRef } from "preact/hooks";
import { dialog } from "../state/store.ts";
import { t } from "../texts/texts.ts";
import { Icon } from "./icon.tsx";

interface DialogProps {
  readonly title: string;
  readonly children: ComponentChildren;
}

/** The element of the platform: it keeps the focus inside, gives it back, and closes on Escape. */
export function Dialog({ title, children }: DialogProps) {
  const place = useRef<HTMLDialogElement>(null);
  // Before the next key: who types at once writes into the dialog.
  useLayoutEffect(() => {
    place.current?.showModal();
    place.current?.querySelector<HTMLElement>("[data-focus]")?.focus();
    return () => place.current?.close();
  }, []);
  const close = () => {
    dialog.value = null;
  };
  return (
    <dialog
      class="dialog"
      ref={place}
      aria-labelledby="dialog-title"
      onClose={(event) => {
        // The event comes late: another dialog may have taken the place of this one.
        if (event.currentTarget.isConnected) close();
      }}
      onClick={(event) => {
        if (event.target === place.current) close();
      }}
      onKeyDown={(event) => {
        if (event.key === "Escape") close();
      }}
    >
      <header class="dialog-head">
        <h2 id="dialog-title">{title}</h2>
        <button type="button" class="quiet icon-only" onClick={close} aria-label={t.value.close}>
          <Icon name="close" />
        </button>
      </header>
      <div class="dialog-body">{children}</div>
    </dialog>
  );
}
