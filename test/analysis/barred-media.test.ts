/** A clip in black bars is measured as the clip alone. */
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { meanShake } from '../../src/analysis/camera/shake.ts';
import { MIN_CONFIDENCE } from '../../src/analysis/confident-facts.ts';
import type { Box, MotionFacts, VideoFacts } from '../../src/analysis/facts.ts';
import { analyseMotion } from '../../src/analysis/motion.ts';
import { readMotionLog } from '../../src/analysis/optical-flow/log.ts';
import { VideoAnalysis } from '../../src/analysis/video.ts';
import { openFrames } from '../../src/media/decode/frames.ts';
import { temporaryFolder } from '../support/clips.ts';
import { measuredDials } from '../support/measured-dials.ts';
import { mediaPath } from '../support/media.ts';
import { refilm } from '../support/refilmed.ts';

interface Measured {
  readonly video: VideoFacts;
  readonly motion: MotionFacts;
}

async function measure(path: string): Promise<Measured> {
  const analysis = new VideoAnalysis({
    width: 16,
    height: 9,
    hdr: false,
    isStill: false,
    containerDurationSeconds: null,
  });
  for await (const frame of openFrames(path, { thinned: true })) analysis.push(frame);
  const { facts, motionLog } = analysis.finish();
  return { video: facts, motion: analyseMotion(readMotionLog(motionLog), facts) };
}

/** Bars take detail from the analysis pictures: the dials move by some points, and a dark one by more. */
const DIAL_TOLERANCE = 12;
const UPRIGHT = 'edits/edit_vertical_a.mp4';
const WIDE = 'edits/edit_landscape_a.mp4';
/** 9:16 leaves 202 of 640 columns. */
const CASES: readonly [string, string, string, Box][] = [
  [
    '9:16 in 16:9, bars of level 22 with noise in them',
    UPRIGHT,
    'scale=202:360,pad=640:360:219:0:color=0x161616,noise=alls=4:allf=t',
    box(219, 202, 640),
  ],
  [
    '9:16 aside in 16:9, with a logo in a bar',
    UPRIGHT,
    'scale=202:360,pad=640:360:100:0,drawbox=450:20:100:30:white:fill',
    box(100, 202, 640),
  ],
  [
    '16:9 in 9:16',
    WIDE,
    'scale=404:228,pad=404:720:0:246',
    { x: 0, y: 246 / 720, width: 1, height: 228 / 720 },
  ],
];

function box(left: number, wide: number, width: number): Box {
  return { x: left / width, y: 0, width: wide / width, height: 1 };
}

describe('a real clip in bars', { concurrency: 1 }, () => {
  const folder = temporaryFolder();
  const alone = new Map<string, Promise<Measured>>();
  for (const [index, [what, name, filters, area]] of CASES.entries()) {
    it(`is measured as alone: ${what}`, async (t) => {
      const path = mediaPath(name);
      if (path === null) return t.skip(`needs ../shared/media/${name}`);
      const [width, height] = /pad=(\d+):(\d+)/.exec(filters)!.slice(1).map(Number) as [number, number];
      const barred = await measure(
        await refilm(path, join(folder, `${index}.mp4`), { width, height, filters }),
      );
      if (!alone.has(name)) alone.set(name, measure(path));
      agree(barred, await alone.get(name)!, area);
    });
  }
});

function agree(barred: Measured, alone: Measured, area: Box): void {
  for (const side of ['x', 'y', 'width', 'height'] as const) {
    const found = barred.video.activeArea[side];
    assert.ok(Math.abs(found - area[side]) < 0.008, `${side} ${found}, wanted ${area[side]}`);
  }
  const types = ({ video }: Measured) => video.transitions.map(({ type }) => type);
  assert.deepEqual(types(barred), types(alone));
  for (const [at, { type, endSeconds }] of alone.video.transitions.entries()) {
    const tolerance = type === 'cut' ? 0.001 : 0.2;
    const found = barred.video.transitions[at].endSeconds;
    assert.ok(Math.abs(found - endSeconds) <= tolerance, `${type} at ${found}, alone at ${endSeconds}`);
  }
  const [dials, expected] = [measuredDials(barred.video.color.clip), measuredDials(alone.video.color.clip)];
  for (const name of Object.keys(expected) as (keyof typeof expected)[])
    assert.ok(
      Math.abs(dials[name] - expected[name]) <= DIAL_TOLERANCE,
      `${name} ${dials[name]}, wanted ${expected[name]}`,
    );
  const speeds = [barred, alone].map(({ motion }) => motion.medianSpeed) as [number, number];
  assert.ok(Math.abs(Math.log(speeds[0] / speeds[1])) < 0.35, `speeds ${speeds}`);
  const shakes = [barred, alone].map(({ video, motion }) => meanShake(video, motion)!) as [number, number];
  assert.ok(Math.abs(Math.log(shakes[0] / shakes[1])) < 0.35, `shakes ${shakes}`);
  const sure = alone.motion.shots
    .map((shot, at) => [shot, barred.motion.shots[at]] as const)
    .filter((pair) => pair.every(({ confidence }) => confidence >= 2 * MIN_CONFIDENCE.camera));
  const differing = sure.filter(([one, other]) => one.label !== other.label);
  assert.ok(
    sure.length >= 3 && differing.length <= 1,
    `camera: ${differing.map(([one, other]) => `${other.label}, alone ${one.label}`).join('; ')} of ${sure.length}`,
  );
}
