/** Runs the plain work in a process of its own, so that it costs a start like the job's own tasks. */
import { fileURLToPath } from 'node:url';
import type { ChildMessage } from '../../src/sandbox/child.ts';
import { runInChild } from '../../src/sandbox/child.ts';
import { decodeAlone, type TranscodeRequest, transcode } from './plain-transcode.ts';

interface PlainTasks {
  readonly transcode: TranscodeRequest;
  readonly decode: { readonly path: string };
}

/** Resolves with the number of frames. */
export async function runPlain<Task extends keyof PlainTasks>(
  task: Task,
  input: PlainTasks[Task],
  folder: string,
): Promise<number> {
  const result = await runInChild({
    entry: new URL(import.meta.url),
    task,
    input,
    folder,
    limits: { idleMs: 3_600_000, wallMs: 3_600_000, memoryBytes: 8 * 2 ** 30 },
    signal: new AbortController().signal,
    onProgress: () => {},
  });
  return result as number;
}

if (process.argv[1] === fileURLToPath(import.meta.url) && process.send !== undefined) {
  process.once('message', async (order: { task: keyof PlainTasks; input: unknown }) => {
    const frames =
      order.task === 'transcode'
        ? await transcode(order.input as TranscodeRequest)
        : await decodeAlone((order.input as PlainTasks['decode']).path);
    process.send?.({ kind: 'done', result: frames } satisfies ChildMessage);
  });
}
