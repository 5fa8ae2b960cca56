/** Importing this puts `navigator.gpu` and the classes of WebGPU on the global object. */
import { create, globals } from "./gpu.ts";
import { install } from "./webgpu/install.ts";

install(globalThis, create(), globals);
