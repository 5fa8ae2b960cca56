// Writes schema/launch.schema.json from src/launch/schema.ts; run it after `npm run build`.
import { writeFileSync } from "node:fs";
import { schemaText } from "../dist/launch/schema.js";

writeFileSync(new URL("../schema/launch.schema.json", import.meta.url), schemaText());
