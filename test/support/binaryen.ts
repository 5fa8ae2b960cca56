/** Binaryen reads what the engine emits: a second opinion beside V8's, and text for people. */
import binaryen from "binaryen";

const { Features } = binaryen;
/** All that modules may use beyond the first version of WebAssembly; every browser with WebGPU has it. */
const FEATURES =
  Features.MutableGlobals |
  Features.SignExt |
  Features.NontrappingFPToInt |
  Features.BulkMemory |
  Features.BulkMemoryOpt |
  Features.Multivalue |
  Features.SIMD128 |
  Features.Atomics;

const CODE_SECTION = 10;

/** Whether the bytes are a valid module; the reasons why not are printed. */
export function isValid(bytes: Uint8Array): boolean {
  let module: InstanceType<typeof binaryen.Module>;
  try {
    module = binaryen.readBinary(bytes);
  } catch {
    return false;
  }
  module.setFeatures(FEATURES);
  const valid = module.validate() === 1;
  module.dispose();
  return valid;
}

interface FunctionSize {
  readonly bytes: number;
  /** Parameters left out. */
  readonly locals: number;
}

/** The functions of a module as they are in the bytes: Binaryen gives them locals of its own. */
export function functionSizes(bytes: Uint8Array): readonly FunctionSize[] {
  let at = 8;
  const unsigned = (): number => {
    let value = 0;
    for (let shift = 0; ; shift += 7) {
      const byte = bytes[at++];
      value |= (byte & 0x7f) << shift;
      if (byte < 0x80) return value >>> 0;
    }
  };
  while (bytes[at++] !== CODE_SECTION) {
    const size = unsigned();
    at += size;
  }
  unsigned();
  return Array.from({ length: unsigned() }, () => {
    const size = unsigned();
    const end = at + size;
    let locals = 0;
    for (let runs = unsigned(); runs > 0; runs--) {
      locals += unsigned();
      at++;
    }
    at = end;
    return { bytes: size, locals };
  });
}

/** Locals of the function of the module that has most, its parameters left out. */
export function mostLocals(bytes: Uint8Array): number {
  return Math.max(...functionSizes(bytes).map(({ locals }) => locals));
}

/** The innermost loops of the module as text, an expression on a line of its own only where it does not fit beside others. */
export function innermostLoops(bytes: Uint8Array): readonly string[] {
  const module = binaryen.readBinary(bytes);
  module.setFeatures(FEATURES);
  const text = module.emitText();
  module.dispose();
  return loopsIn(parse(text)).map((loop) => layOut(loop));
}

type Tree = string | readonly Tree[];

/** The first expression of the text. */
function parse(text: string): Tree {
  const stack: Tree[][] = [[]];
  for (const [token] of text.replaceAll(/;;.*/g, "").matchAll(/[()]|"[^"]*"|[^\s()]+/g)) {
    if (token === "(") stack.push([]);
    else if (token === ")") {
      const list = stack.pop()!;
      stack.at(-1)!.push(list);
    } else stack.at(-1)!.push(token);
  }
  return stack[0][0];
}

function loopsIn(tree: Tree): readonly Tree[] {
  if (typeof tree === "string") return [];
  const inner = tree.flatMap(loopsIn);
  return tree[0] === "loop" && inner.length === 0 ? [tree] : inner;
}

const WIDTH = 120;

function layOut(tree: Tree, indent = ""): string {
  const flat = oneLine(tree);
  if (typeof tree === "string" || indent.length + flat.length <= WIDTH) return flat;
  // Words first: what it is, and its name.
  const words = tree.findIndex((part) => typeof part !== "string");
  const rest = tree.slice(words).map((part) => `\n${indent}  ${layOut(part, `${indent}  `)}`);
  return `(${tree.slice(0, words).join(" ")}${rest.join("")})`;
}

function oneLine(tree: Tree): string {
  return typeof tree === "string" ? tree : `(${tree.map(oneLine).join(" ")})`;
}
