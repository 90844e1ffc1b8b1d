/** WebAssembly programs for hot loops: they use vectors and need no time for V8's optimization. */
import { readFileSync } from 'node:fs';

export interface KernelExports {
  readonly memory: WebAssembly.Memory;
}

const PAGE_BYTES = 65_536;
const ALIGNMENT = 16;
/** Kernels read and write whole vectors, so they may touch this many bytes beyond each end. */
const SLACK_BYTES = 64;

const compiled = new Map<string, WebAssembly.Module>();

/**
 * A new instance of the program in `file`, which is compiled once in a process. `memory`: of another instance, to share data with it;
 * left out: a new memory.
 */
export function instantiateKernel<Exports extends KernelExports>(
  file: URL,
  memory = new WebAssembly.Memory({ initial: 1 }),
): Exports {
  let program = compiled.get(file.href);
  if (program === undefined) {
    program = new WebAssembly.Module(readFileSync(file));
    compiled.set(file.href, program);
  }
  return new WebAssembly.Instance(program, { env: { memory } }).exports as unknown as Exports;
}

/** Grows the memory to at least `bytes`. Growing detaches existing views. */
export function reserveBytes(memory: WebAssembly.Memory, bytes: number): void {
  const missing = bytes - memory.buffer.byteLength;
  if (missing > 0) memory.grow(Math.ceil(missing / PAGE_BYTES));
}

/** Allocates addresses in a kernel's memory, one after the other, each with slack for whole vectors around it. */
export class KernelLayout {
  #end: number;

  /** `start`: first free address. */
  constructor(start = 0) {
    this.#end = start + SLACK_BYTES;
  }

  /** Allocates `bytes` and returns their address. */
  take(bytes: number): number {
    const start = this.#end;
    this.#end += ALIGNMENT * Math.ceil((bytes + SLACK_BYTES) / ALIGNMENT);
    return start;
  }

  /** Size of the memory for all allocations. */
  get bytes(): number {
    return this.#end;
  }
}
