/** A thread that asks a service again and again: how long it waits does not depend on what else the test does. */

import { setTimeout as sleep } from 'node:timers/promises';
import { isMainThread, parentPort, Worker, workerData } from 'node:worker_threads';
import { percentile } from './figures.ts';

const PAUSE_MS = 20;

interface Asked {
  readonly baseUrl: string;
  readonly paths: readonly string[];
  /** Of each path. */
  readonly least: number;
}

/** The largest 99th percentile of the paths, in ms, over at least `least` answers of each and until `until` holds. */
export async function slowestAnswers(asked: Asked, until: () => boolean = () => true): Promise<number> {
  const worker = new Worker(new URL(import.meta.url), { workerData: asked });
  try {
    return await new Promise<number>((resolve, reject) => {
      const check = setInterval(() => {
        if (!until()) return;
        clearInterval(check);
        worker.postMessage('enough');
      }, PAUSE_MS);
      worker.once('message', resolve).once('error', reject);
      worker.once('exit', () => clearInterval(check));
    });
  } finally {
    await worker.terminate();
  }
}

async function measure({ baseUrl, paths, least }: Asked): Promise<number> {
  let isEnough = false;
  parentPort!.once('message', () => {
    isEnough = true;
  });
  const slowest = await Promise.all(
    paths.map(async (path) => {
      const took: number[] = [];
      while (took.length < least || !isEnough) {
        const startedMs = performance.now();
        const answer = await fetch(`${baseUrl}${path}`);
        await answer.arrayBuffer();
        if (answer.status !== 200) throw new Error(`${path} answered ${answer.status}`);
        took.push(performance.now() - startedMs);
        await sleep(PAUSE_MS);
      }
      return percentile(took, 0.99);
    }),
  );
  return Math.max(...slowest);
}

if (!isMainThread) parentPort!.postMessage(await measure(workerData as Asked));
