import type { ModuleState } from "./scope.ts";

export function addFeatures(module: ModuleState): void {}
