/** WebAssembly programs: hot loops over small pictures and sound, which need no warming up and use whole vectors. */
import { readFileSync } from 'node:fs';

export interface KernelExports {
  readonly memory: WebAssembly.Memory;
}

const PAGE_BYTES = 65_536;
const ALIGNMENT = 16;
/** Kernels read and write whole vectors: this much beyond each end may be touched. */
const SLACK_BYTES = 64;

const compiled = new Map<string, WebAssembly.Module>();

/**
 * A new instance of the assembled program in `file`, which is compiled once in a process. `memory`: of another instance, with which it
 * works on the same pictures; left out: one of its own.
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

/** Grows the memory to hold so many bytes. Views of it made before are of no use afterwards. */
export function reserveBytes(memory: WebAssembly.Memory, bytes: number): void {
  const missing = bytes - memory.buffer.byteLength;
  if (missing > 0) memory.grow(Math.ceil(missing / PAGE_BYTES));
}

/** Hands out places in a kernel's memory, one after the other, each with room around it for whole vectors. */
export class KernelLayout {
  #end: number;

  /** `start`: what lies before it is somebody else's. */
  constructor(start = 0) {
    this.#end = start + SLACK_BYTES;
  }

  /** Address of so many bytes. */
  take(bytes: number): number {
    const start = this.#end;
    this.#end += ALIGNMENT * Math.ceil((bytes + SLACK_BYTES) / ALIGNMENT);
    return start;
  }

  /** Bytes that hold all that was taken. */
  get bytes(): number {
    return this.#end;
  }
}
