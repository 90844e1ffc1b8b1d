/** The judge of edits finds planted damage, and none where there is none. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { clicks, damagesOf, type JudgedEdit, songOff } from '../../bench/edit-judge/damage.ts';
import { lengthsOf, nearestTemplate } from '../../bench/edit-judge/name-template.ts';
import { cutsOf } from '../../bench/edit-judge/read-cuts.ts';
import { SAMPLE_RATE } from '../../bench/edit-judge/read-file.ts';
import { Random } from '../../bench/generate/random.ts';
import type { EditResult } from '../../src/style/model/edit-result.ts';
import { timelineClip, timelineOf } from '../support/timeline-clip.ts';

const RATE = 30;
const PIXELS = 80 * 45;
/** Start in take 0, in seconds; each slot lasts two. */
const STARTS = [4, 10, 20];

/** Noise that moves on from frame to frame, another picture in each slot. */
function moving(number: number): Uint8Array {
  const slot = Math.floor(number / (2 * RATE));
  return Uint8Array.from({ length: PIXELS }, (_, at) => 40 + 50 * slot + ((at + 3 * number) % 40));
}

const noise = (() => {
  const random = new Random(1);
  return Float32Array.from({ length: 12 * SAMPLE_RATE }, () => random.between(-0.3, 0.3));
})();

type Change = (edit: JudgedEdit) => JudgedEdit;

function made(change: Change): JudgedEdit {
  const slots = STARTS.map((start, at) => ({
    ...{ video_id: 'a', source_start_seconds: start, source_end_seconds: start + 2, pinned: false },
    ...{ start_seconds: 2 * at, end_seconds: 2 * at + 2, transition_in: null },
  }));
  const clips = STARTS.map((start) => timelineClip(start, start + 2));
  const music = { source: 'music' as const, sourceStartSeconds: 1, startSeconds: 0, endSeconds: 6 };
  const spans = [{ ...music, gainDb: 0, fadeInSeconds: 0, fadeOutSeconds: 0 }];
  return change({
    edit: { music_start_seconds: 1, slots, takes: [{ video_id: 'a' }] } as unknown as EditResult,
    timeline: { ...timelineOf(clips), sound: { spans, musicGain: [] } },
    pictures: { rate: RATE, frames: Array.from({ length: 6 * RATE }, (_, number) => moving(number)) },
    sound: noise.slice(SAMPLE_RATE, 7 * SAMPLE_RATE),
    song: noise,
    words: [],
    heads: [],
    templateShortestSeconds: 1,
    fileOf: (id) => id,
    takePictures: () => ({ rate: RATE, frames: [moving(0), moving(1)] }),
  });
}

function withFrames(from: number, to: number, frame: Uint8Array): Change {
  return (edit) => ({
    ...edit,
    pictures: { rate: RATE, frames: edit.pictures.frames.with(from, frame).fill(frame, from, to) },
  });
}

function withSpan(startSeconds: number, sourceStartSeconds: number): Change {
  const [span] = made((edit) => edit).timeline.sound!.spans;
  const spoken = { ...span!, source: 0, startSeconds, sourceStartSeconds, endSeconds: startSeconds + 1 };
  return (edit) => ({
    ...edit,
    timeline: { ...edit.timeline, sound: { spans: [span!, spoken], musicGain: [] } },
    words: [[{ startSeconds: 5, endSeconds: 5.4 }]],
  });
}

/** A face from .3 to .5 of the height and .4 to .5 of the width of take 0, shown by this crop. */
function withCrop(x: number, y: number): Change {
  const box = { x: 0.34, y: 0.2, width: 0.22, height: 0.64 };
  const boxes = Array.from({ length: 10 }, (_, at) => ({ timeSeconds: 4 + at / 5, box }));
  const track = { kind: 'face', startSeconds: 4, endSeconds: 6, boxes, salience: 1 } as const;
  const crop = { x, y, width: 0.5, height: 0.5 };
  return (edit) => ({
    ...edit,
    heads: [{ tracks: [track], aspect: 5 / 3 }],
    timeline: {
      ...edit.timeline,
      clips: edit.timeline.clips.map((clip) => ({ ...clip, fit: 'crop' as const, from: crop, to: crop })),
    },
  });
}

const PLANTED: readonly (readonly [what: string, found: readonly string[], change: Change])[] = [
  ['nothing', [], (edit) => edit],
  ['black frames', ['black'], withFrames(70, 73, new Uint8Array(PIXELS))],
  ['a picture that stands still', ['frozen'], withFrames(70, 85, moving(70))],
  ['a moment of standing still', [], withFrames(70, 76, moving(70))],
  ['sound that begins within a word', ['word cut'], withSpan(1, 5.2)],
  ['sound that begins before a word', [], withSpan(1, 4.98)],
  [
    'a transition with material of another slot',
    ['instant twice'],
    (edit) => {
      const clips = [timelineClip(4, 6), timelineClip(6.1, 8.1), timelineClip(20, 22)];
      const into = { type: 'dissolve', durationSeconds: 0.4, easing: 'linear', clipIndex: 1 } as const;
      return { ...edit, timeline: timelineOf(clips, [{ ...into, hasHandles: true }]) };
    },
  ],
  ['a crop that begins below the eyes', ['face cut'], withCrop(0.2, 0.38)],
  ['a crop that ends above the chin', ['face cut'], withCrop(0.2, -0.05)],
  ['a crop that divides a face', ['face cut'], withCrop(0.46, 0.2)],
  ['a crop that holds a face', [], withCrop(0.2, 0.15)],
  ['a crop beside a face', [], withCrop(0.5, 0.2)],
  [
    'a slot of .2 s',
    ['sliver'],
    (edit) => {
      const [first, ...rest] = edit.edit.slots;
      return { ...edit, edit: { ...edit.edit, slots: [{ ...first!, end_seconds: 0.2 }, ...rest] } };
    },
  ],
];

describe('damage', () => {
  for (const [what, found, change] of PLANTED)
    test(what, () =>
      assert.deepEqual(
        damagesOf(made(change)).map(({ kind }) => kind),
        found,
      ),
    );

  test('a step of the waveform at a cut is a click, elsewhere and in noise it is none', () => {
    const tone = Float32Array.from({ length: 6 * SAMPLE_RATE }, (_, at) => 0.3 * Math.sin(at / 40));
    const stepped = (at: number) =>
      tone.map((value, sample) => value + (sample < at * SAMPLE_RATE ? 0 : 0.2));
    const at = (sound: Float32Array) => clicks({ ...made((edit) => edit), sound }).length;
    assert.deepEqual([at(tone), at(stepped(2)), at(stepped(3)), at(noise)], [0, 1, 0, 0]);
  });

  test('a song that lags by 40 ms is off, by 20 ms it is not', () => {
    const lagging = (seconds: number) => {
      const sound = noise.subarray((1 - seconds) * SAMPLE_RATE, (7 - seconds) * SAMPLE_RATE);
      return songOff({ ...made((edit) => edit), sound }).length;
    };
    assert.deepEqual([lagging(0.04), lagging(-0.04), lagging(0.02)], [3, 3, 0]);
  });
});

describe('the reader of cuts', () => {
  test('finds cuts to the frame', () => {
    assert.deepEqual(cutsOf(made((edit) => edit).pictures), [2, 4]);
  });

  test('names the rhythm that is nearest, whatever number of shots is read', () => {
    const templates = [
      [1, 1, 1, 1, 1, 1],
      [4, 0.5, 0.5, 4, 0.5, 0.5],
      [0.5, 0.4, 0.5, 0.6, 0.5],
    ];
    assert.deepEqual(lengthsOf([1.1, 2], 3), [1.1, 0.8999999999999999, 1]);
    assert.equal(nearestTemplate([1.1, 0.9, 1], templates), 0);
    assert.equal(nearestTemplate([3.5, 0.5, 0.6, 3.6], templates), 1);
    assert.equal(nearestTemplate([0.5, 0.5, 0.5, 0.5, 0.5, 0.5, 0.5], templates), 2);
  });
});
