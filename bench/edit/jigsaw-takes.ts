/** Shots of edited clips as takes of their own: encoded again, mirrored, with another grade, all in one size. */

import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { promisify } from 'node:util';
import type { ClipFacts } from '../../src/analysis/facts.ts';
import { materialOf } from '../../src/analysis/material/material.ts';
import { framesPerSecond } from '../../src/domain/time.ts';
import type { EditTake } from '../../src/style/edit/edit-plan.ts';
import { cachedFacts } from '../lib/cached-facts.ts';

const run = promisify(execFile);

/** Lighter or darker, more or less contrast and color, each shot of a clip another one in turn. */
const GRADES = [
  'eq=brightness=0.05:contrast=0.85:saturation=0.6',
  'eq=brightness=-0.04:contrast=1.15:saturation=1.3',
  'colorbalance=rm=0.12:bm=-0.12,eq=contrast=0.95',
  'eq=gamma=1.2:saturation=0.8',
];
/** Shots of less are slivers that detectors leave. */
const MIN_SECONDS = 0.3;

export interface JigsawTake extends EditTake {
  /** Clip and number of the shot in it. */
  readonly clip: string;
  readonly shot: number;
}

/** @param folder Keeps shots and their facts between runs. */
export async function shotTakes(path: string, facts: ClipFacts, folder: string): Promise<JigsawTake[]> {
  const takes: JigsawTake[] = [];
  const rate = framesPerSecond(facts.video.frameRate);
  for (const [shot, { startSeconds, endSeconds }] of facts.video.shots.entries()) {
    if (endSeconds - startSeconds < MIN_SECONDS) continue;
    const target = join(folder, `${basename(path)}.${shot}.mp4`);
    if (!existsSync(target)) {
      const frames = Math.round((endSeconds - startSeconds) * rate);
      const filter = `hflip,${GRADES[shot % GRADES.length]},scale=-2:360`;
      const start = Math.max(0, startSeconds - 0.25 / rate).toFixed(4);
      const words = [
        '-v',
        'error',
        '-y',
        '-i',
        path,
        '-ss',
        start,
        '-frames:v',
        `${frames}`,
        '-an',
        '-vf',
        filter,
      ];
      await run('ffmpeg', [...words, '-c:v', 'libx264', '-preset', 'veryfast', '-crf', '27', target]);
    }
    const material = materialOf(await cachedFacts(target, folder));
    const content = createHash('sha256').update(readFileSync(target)).digest('hex');
    takes.push({ content, material, exclude: [], mustUse: false, clip: path, shot });
  }
  return takes;
}
