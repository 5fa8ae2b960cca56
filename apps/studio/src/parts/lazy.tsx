/** Components that are loaded when they are first shown, or when there is time. */
import type { ComponentType } from "preact";
import { useEffect, useState } from "preact/hooks";

const all: (() => Promise<unknown>)[] = [];

/** @param onMissing what is to be done where it cannot be loaded */
export function lazy(load: () => Promise<ComponentType>, onMissing: () => void = () => {}): ComponentType {
  let loaded: ComponentType | null = null;
  all.push(load);
  return function Lazy() {
    const [, refresh] = useState(0);
    useEffect(() => {
      if (loaded !== null) return;
      load().then(
        (component) => {
          loaded = component;
          refresh(1);
        },
        (error: unknown) => {
          onMissing();
          throw error;
        },
      );
    }, []);
    const Component = loaded;
    return Component === null ? null : <Component />;
  };
}

/**
 * All of them, so that nobody waits and a connection may go. What cannot be loaded now is asked for when it is shown; a browser
 * may remember that it could not be loaded (html: #module-map), and then the page has to be loaded again, as the notice says.
 */
export async function loadAll(): Promise<void> {
  for (const load of all) await load().catch(() => {});
}
