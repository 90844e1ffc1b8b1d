/**
 * A service for tests, in little: runs one child that never answers, and prints `spinning` once it runs. The sandbox is the
 * strongest, or the one passed as JSON.
 */
import { runInChild } from '../../../src/sandbox/child.ts';
import { findSandbox } from '../../../src/sandbox/protection.ts';
import type { Sandbox } from '../../../src/sandbox/sandbox.ts';

const folder = process.argv[2];
const sandboxJson = process.argv[3];
const sandbox =
  sandboxJson === undefined ? (await findSandbox(folder)).sandbox : (JSON.parse(sandboxJson) as Sandbox);
await runInChild({
  sandbox,
  entry: new URL('./hijacked.ts', import.meta.url),
  task: 'spin',
  input: null,
  folder,
  limits: { idleMs: 60_000, wallMs: 60_000, memoryBytes: 2 ** 29 },
  signal: new AbortController().signal,
  onProgress: () => console.log('spinning'),
}).catch(() => {});
