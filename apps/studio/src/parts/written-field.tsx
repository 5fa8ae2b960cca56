import { useSignal } from "@preact/signals";

interface WrittenProps {
  readonly value: string;
  /** Called with what was written once that is confirmed, by Enter or by leaving the field. */
  readonly onWritten: (text: string) => void;
  readonly id?: string;
  readonly class?: string;
  readonly title?: string;
  readonly placeholder?: string;
  readonly spellcheck?: boolean;
  readonly "aria-label"?: string;
}

interface InputProps extends WrittenProps {
  readonly type: "text" | "number";
  readonly inputMode?: "decimal";
  readonly min?: string;
  readonly step?: string;
  /** Id of a list of names. */
  readonly list?: string;
}

/** A field whose text is left alone while it is being written, whatever is drawn anew meanwhile. */
export function WrittenInput({ value, onWritten, ...others }: InputProps) {
  return <input {...others} {...useWritten(value, onWritten)} />;
}

export function WrittenText({ value, onWritten, ...others }: WrittenProps & { readonly rows: number }) {
  return <textarea {...others} {...useWritten(value, onWritten)} />;
}

interface FieldEvent {
  readonly currentTarget: { readonly value: string };
}

function useWritten(value: string, onWritten: (text: string) => void) {
  /** null: nobody is writing. */
  const text = useSignal<string | null>(null);
  return {
    value: text.value ?? value,
    onInput: ({ currentTarget }: FieldEvent) => {
      text.value = currentTarget.value;
    },
    onChange: ({ currentTarget }: FieldEvent) => {
      onWritten(currentTarget.value);
      text.value = null;
    },
    onBlur: () => {
      text.value = null;
    },
  };
}
