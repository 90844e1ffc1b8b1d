/** Threads of `thread.test.ts`. */
import { answerOnThread } from '../../src/untrusted/thread.ts';

answerOnThread(({ what, bytes }: { readonly what: string; readonly bytes: Uint8Array }) => {
  if (what === 'spin') for (;;);
  if (what === 'fill') for (const held: number[][] = []; ; ) held.push(Array(100_000).fill(1.5));
  if (what === 'throw') throw new RangeError('wrong');
  return { length: bytes.length };
});
