import { t } from "../texts/texts.ts";

interface MoreButtonProps {
  /** How many are not shown. */
  readonly left: number;
  readonly onMore: () => void;
}

/** Below a long list: shows more of it. Nothing where all of it is there. */
export function MoreButton({ left, onMore }: MoreButtonProps) {
  if (left <= 0) return null;
  return (
    <button type="button" class="link" onClick={onMore}>
      {t.value.more(left)}
    </button>
  );
}
