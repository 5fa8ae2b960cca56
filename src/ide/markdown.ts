/** Parts of a hover as one text in markdown. */
import type { HoverPart } from "./types.ts";

/** More overloads than this are counted, not shown. */
const MOST_SIGNATURES = 6;

export function markdownOf(parts: readonly HoverPart[]): string {
  const sections = parts.filter(({ kind }) => kind !== "signature").map(sectionOf);
  const signatures = parts.flatMap((part) => (part.kind === "signature" ? [part.code] : []));
  const place = parts.findIndex(({ kind }) => kind === "signature");
  if (signatures.length > 0) sections.splice(place, 0, signatureSection(signatures));
  return sections.join("\n\n");
}

function signatureSection(signatures: readonly string[]): string {
  const shown = signatures.slice(0, MOST_SIGNATURES).join("\n");
  const left = signatures.length - MOST_SIGNATURES;
  return code(left > 0 ? `${shown}\n// ${left} more` : shown);
}

function sectionOf(part: HoverPart): string {
  switch (part.kind) {
    case "declaration":
    case "signature":
      return code(part.code);
    case "value":
      return `= \`${part.text}\``;
    case "layout":
      return layoutText(part);
    case "comment":
      return part.text.replaceAll("\n", "  \n");
    case "returns":
      return `returns ${part.text}`;
    case "needs":
      return `needs \`${part.code}\``;
    case "specification":
      return `[${part.anchor}](${part.address})`;
    default:
      return part satisfies never;
  }
}

function code(text: string): string {
  return `\`\`\`wgsl\n${text}\n\`\`\``;
}

function layoutText({ offset, size, align, stride, isRuntimeSized }: Extract<HoverPart, { kind: "layout" }>): string {
  const parts = [
    ...(offset === null ? [] : [`offset ${offset}`]),
    isRuntimeSized ? `size ${size} without elements` : `size ${size}`,
    `align ${align}`,
    ...(stride === null ? [] : [`stride ${stride}`]),
  ];
  return parts.join(", ");
}
