import { Icon, type IconName } from "./icon.tsx";

interface IconButtonProps {
  readonly icon: IconName;
  /** What it does: shown where the mouse is, and read out. */
  readonly label: string;
  /** A class of its own. */
  readonly name?: string;
  readonly onPress: () => void;
}

export function IconButton({ icon, label, name = "", onPress }: IconButtonProps) {
  return (
    <button type="button" class={`quiet icon-only ${name}`.trim()} title={label} onClick={onPress}>
      <Icon name={icon} />
      <span class="unseen">{label}</span>
    </button>
  );
}
