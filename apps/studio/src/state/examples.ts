/** The examples of the repository: files of their own, fetched when somebody opens one. */
import { openInstead, tell } from "./actions.ts";
import { report, showsCode } from "./store.ts";

const addresses = import.meta.glob<string>("../../../../examples/*.{wgsl,launch.json}", {
  query: "?url",
  import: "default",
  eager: true,
});

const addressOf = new Map(Object.entries(addresses).map(([path, url]) => [path.replace(/^.*\//, ""), url]));

/** One for each launch file, by its name without the ending. */
export const exampleNames: readonly string[] = [...addressOf.keys()]
  .filter((name) => name.endsWith(".launch.json"))
  .map((name) => name.replace(/\.launch\.json$/, ""))
  .sort();

export async function openExample(name: string): Promise<void> {
  try {
    const launchFile = `${name}.launch.json`;
    const launchText = await textOf(launchFile);
    const { shader, steps = [] } = JSON.parse(launchText) as {
      readonly shader?: string;
      readonly steps?: readonly { readonly shader?: string }[];
    };
    const shaders = [...new Set([shader, ...steps.map((step) => step.shader)])].filter((each) => each !== undefined);
    const texts = await Promise.all(shaders.map(async (each) => ({ name: each, text: await textOf(each) })));
    openInstead([...texts, { name: launchFile, text: launchText }]);
    report.value = null;
    showsCode.value = true;
  } catch (error) {
    tell(error instanceof Error ? error.message : String(error), "error");
  }
}

async function textOf(name: string): Promise<string> {
  const address = addressOf.get(name);
  const response = address === undefined ? null : await fetch(new URL(address, document.baseURI));
  if (response?.ok !== true) throw new Error(`‘${name}’ cannot be fetched`);
  return response.text();
}
