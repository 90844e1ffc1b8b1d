/** Entry of a media child: runs the tasks that it receives, one after the other. Never imported by the server. */
import { Failure } from '../../domain/errors.ts';
import type { ChildMessage } from '../../sandbox/child.ts';
import type { TaskInput, TaskName } from './tasks.ts';

const PROGRESS_INTERVAL_MS = 100;

function say(message: ChildMessage): void {
  process.send?.(message);
}

// The parent has ended, so the result has no receiver.
process.once('disconnect', () => process.exit(1));

process.on('message', async ({ task, input }: { task: TaskName; input: TaskInput<TaskName> }) => {
  let reportedMs = 0;
  const onProgress = (fraction: number) => {
    if (performance.now() - reportedMs < PROGRESS_INTERVAL_MS) return;
    reportedMs = performance.now();
    say({ kind: 'progress', fraction });
  };
  try {
    const { runTask } = await import('./run-task.ts');
    const onFound = (found: unknown) => say({ kind: 'found', found });
    say({ kind: 'done', result: await runTask(task, input, onProgress, onFound) });
  } catch (error) {
    say(describe(error));
  }
});

function describe(error: unknown): ChildMessage {
  if (error instanceof Failure) {
    return { kind: 'failure', code: error.code, detail: error.detail, fields: error.fields };
  }
  const code = (error as NodeJS.ErrnoException | null)?.code;
  if (code === 'ENOSPC') {
    return { kind: 'failure', code: 'INSUFFICIENT_STORAGE', detail: 'The disk is full', fields: [] };
  }
  if (code === 'EFBIG') return { kind: 'fileTooLarge' };
  if (error instanceof RangeError && /allocation failed/i.test(error.message)) {
    return { kind: 'failure', code: 'OUT_OF_MEMORY', detail: 'The memory limit was reached', fields: [] };
  }
  const { message, stack } = error instanceof Error ? error : new Error(String(error));
  return { kind: 'bug', message, stack: stack ?? message };
}
