/** One row of the catalogue. `spec` is the section anchor whose rule is broken; null where halay goes beyond the specification. */
export interface CatalogueEntry {
  readonly severity: "error" | "warning" | "info";
  readonly text: string;
  readonly spec: string | null;
}

export type CataloguePart = Readonly<Record<string, CatalogueEntry>>;
