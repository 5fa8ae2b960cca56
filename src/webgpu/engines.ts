/** One engine for each way of asking, made when first asked for. */
import type { Engine } from "../engine/dispatch.ts";

type Name = "wasm" | "interpreter";

export function engines(
  make: Readonly<Record<Name, (workers: number | undefined) => Engine>>,
): (name: Name, workers: number | undefined) => Engine {
  const made = new Map<string, Engine>();
  return (name, workers) => {
    const key = `${name} ${workers}`;
    const engine = made.get(key) ?? make[name](workers);
    made.set(key, engine);
    return engine;
  };
}
