/** Where the files of the examples are, by their names. */
const addresses = import.meta.glob<string>("../../../../examples/*.{wgsl,launch.json}", {
  query: "?url",
  import: "default",
  eager: true,
});

export const addressOf = new Map(Object.entries(addresses).map(([path, url]) => [path.replace(/^.*\//, ""), url]));

/** One for each launch file, by its name without the ending. */
export const exampleNames: readonly string[] = [...addressOf.keys()]
  .filter((name) => name.endsWith(".launch.json"))
  .map((name) => name.replace(/\.launch\.json$/, ""))
  .sort();
