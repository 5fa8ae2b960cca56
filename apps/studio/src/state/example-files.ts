/** Where the files of the examples are, by their names. */
const addresses = import.meta.glob<string>("../../../../examples/*.{wgsl,launch.json}", {
  query: "?url",
  import: "default",
  eager: true,
});

export const addressOf = new Map(Object.entries(addresses).map(([path, url]) => [path.replace(/^.*\//, ""), url]));
