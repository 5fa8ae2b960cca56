/** Small drawings, 16 by 16, in the colour of the text around them. */
const PATHS = {
  play: "M5 3.5v9l7-4.5z",
  search: "M7 2.5a4.5 4.5 0 1 0 0 9 4.5 4.5 0 0 0 0-9M10.5 10.5 14 14",
  stop: "M4 4h8v8H4z",
  command: "M3 4l4 4-4 4M8.5 12.5H13",
  chart: "M2.5 13.5h11M4 11V8M8 11V3M12 11V6",
  share: "M8 10V2M5 4.5 8 1.8l3 2.7M3.5 8v5.5h9V8",
  sun: "M8 5a3 3 0 1 0 0 6 3 3 0 0 0 0-6M8 1v1.6M8 13.4V15M1 8h1.6M13.4 8H15M3 3l1.2 1.2M11.8 11.8 13 13M3 13l1.2-1.2M11.8 4.2 13 3",
  moon: "M13 9.5A5.5 5.5 0 0 1 6.5 3a5.5 5.5 0 1 0 6.5 6.5z",
  close: "M4 4l8 8M12 4l-8 8",
  plus: "M8 3v10M3 8h10",
  folder: "M2 4.5h4l1.5 1.5H14v6.5H2z",
  down: "M4 6l4 4 4-4",
  up: "M4 10l4-4 4 4",
  error: "M5.5 1.8h5l3.7 3.7v5l-3.7 3.7h-5L1.8 10.5v-5zM5.8 5.8l4.4 4.4M10.2 5.8l-4.4 4.4",
  warning: "M8 2l6.5 11.5h-13zM8 6.5v3.2M8 11.4v.4",
  info: "M8 1.8a6.2 6.2 0 1 0 0 12.4A6.2 6.2 0 0 0 8 1.8M8 7.3v3.9M8 4.8v.4",
  check: "M3 8.5l3.3 3.3L13 4.5",
  copy: "M5.5 5.5h8v8h-8zM10.5 5.5v-3h-8v8h3",
  save: "M8 2v8M5 7.2 8 10l3-2.8M2.5 13.5h11",
  keyboard: "M1.5 4.5h13v7h-13zM4 7h.5M7 7h.5M10 7h.5M12.5 7h.2M5 9.5h6",
  wrench: "M10.5 2.5a3 3 0 0 0-3.4 4.2L2.5 11.3l2.2 2.2 4.6-4.6a3 3 0 0 0 4.2-3.4l-1.9 1.9-2-.6-.5-2z",
  book: "M3 2.5h8.5a1.5 1.5 0 0 1 1.5 1.5v9.5H4.5A1.5 1.5 0 0 1 3 12zM3 11.5h10",
} as const;

export type IconName = keyof typeof PATHS;

export function Icon({ name }: { readonly name: IconName }) {
  return (
    <svg class={`icon icon-${name}`} viewBox="0 0 16 16" aria-hidden="true">
      <path d={PATHS[name]} />
    </svg>
  );
}
