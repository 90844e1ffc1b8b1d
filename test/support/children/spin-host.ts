/** A service for tests, in little: runs one child that never answers, and says `spinning` once it does so. */
import { runInChild } from '../../../src/media/child.ts';
import { findBorder } from '../../../src/media/child-protection.ts';

const folder = process.argv[2]!;
const { border } = await findBorder(folder);
await runInChild({
  border,
  entry: new URL('./hijacked.ts', import.meta.url),
  task: 'spin',
  input: null,
  folder,
  limits: { idleMs: 60_000, wallMs: 60_000, memoryBytes: 2 ** 29 },
  signal: new AbortController().signal,
  onProgress: () => console.log('spinning'),
}).catch(() => {});
