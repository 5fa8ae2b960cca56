/** A component that is loaded when it is first shown. */
import type { ComponentType } from "preact";
import { useEffect, useState } from "preact/hooks";

export function lazy(load: () => Promise<ComponentType>): ComponentType {
  let loaded: ComponentType | null = null;
  return function Lazy() {
    const [, refresh] = useState(0);
    useEffect(() => {
      if (loaded !== null) return;
      void load().then((component) => {
        loaded = component;
        refresh(1);
      });
    }, []);
    const Component = loaded;
    return Component === null ? null : <Component />;
  };
}
