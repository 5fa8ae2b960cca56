import { useSignal } from "@preact/signals";
import { tell } from "../state/store.ts";
import { t } from "../texts/texts.ts";
import { Icon } from "./icon.tsx";

interface CopyButtonProps {
  readonly text: () => string | Promise<string>;
  readonly label: string;
}

export function CopyButton({ text, label }: CopyButtonProps) {
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
    <button type="button" onClick={copy}>
      <Icon name={done.value ? "check" : "copy"} />
      {done.value ? t.value.copied : label}
    </button>
  );
}
