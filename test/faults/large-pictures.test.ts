/** The largest pictures that uploads may have, through the real child, within the memory that is planned for them. */
import assert from 'node:assert/strict';
import { mkdirSync } from 'node:fs';
import { totalmem } from 'node:os';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { QUALITIES, type Quality } from '../../src/domain/job-choices.ts';
import { MediaEngine } from '../../src/pipeline/engine/engine.ts';
import { type Timeline, wholeClip } from '../../src/style/model/timeline.ts';
import { temporaryFolder } from '../support/clips.ts';
import { type PhoneClip, writePhoneClip } from '../support/phone-clip.ts';

interface Case {
  readonly what: string;
  readonly clip: PhoneClip;
  readonly quality: Quality;
  readonly change: Partial<Timeline>;
  /** More than this the child may not take. */
  readonly memoryBytes: number;
}

const DISSOLVE = { type: 'dissolve', easing: 'linear' } as const;

const CASES: readonly Case[] = [
  {
    what: '4K60 of ten bits at ultra, with a transition',
    clip: { width: 3840, height: 2160, framesPerSecond: 60, frameCount: 60 },
    quality: 'ultra',
    change: {
      clips: [wholeClip(0, 0.5), wholeClip(0.5, 1, 'source_cut')],
      transitions: [{ ...DISSOLVE, clipIndex: 1, durationSeconds: 0.8 }],
    },
    memoryBytes: 2.5e9,
  },
  {
    what: '8192×4320 at ultra',
    clip: { width: 8192, height: 4320, framesPerSecond: 30, frameCount: 20 },
    quality: 'ultra',
    change: { clips: [wholeClip(0, 20 / 30)] },
    memoryBytes: 7e9,
  },
  {
    what: 'parts left out of 1080p60 do not stay in memory',
    clip: { width: 1920, height: 1080, framesPerSecond: 60, frameCount: 240 },
    quality: 'low',
    change: {
      clips: [wholeClip(0, 0.5), wholeClip(3.5, 4, 'trim')],
      transitions: [{ ...DISSOLVE, clipIndex: 1, durationSeconds: 0.5 }],
    },
    memoryBytes: 9e8,
  },
];

describe('large pictures', { concurrency: 1 }, () => {
  const folder = temporaryFolder();
  for (const [index, { what, clip, quality, change, memoryBytes }] of CASES.entries()) {
    const skip = totalmem() < 2 * memoryBytes ? `needs a machine with ${(2 * memoryBytes) / 1e9} GB` : false;
    test(`${what}: within ${memoryBytes / 1e9} GB`, { skip }, async () => {
      const work = join(folder, String(index));
      mkdirSync(work);
      const sourcePath = await writePhoneClip(join(folder, `${index}.mp4`), clip);
      const { maxLines, compression } = QUALITIES[quality];
      const scale = maxLines === null ? 1 : maxLines / clip.height;
      const timeline: Timeline = {
        version: 2,
        frameRate: { numerator: clip.framesPerSecond, denominator: 1 },
        width: 2 * Math.round((clip.width * scale) / 2),
        height: 2 * Math.round((clip.height * scale) / 2),
        clips: [],
        transitions: [],
        takes: [{ grade: null }],
        audio: null,
        captions: [],
        ...change,
      };
      const engine = new MediaEngine({ workRoot: join(folder, 'work'), idleSeconds: 300, memoryBytes });
      const rendered = await engine.run(
        'render',
        {
          takePaths: [sourcePath],
          timeline,
          ...compression,
          outputPath: join(work, 'out.mp4'),
          posterPath: join(work, 'p.jpg'),
        },
        { signal: new AbortController().signal, folder: work, mediaSeconds: 1, source: clip },
      );
      const seconds = timeline.clips.reduce(
        (sum, one) => sum + one.sourceEndSeconds - one.sourceStartSeconds,
        0,
      );
      assert.equal(rendered.frameCount, Math.round(seconds * clip.framesPerSecond));
    });
  }
});
