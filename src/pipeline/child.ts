/** Entry of a media child: takes one task, does it, answers, ends. Never imported by the server. */
import { enableCompileCache, flushCompileCache } from 'node:module';
import { fileURLToPath } from 'node:url';
import { Failure } from '../errors.ts';
import type { ChildMessage } from '../media/child.ts';
import type { TaskInput, TaskName } from './tasks.ts';

const PROGRESS_INTERVAL_MS = 100;
/** Not the default under the system's temporary folder, where another user could put code of theirs. */
const COMPILE_CACHE = fileURLToPath(new URL('../../node_modules/.cache/styledna', import.meta.url));

function say(message: ChildMessage): void {
  process.send?.(message);
}

// The parent is gone: nobody wants the result.
process.once('disconnect', () => process.exit(1));

process.once('message', async ({ task, input }: { task: TaskName; input: TaskInput<TaskName> }) => {
  let said = 0;
  const onProgress = (fraction: number) => {
    if (performance.now() - said < PROGRESS_INTERVAL_MS) return;
    said = performance.now();
    say({ kind: 'progress', fraction });
  };
  try {
    const runTask = await loadTasks();
    say({ kind: 'done', result: await runTask(task, input, onProgress) });
  } catch (error) {
    say(describe(error));
  }
});

/** Compiling is most of a child's start, and a job has nine: the cache saves 0.2 s of each. Read-only, it saves none. */
async function loadTasks() {
  enableCompileCache(COMPILE_CACHE);
  const { runTask } = await import('./run-task.ts');
  // By itself it is written at exit, but a child that has answered is killed.
  flushCompileCache();
  return runTask;
}

function describe(error: unknown): ChildMessage {
  if (error instanceof Failure) {
    return { kind: 'failure', code: error.code, detail: error.detail, fields: error.fields };
  }
  const code = (error as NodeJS.ErrnoException | null)?.code;
  if (code === 'ENOSPC') {
    return { kind: 'failure', code: 'INSUFFICIENT_STORAGE', detail: 'The disk is full', fields: [] };
  }
  const { message, stack } = error instanceof Error ? error : new Error(String(error));
  return { kind: 'bug', message, stack: stack ?? message };
}
