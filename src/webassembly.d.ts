/** The part of the WebAssembly JavaScript Interface that is used here: TypeScript has it only with the browser's types. */
declare namespace WebAssembly {
  class Module {
    constructor(bytes: Uint8Array);
  }
  class Instance {
    constructor(module: Module, imports: Readonly<Record<string, Readonly<Record<string, Memory>>>>);
    readonly exports: Readonly<Record<string, unknown>>;
  }
  class Memory {
    /** In pages of 64 KiB. */
    constructor(size: { readonly initial: number });
    readonly buffer: ArrayBuffer;
    grow(pages: number): number;
  }
  /** On threads of V8's. */
  function compile(bytes: Uint8Array): Promise<Module>;
}
