import assert from 'node:assert/strict';
import { type Dirent, existsSync, readdirSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { StageName } from '../../src/domain/stage.ts';
import { call, upload } from './client.ts';
import { childrenOf, stoppedMeanwhile, waitFor } from './processes.ts';
import type { Service } from './service.ts';

const POLL_MS = 100;
const TERMINAL = ['completed', 'failed', 'cancelled'];

/** A job's state in a poll. */
export interface Sighting {
  readonly atMs: number;
  readonly status: string;
  readonly stage: StageName | null;
  readonly percent: number;
}

/**
 * A job of a really running service, followed from outside by polling, the service's deaths included. Fails as soon as
 * its progress falls or it leaves a terminal status.
 */
export class RunningJob implements AsyncDisposable {
  readonly jobId: string;
  readonly seen: Sighting[] = [];
  readonly #service: Service;
  readonly #following: Promise<void>;
  #over = false;

  constructor(service: Service, jobId: string) {
    this.#service = service;
    this.jobId = jobId;
    this.#following = this.#follow();
    // Read in `ended` or at disposal.
    this.#following.catch(() => {});
  }

  /** Resolves with the answer of `/result`. */
  async ended(longestMs = 240_000) {
    await Promise.race([
      this.#following,
      sleep(longestMs, undefined, { ref: false }).then(() =>
        assert.fail(`the job did not end: ${JSON.stringify(this.seen.at(-1))}`),
      ),
    ]);
    return (await call(this.#service.baseUrl, 'GET', `/api/v1/jobs/${this.jobId}/result`)).body.data;
  }

  async now(): Promise<Sighting> {
    const { body } = await call(this.#service.baseUrl, 'GET', `/api/v1/jobs/${this.jobId}`);
    const { status, current_stage: stage, progress_percent: percent } = body.data;
    return { atMs: performance.now(), status, stage, percent };
  }

  /**
   * The media child that works at `stage` now. Fails when the job passes the stage unnoticed. A child is suspended while
   * the stage is requested from the service: on a busy machine it would end before the answer.
   */
  childAt(stage: StageName, expected: (now: Sighting) => boolean = () => true): Promise<number> {
    // A child works at one stage: it is not suspended again to find that out.
    const others = new Set<number>();
    return waitFor(`a media child in ${stage}`, async () => {
      const [child] = childrenOf(this.#service.pid);
      if (child === undefined ? this.seen.at(-1)?.stage === stage : others.has(child)) return undefined;
      const now = await stoppedMeanwhile(child, () => this.now());
      assert.ok(!TERMINAL.includes(now.status), `${stage} was over before it was caught`);
      if (now.stage === stage) return expected(now) ? child : undefined;
      if (child !== undefined) others.add(child);
      return undefined;
    });
  }

  /** The media child that renders, once it has drawn something. */
  async childDrawing(): Promise<number> {
    await this.childAt('rendering');
    const { percent } = await this.now();
    return this.childAt('rendering', (now) => now.percent > percent);
  }

  async #follow(): Promise<void> {
    while (!this.#over) {
      // A dead service answers nothing, a starting one 503.
      const now = await this.now().catch((error) => {
        if (error instanceof assert.AssertionError) throw error;
        return null;
      });
      if (now !== null) {
        const before = this.seen.at(-1);
        assert.ok(now.percent >= (before?.percent ?? 0), `progress fell: ${JSON.stringify([before, now])}`);
        assert.equal(now.stage !== null, now.status === 'processing');
        this.seen.push(now);
        if (TERMINAL.includes(now.status)) return;
      }
      await sleep(POLL_MS);
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#over = true;
    await this.#following;
  }
}

export async function uploaded(service: Service, path: string): Promise<string> {
  const { status, body } = await upload(service.baseUrl, path);
  assert.equal(status, 201, JSON.stringify(body));
  return body.data.video_id;
}

/** Uploads a clip, which rots on the disk as soon as it has been accepted: nothing of it can be read any more. */
export async function rottenVideo(service: Service, path: string): Promise<string> {
  const id = await uploaded(service, path);
  const blob = join(service.dataDir, 'blobs/videos', id);
  writeFileSync(blob, Buffer.alloc(statSync(blob).size));
  return id;
}

/** Creates a job, by default at quality `low`. */
export async function createJob(service: Service, request: Record<string, unknown>): Promise<RunningJob> {
  const json = { config: { quality: 'low' }, ...request };
  const { status, body } = await call(service.baseUrl, 'POST', '/api/v1/jobs', { json });
  assert.equal(status, 201, JSON.stringify(body));
  return new RunningJob(service, body.data.job_id);
}

/** Every file under a folder of the service's data, and when it was written. */
export function filesUnder(service: Service, folder: string): Map<string, number> {
  const root = join(service.dataDir, folder);
  return new Map(
    entriesUnder(root)
      .filter((entry) => entry.isFile())
      .map((entry) => join(entry.parentPath, entry.name))
      // One that is removed at this moment is no longer there.
      .flatMap((path) => {
        const status = statSync(path, { throwIfNoEntry: false });
        return status === undefined ? [] : [[path.slice(root.length + 1), status.mtimeMs] as const];
      }),
  );
}

/** All that is under a folder; a folder that is removed at this moment is looked at once more. */
function entriesUnder(root: string): Dirent[] {
  for (;;) {
    if (!existsSync(root)) return [];
    try {
      return readdirSync(root, { recursive: true, withFileTypes: true });
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
    }
  }
}

/** A remainder stays for ever; files that are being removed wait for a busy disk, seen for more than two seconds. */
const REMOVED_MS = 10_000;

/** Asserts that nothing is left of the work: no working folder, no half-written blob. */
export function assertTidy(service: Service): void {
  const left = () => [
    ...readdirSync(join(service.dataDir, 'work')),
    ...filesUnder(service, 'blobs/.incoming').keys(),
  ];
  const deadlineMs = performance.now() + REMOVED_MS;
  while (left().length > 0 && performance.now() < deadlineMs) {
    // The service is another process, so that this one may block.
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 20);
  }
  // With its content, which identifies its owner.
  assert.deepEqual(left().length === 0 ? [] : [...filesUnder(service, 'work').keys(), ...left()], []);
}
