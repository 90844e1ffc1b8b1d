import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { it } from 'node:test';
import type { Transition, TransitionType, VideoFacts } from '../../src/analysis/facts.ts';
import { VideoAnalysis } from '../../src/analysis/video.ts';
import { framesPerSecond } from '../../src/domain/time.ts';
import { openFrames } from '../../src/media/decode/frames.ts';
import { mediaPath } from '../support/media.ts';

interface Truth {
  readonly hard_cuts_s: readonly number[];
  readonly optional_cuts_s?: readonly number[];
  readonly transitions: readonly { type: string; start_s: number; end_s: number; optional?: boolean }[];
}

/** The truth's words for the kinds of transition; the others are ours. */
const KINDS: Readonly<Record<string, TransitionType>> = {
  fade: 'dissolve',
  fadeblack: 'fade_black',
  fadewhite: 'fade_white',
  fade_in_black: 'fade_black',
  wipeleft: 'wipe',
  slideup: 'slide',
  circleopen: 'circle',
};

async function measure(path: string): Promise<VideoFacts> {
  const analysis = new VideoAnalysis({
    width: 16,
    height: 9,
    hdr: false,
    isStill: false,
    containerDurationSeconds: null,
  });
  for await (const frame of openFrames(path, { thinned: true })) analysis.push(frame);
  return analysis.finish().facts;
}

/** Hard cuts within a frame, gradual transitions of the right kind that overlap by half, and nothing else. */
function compare(facts: VideoFacts, truth: Truth): void {
  const frameSeconds = 1 / framesPerSecond(facts.frameRate);
  const near = (cut: Transition, seconds: number) =>
    Math.abs(cut.endSeconds - seconds) <= 1.01 * frameSeconds;
  const cuts = facts.transitions.filter(({ type }) => type === 'cut');
  for (const seconds of truth.hard_cuts_s) {
    assert.ok(
      cuts.some((cut) => near(cut, seconds)),
      `no cut at ${seconds}`,
    );
  }
  const allowed = [...truth.hard_cuts_s, ...(truth.optional_cuts_s ?? [])];
  for (const cut of cuts) {
    assert.ok(
      allowed.some((seconds) => near(cut, seconds)),
      `false cut at ${cut.endSeconds}`,
    );
  }
  const gradual = facts.transitions.filter(({ type }) => type !== 'cut');
  for (const { type, start_s, end_s } of truth.transitions.filter(({ optional }) => optional !== true)) {
    const found = gradual.find((one) => {
      const shared = Math.min(one.endSeconds, end_s) - Math.max(one.startSeconds, start_s);
      return shared > (Math.max(one.endSeconds, end_s) - Math.min(one.startSeconds, start_s)) / 2;
    });
    assert.equal(found?.type, KINDS[type] ?? type, `${type} at ${start_s}`);
  }
  for (const { startSeconds, endSeconds } of gradual) {
    assert.ok(
      truth.transitions.some(({ start_s, end_s }) => start_s < endSeconds && startSeconds < end_s),
      `false transition at ${startSeconds}`,
    );
  }
}

const CLIPS = [
  'edits/edit_landscape_a.mp4',
  'edits/edit_vertical_a.mp4',
  'video/bbb_1_dissolve_timecode.mp4',
  'video/intel_cars_30s.mp4',
  'video/mdn_pig.mp4',
  'video/screenrec_vfr.mp4',
];

for (const clip of CLIPS) {
  it(`finds the truth of ${clip}`, async (t) => {
    const path = mediaPath(clip);
    const truthPath = mediaPath(clip.replace(/\.\w+$/, '.truth.json'));
    if (path === null || truthPath === null) return t.skip(`needs ../shared/media/${clip}`);
    compare(await measure(path), JSON.parse(readFileSync(truthPath, 'utf8')) as Truth);
  });
}
