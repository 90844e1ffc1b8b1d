import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { ClipFacts, SubjectTrack } from '../../src/analysis/facts.ts';
import { jobConfigSchema } from '../../src/domain/job-config.ts';
import { type EditSummary, editSummarySchema } from '../../src/style/model/edit-summary.ts';
import type { Timeline } from '../../src/style/model/timeline.ts';
import { summariseEdit } from '../../src/style/plan/edit-summary.ts';
import { clipFacts, pulse } from '../support/clip-facts.ts';
import { timelineClip } from '../support/timeline-clip.ts';

const SOURCE = clipFacts({ video: { durationSeconds: 10 } });
const ON_BEATS = clipFacts({ video: { durationSeconds: 10 }, audio: pulse(60, 10) });
const GRADE = {
  lightness: [],
  chroma: 1,
  offsets: [],
  skinGuardDegrees: 8,
} as const;

/** A part of the picture of this width and height, from its middle. */
function part(width: number, height = width) {
  return { x: (1 - width) / 2, y: (1 - height) / 2, width, height };
}

const still = (width: number, height = width) => ({ from: part(width, height), to: part(width, height) });

function done(timeline: Partial<Timeline>, source: ClipFacts = SOURCE, afterLufs: number | null = -20) {
  const whole: Timeline = {
    version: 2,
    frameRate: { numerator: 25, denominator: 1 },
    width: 1280,
    height: 720,
    clips: [timelineClip(0, 10)],
    transitions: [],
    takes: [{ grade: null }],
    audio: null,
    captions: [],
    ...timeline,
  };
  const summary = summariseEdit({
    source,
    timeline: whole,
    config: jobConfigSchema.parse({ components: { color: 0.6 } }),
    output: { durationSeconds: 10, integratedLufs: afterLufs },
  });
  assert.deepEqual(editSummarySchema.parse(summary), summary, 'it is what the service declares');
  return summary;
}

const closer = (start: number, end: number, zoom: number) =>
  timelineClip(start, end, { reason: 'punch_in', ...still(1 / zoom) });
const wider = (start: number, end: number) => timelineClip(start, end, { reason: 'punch_in' });
/** Cuts at 2, 4, 6 and 8 s: closer, back, closer, back. */
const punched = (shift = 0): Partial<Timeline> => ({
  clips: [
    timelineClip(0, 2 + shift),
    closer(2 + shift, 4 + shift, 1.2),
    wider(4 + shift, 6 + shift),
    closer(6 + shift, 8 + shift, 1.4),
    wider(8 + shift, 10),
  ],
});
const cutInTwo = { clips: [timelineClip(0, 5), timelineClip(5, 10, { reason: 'source_cut' })] };
const face = { startSeconds: 0, endSeconds: 10, salience: 1, boxes: [] } as unknown as SubjectTrack;
const track = [
  { timeSeconds: 0, x: 0, y: 0 },
  { timeSeconds: 10, x: 0.5, y: 0 },
];
const upright = {
  width: 720,
  height: 1280,
  clips: [timelineClip(0, 10, { ...still(0.3164, 1), track })],
} satisfies Partial<Timeline>;
const speaking = (endSeconds: number) =>
  clipFacts({
    video: { durationSeconds: 10, faces: [face] },
    audio: { speech: { share: 1, confidence: 1, spans: [{ startSeconds: 0, endSeconds }] } },
  });

interface Row {
  readonly what: string;
  readonly timeline: Partial<Timeline>;
  readonly source?: ClipFacts;
  readonly afterLufs?: number | null;
  readonly text: string;
  readonly holds?: Partial<EditSummary>;
}

const ROWS: readonly Row[] = [
  {
    what: 'nothing',
    timeline: {},
    text: 'encoded again, and nothing else changed',
    holds: {
      entries: [],
      left_out_seconds: 0,
      loudness: { before_lufs: -20, after_lufs: -20, change_lu: 0 },
      cuts: { of_source: 0, added: 0, on_beat_share: null },
    },
  },
  {
    what: 'punch-ins, where there are no beats',
    timeline: punched(),
    text: '2 punch-ins among 4 added cuts',
    holds: {
      cuts: { of_source: 0, added: 4, on_beat_share: null },
      punch_ins: { count: 2, on_beat: null, median_zoom: 1.3 },
    },
  },
  {
    what: 'punch-ins as far from the beat as counts',
    timeline: punched(0.069),
    source: ON_BEATS,
    text: '2 punch-ins on the beat among 4 added cuts',
    holds: {
      cuts: { of_source: 0, added: 4, on_beat_share: 1 },
      punch_ins: { count: 2, on_beat: 2, median_zoom: 1.3 },
    },
  },
  {
    what: 'punch-ins further from it',
    timeline: punched(0.071),
    source: ON_BEATS,
    text: '2 punch-ins among 4 added cuts',
    holds: { cuts: { of_source: 0, added: 4, on_beat_share: 0 } },
  },
  {
    what: 'one punch-in',
    timeline: { clips: [timelineClip(0, 2), closer(2, 10, 1.1)] },
    text: '1 punch-in',
  },
  {
    what: 'a transition in place of a cut',
    timeline: {
      ...cutInTwo,
      transitions: [{ clipIndex: 1, type: 'dissolve', durationSeconds: 0.4, easing: 'linear' }],
    },
    source: ON_BEATS,
    text: '1 dissolve',
    holds: { transitions: { dissolve: 1 }, cuts: { of_source: 1, added: 0, on_beat_share: null } },
  },
  {
    what: 'a cut of the source',
    timeline: cutInTwo,
    text: 'encoded again, and nothing else changed',
    holds: { cuts: { of_source: 1, added: 0, on_beat_share: null }, entries: [] },
  },
  {
    what: 'parts left out',
    timeline: { clips: [timelineClip(1, 4), timelineClip(6, 10, { reason: 'trim' })] },
    text: '3.0 s left out',
    holds: { left_out_seconds: 3, cuts: { of_source: 0, added: 1, on_beat_share: null } },
  },
  {
    what: 'an end that is less than a frame short',
    timeline: { clips: [timelineClip(0, 9.97)] },
    text: 'encoded again, and nothing else changed',
    holds: { left_out_seconds: 0 },
  },
  { what: 'a crop that follows a thing', timeline: upright, text: 'cropped to 9:16 following the subject' },
  {
    what: 'one that follows who speaks half of the time',
    timeline: upright,
    source: speaking(5),
    text: 'cropped to 9:16 following the speaker',
    holds: { framing: { manner: 'crop', aspect_ratio: '9:16', follows: 'speaker' } },
  },
  {
    what: 'one that follows who hardly speaks',
    timeline: upright,
    source: speaking(4.9),
    text: 'cropped to 9:16 following the face',
  },
  {
    what: 'padding',
    timeline: { width: 720, height: 1280, clips: [timelineClip(0, 10, { fit: 'pad' })] },
    text: 'fitted into 9:16 over a blurred copy of itself',
  },
  {
    what: 'bars cut off at the same shape',
    timeline: { clips: [timelineClip(0, 10, still(0.8))] },
    text: 'cropped to 16:9',
  },
  {
    what: 'stabilization, whose margin is no crop',
    timeline: { clips: [timelineClip(0, 10, { ...still(0.9), steady: [{ timeSeconds: 0, x: 0, y: 0 }] })] },
    text: 'steadied',
    holds: { stabilised_seconds: 10, framing: { manner: 'kept', aspect_ratio: '16:9', follows: null } },
  },
  {
    what: 'a slow push-in',
    timeline: { clips: [timelineClip(0, 10, { from: part(1), to: part(0.8) })] },
    text: '1 slow push-in',
    holds: {
      entries: [{ at_seconds: 0, kind: 'push_in', text: 'slow push-in to 1.25×', source_seconds: 0 }],
    },
  },
  {
    what: 'another frame rate',
    timeline: { frameRate: { numerator: 30000, denominator: 1001 } },
    text: '25 → 29.97 frames a second',
  },
  {
    what: 'colors, by the strength of their own',
    timeline: { takes: [{ grade: GRADE }] },
    text: 'colors followed at strength 0.6',
    holds: { color_strength: 0.6 },
  },
  { what: 'louder sound', timeline: {}, afterLufs: -14.2, text: 'sound +6 LU' },
  { what: 'softer sound', timeline: {}, afterLufs: -20.5, text: 'sound −1 LU' },
  {
    what: 'sound that is not heard to differ',
    timeline: {},
    afterLufs: -19.6,
    text: 'encoded again, and nothing else changed',
  },
  {
    what: 'no sound',
    timeline: {},
    source: clipFacts({ video: { durationSeconds: 10 }, audio: null }),
    afterLufs: null,
    text: 'encoded again, and nothing else changed',
    holds: { loudness: null },
  },
];

describe('changes:', () => {
  for (const { what, timeline, source, afterLufs = -20, text, holds = {} } of ROWS) {
    test(what, () => {
      const summary = done(timeline, source, afterLufs);
      assert.equal(summary.text, text);
      for (const [name, value] of Object.entries(holds))
        assert.deepEqual(summary[name as keyof EditSummary], value, name);
    });
  }
});

test('entries lie in the order of the output, each with its moment of the source', () => {
  const { entries } = done(
    {
      clips: [
        timelineClip(1, 3),
        timelineClip(3, 5, { reason: 'punch_in', ...still(0.8) }),
        timelineClip(5, 6, { reason: 'source_cut' }),
        timelineClip(8, 10, { reason: 'trim', from: part(1), to: part(0.9), easing: 'ease_in_out' }),
      ],
      transitions: [{ clipIndex: 2, type: 'fade_black', durationSeconds: 0.6, easing: 'linear' }],
      captions: [
        { startSeconds: 5.5, endSeconds: 7, lines: ['Hello'], face: 'sans' as never, baselineY: 600 },
      ],
    },
    ON_BEATS,
  );
  assert.deepEqual(
    entries.map(({ at_seconds, kind, text, source_seconds }) => [at_seconds, kind, text, source_seconds]),
    [
      [0, 'left_out', '1.0 s left out', 1],
      [2, 'punch_in', 'punch-in 1.25× on the beat', 3],
      [3.7, 'transition', 'fade through black 0.6 s', 4.7],
      [5, 'left_out', '2.0 s left out', 8],
      [5, 'push_in', 'slow push-in to 1.11×', 8],
      [5.5, 'captions', 'captions begin', 8.5],
    ],
  );
});
