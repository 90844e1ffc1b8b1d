import assert from 'node:assert/strict';
import { test } from 'node:test';
import { soundOf } from '../../../web/src/player/compared-sound.ts';
import type { PlayedFiles, ProxyFile } from '../../../web/src/player/playback-plan.ts';
import { type Layer, mainLayer } from '../../../web/src/player/scene.ts';
import { timelineClip, timelineOf } from '../../support/timeline-clip.ts';

const file = (address: string): ProxyFile => ({ kind: 'video', address, hasSound: true });
const CLIPS = [timelineClip(2, 3), timelineClip(10, 12.5, { take: 1 }), timelineClip(5, 6)];
const TIMELINE = timelineOf(CLIPS, [
  { clipIndex: 1, type: 'dissolve', durationSeconds: 0.4, easing: 'linear' },
]);
const FILES: PlayedFiles = {
  timeline: {
    ...TIMELINE,
    audio: { equalizer: [], compressor: null, targetLufs: -14, truePeakDbtp: -1 },
    sound: { spans: [], musicGain: [{ timeSeconds: 0, gainDb: -12 }] },
  },
  takes: [file('a'), file('b')],
  music: file('song'),
};
const PLAIN = { equalizer: [], compressor: null, targetLufs: null, truePeakDbtp: null };

test('the sound of a plan is its own, that of a rendered output is one of two', () => {
  for (const side of ['before', 'after'] as const) assert.equal(soundOf(FILES, side), FILES);
  const rendered = { ...FILES, output: file('output') };
  const after = soundOf(rendered, 'after');
  assert.deepEqual([after.takes, after.music, after.timeline.sound], [[file('output')], null, undefined]);
  assert.deepEqual([after.timeline.audio, after.timeline.transitions], [PLAIN, []]);
  assert.deepEqual(
    after.timeline.clips.map(({ sourceStartSeconds, sourceEndSeconds }) => [
      sourceStartSeconds,
      sourceEndSeconds,
    ]),
    [[0, 4.5]],
  );
  const before = soundOf(rendered, 'before');
  assert.deepEqual([before.takes, before.music, before.timeline.audio], [rendered.takes, null, PLAIN]);
  const fades = { gainDb: 0, fadeInSeconds: 0, fadeOutSeconds: 0 };
  assert.deepEqual(before.timeline.sound, {
    spans: [
      { source: 0, sourceStartSeconds: 2, startSeconds: 0, endSeconds: 1, ...fades },
      { source: 1, sourceStartSeconds: 10, startSeconds: 1, endSeconds: 3.5, ...fades },
      { source: 0, sourceStartSeconds: 5, startSeconds: 3.5, endSeconds: 4.5, ...fades },
    ],
    musicGain: [],
  });
  const single = soundOf({ ...rendered, takes: [file('a')] }, 'before');
  assert.deepEqual([single.timeline.clips, single.timeline.sound], [CLIPS, undefined]);
});

test('the main layer of a transition is that of most of the frame', () => {
  const [first, second] = [{ picture: null }, { picture: null }] as unknown as [Layer, Layer];
  const scene = { number: 0, first, second, transition: null };
  assert.equal(mainLayer({ ...scene, progress: 0.49 }), first);
  assert.equal(mainLayer({ ...scene, progress: 0.5 }), second);
  assert.equal(mainLayer({ ...scene, second: null, progress: 0.9 }), first);
});
