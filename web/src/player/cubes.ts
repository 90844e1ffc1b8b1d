import type { CubeGrade } from '../../../src/domain/footage.ts';
import type { Take } from '../../../src/style/model/timeline.ts';
import type { FromWorker, ToWorker } from './messages.ts';

/** Cached tables: a cube is 430 kB, and going back to an earlier strength is common. */
const MAX_KEPT = 24;

/** Tables of grades, computed in a worker: each takes about 100 ms. */
export class Cubes {
  readonly #worker: Worker;
  readonly #kept = new Map<string, Promise<CubeGrade>>();
  readonly #waiting = new Map<string, (cube: CubeGrade) => void>();

  constructor(worker: Worker) {
    this.#worker = worker;
    worker.addEventListener('message', ({ data }: MessageEvent<FromWorker>) => {
      if (data.type !== 'cube') return;
      this.#waiting.get(data.key)?.(data.cube);
      this.#waiting.delete(data.key);
    });
  }

  of(grade: NonNullable<Take['grade']>): Promise<CubeGrade> {
    if ('rgb' in grade) return Promise.resolve(grade);
    const key = JSON.stringify(grade);
    const cube = this.#kept.get(key) ?? this.#compute(key, grade);
    this.#kept.delete(key);
    this.#kept.set(key, cube);
    if (this.#kept.size > MAX_KEPT) this.#kept.delete(this.#kept.keys().next().value!);
    return cube;
  }

  #compute(key: string, grade: NonNullable<Take['grade']>): Promise<CubeGrade> {
    return new Promise((resolve) => {
      this.#waiting.set(key, resolve);
      this.#worker.postMessage({ type: 'cube', key, grade } satisfies ToWorker);
    });
  }
}
