import type { Host } from "../../engine/dispatch.ts";

/** Clock and event loop of a page or a worker. A message comes sooner than a timer, which browsers delay when nested. */
export const browserHost: Host = {
  now: () => performance.now(),
  pause: () =>
    new Promise((resolve) => {
      const { port1, port2 } = new MessageChannel();
      // The types in use here are Node's, where ports have this property too but do not say so.
      (port1 as unknown as { onmessage?: () => void }).onmessage = () => {
        port1.close();
        resolve();
      };
      port2.postMessage(null);
    }),
};
