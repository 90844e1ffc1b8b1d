/** Damaged files through the media engine: what becomes of each, and whether anything stays behind. */
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { Failure } from '../../src/domain/errors.ts';
import { MediaEngine } from '../../src/pipeline/engine/engine.ts';
import { makeClip } from '../support/clips.ts';
import { mediaPath } from '../support/media.ts';
import { remux } from '../support/remux.ts';
import { type Mutation, mutate } from './mutate.ts';

const CONTAINERS = ['mov', 'matroska', 'mpegts', 'flv', 'asf'] as const;
/** These need H.264 in the form of MPEG-TS, and no AAC. */
const OLD_CONTAINERS = ['avi', 'mpeg'] as const;
/** Short real clips of other codecs: VP9, VP8, AV1, fragmented MP4, six channels. */
const REAL = [
  'video/bbb_static_10s_vp9.webm',
  'video/mdn_rabbit_vp8.webm',
  'video/vertical_hdr10_av1.mp4',
  'video/bbb_fragmented.mp4',
  'video/bbb_rotated90_51aac.mp4',
  'video/intel_asl_book.mkv',
  'music/808kick_120bpm.mp3',
] as const;
const IDLE_SECONDS = 20;
/** Beyond its own limits a child needs this long to be killed and swept up. */
const GRACE_SECONDS = 5;

export interface MutationResult {
  readonly base: string;
  readonly seed: number;
  readonly mutation: Mutation;
  /** `measured`, or the code of a failure. */
  readonly outcome: string;
  readonly seconds: number;
  /** Null, or the violated invariant. */
  readonly wrong: string | null;
}

/** Files to damage: a drawn clip in every container, and, where they are, real ones and the hostile ones. */
export async function basesIn(folder: string, which: { readonly real: boolean }): Promise<string[]> {
  const paths = await drawnIn(folder);
  if (!which.real) return paths;
  const hostile = mediaPath('hostile');
  const names =
    hostile === null ? [] : readdirSync(hostile).filter((name) => !/\.json$|^zero_bytes/.test(name));
  const found = [...REAL, ...names.map((name) => `hostile/${name}`)].map(mediaPath);
  const ogg = join(folder, 'rabbit.ogg');
  const rabbit = mediaPath('video/mdn_rabbit_vp8.webm');
  if (rabbit !== null) await remux(rabbit, 'ogg', ogg);
  return [...paths, ...(rabbit === null ? [] : [ogg]), ...found.filter((path) => path !== null)];
}

async function drawnIn(folder: string): Promise<string[]> {
  const clip = await makeClip(folder, { name: 'drawn', durationSeconds: 1 });
  const silent = await makeClip(folder, { name: 'silent', durationSeconds: 1, silent: true });
  const asStream = join(folder, 'silent.mpegts');
  await remux(silent, 'mpegts', asStream);
  const paths = [clip];
  for (const container of [...CONTAINERS, ...OLD_CONTAINERS]) {
    const path = join(folder, `drawn.${container}`);
    const isOld = OLD_CONTAINERS.some((old) => old === container);
    await remux(isOld ? asStream : clip, container, path);
    paths.push(path);
  }
  return paths;
}

/** Damages files and measures them as an upload and its analysis would. */
export class MutationRun {
  readonly #folder: string;
  readonly #engine: MediaEngine;

  /** `folder`: a new one of its own. */
  constructor(folder: string) {
    this.#folder = folder;
    mkdirSync(folder, { recursive: true });
    const workRoot = join(folder, 'work');
    this.#engine = new MediaEngine({ workRoot, idleSeconds: IDLE_SECONDS, memoryBytes: 2 ** 30 });
  }

  async one(base: string, seed: number): Promise<MutationResult> {
    const { mutation, data } = mutate(readFileSync(base), seed);
    const path = join(this.#folder, `${seed}-${basename(base)}`);
    writeFileSync(path, data);
    const started = performance.now();
    const outcome = await this.#measure(path).then(
      () => 'measured',
      (error: Error) => error,
    );
    const seconds = (performance.now() - started) / 1000;
    const changed = !readFileSync(path).equals(data);
    rmSync(path);
    const late = seconds > 3 * (IDLE_SECONDS + GRACE_SECONDS);
    const untyped = outcome instanceof Error && !(outcome instanceof Failure);
    return {
      base: basename(base),
      seed,
      mutation,
      outcome: outcome instanceof Failure ? outcome.code : String(outcome),
      seconds,
      wrong: untyped ? String(outcome.stack) : late ? 'it hung' : changed ? 'the file was changed' : null,
    };
  }

  /** Leftovers of the children: none if all is well. */
  left(): string[] {
    return readdirSync(this.#folder, { recursive: true, encoding: 'utf8' }).filter((name) => name !== 'work');
  }

  async #measure(path: string): Promise<void> {
    const options = { signal: new AbortController().signal };
    await this.#engine.run('probe', { path, maxDurationSeconds: 3600 }, options);
    const folder = join(this.#folder, `${basename(path)}.d`);
    mkdirSync(folder);
    try {
      const motionLogPath = join(folder, 'motion.bin');
      const video = await this.#engine.run(
        'video',
        { path, motionLogPath, withSubjects: true },
        { ...options, folder },
      );
      await this.#engine.run('audio', { path, durationSeconds: null }, { ...options, folder });
      await this.#engine.run('motion', { motionLogPath, video }, { ...options, folder });
    } finally {
      rmSync(folder, { recursive: true });
    }
  }
}
