/** A client that polls sees progress: on a clip long enough to reveal a silent period. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { makeClip, temporaryFolder } from '../support/clips.ts';
import { createJob, type Sighting, uploaded } from '../support/running-job.ts';
import { startService } from '../support/service.ts';

/** A second is the promise; a busy machine gets another. */
const LONGEST_SILENCE_MS = 2_000;
const [WIDTH, HEIGHT] = [1280, 720];

/** Textured scenes that pan, with a cut every two seconds: every detector has something to do. */
function drawScene(rgb: Uint8Array, seconds: number): void {
  const scene = Math.floor(seconds / 2);
  const shift = Math.round(seconds * 90);
  for (let y = 0, at = 0; y < HEIGHT; y++) {
    for (let x = 0; x < WIDTH; x++, at += 3) {
      const cell = (((x + shift) >> 4) * (31 + scene) + (y >> 4) * (17 + 5 * scene)) & 127;
      rgb[at] = 60 + cell;
      rgb[at + 1] = 40 + ((cell * (3 + scene)) & 127);
      rgb[at + 2] = 120 - (cell >> 1);
    }
  }
}

/** Kicks at 120 a minute and a tone that changes with them: beats, onsets and chroma. */
function music(seconds: number): number {
  const beat = seconds % 0.5;
  const note = 220 * 2 ** ((Math.floor(seconds / 0.5) % 5) / 12);
  return 0.6 * Math.exp(-18 * beat) * Math.sin(330 * beat) + 0.15 * Math.sin(2 * Math.PI * note * seconds);
}

test('progress moves at least every second of work', async (t) => {
  const path = await makeClip(temporaryFolder(), {
    name: 'long',
    width: WIDTH,
    height: HEIGHT,
    durationSeconds: 12,
    frameRate: { numerator: 15, denominator: 1 },
    draw: drawScene,
    audio: music,
    crf: 30,
  });
  await using service = await startService();
  await using job = await createJob(service, { video_id: await uploaded(service, path) });
  assert.equal((await job.ended()).status, 'completed');
  const { longestMs, where } = longestSilence(job.seen);
  t.diagnostic(`longest silence ${Math.round(longestMs)} ms, ${where}`);
  assert.ok(longestMs <= LONGEST_SILENCE_MS, `${Math.round(longestMs)} ms without progress ${where}`);
});

function longestSilence(seen: readonly Sighting[]): { longestMs: number; where: string } {
  let longest = { longestMs: 0, where: '' };
  const working = seen.filter(({ status }) => status !== 'queued');
  let moved = working[0];
  for (const now of working.slice(1)) {
    if (now.percent === moved.percent && now.stage === moved.stage) continue;
    const where = `in ${moved.stage} at ${moved.percent} %`;
    if (now.atMs - moved.atMs > longest.longestMs) longest = { longestMs: now.atMs - moved.atMs, where };
    moved = now;
  }
  return longest;
}
