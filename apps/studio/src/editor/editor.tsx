import { useEffect, useRef } from "preact/hooks";
import { openEditor } from "./view.ts";

export function Editor() {
  const place = useRef<HTMLDivElement>(null);
  useEffect(() => openEditor(place.current!), []);
  return <div class="editor" ref={place} />;
}
