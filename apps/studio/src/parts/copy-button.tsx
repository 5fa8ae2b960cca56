import { useSignal } from "@preact/signals";
import { tell } from "../state/store.ts";
import { t } from "../texts/texts.ts";
import { Icon } from "./icon.tsx";

interface CopyButtonProps {
  readonly text: () => string | Promise<string>;
  readonly label: string;
  /** What its dialog is for: it has the focus first. */
  readonly isMain?: boolean;
}

export function CopyButton({ text, label, isMain = false }: CopyButtonProps) {
  const done = useSignal(false);
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(await text());
      done.value = true;
      setTimeout(() => {
        done.value = false;
      }, 1500);
    } catch {
      tell(t.value.copyFailed, "error");
    }
  };
  return (
    <button type="button" class={isMain ? "primary" : undefined} data-focus={isMain || undefined} onClick={copy}>
      <Icon name={done.value ? "check" : "copy"} />
      {done.value ? t.value.copied : label}
    </button>
  );
}
