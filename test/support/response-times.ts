/** A thread that sends requests to a service: its response times do not depend on the other work of the test. */

import { setTimeout as sleep } from 'node:timers/promises';
import { isMainThread, parentPort, Worker, workerData } from 'node:worker_threads';
import { percentile } from './figures.ts';

const PAUSE_MS = 20;

interface RequestLoad {
  readonly baseUrl: string;
  readonly paths: readonly string[];
  /** Of each path. */
  readonly least: number;
}

/** The largest 99th percentile of the paths, in ms, over at least `least` responses of each and until `until` holds. */
export async function slowestResponses(
  load: RequestLoad,
  until: () => boolean = () => true,
): Promise<number> {
  const worker = new Worker(new URL(import.meta.url), { workerData: load });
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

async function measure({ baseUrl, paths, least }: RequestLoad): Promise<number> {
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

if (!isMainThread) parentPort!.postMessage(await measure(workerData as RequestLoad));
