import assert from 'node:assert/strict';
import { test } from 'node:test';
import { timelineToOtio } from '../../src/style/export/otio.ts';
import type { SourceMedia } from '../../src/style/export/source-media.ts';
import type { Timeline } from '../../src/style/model/timeline.ts';
import { timelineClip } from '../support/timeline-clip.ts';

/** OpenTimelineIO's published "Serialized Data (Fields Only)", version 0.18; `children` is written out there only in prose. */
const ITEM = ['effects', 'enabled', 'markers', 'metadata', 'name', 'source_range'];
const FIELDS: Readonly<Record<string, readonly string[]>> = {
  'Timeline.1': ['global_start_time', 'metadata', 'name', 'tracks'],
  'Stack.1': [...ITEM, 'children'],
  'Track.1': [...ITEM, 'kind', 'children'],
  'Clip.2': [...ITEM, 'active_media_reference_key', 'media_references'],
  'Transition.1': ['in_offset', 'metadata', 'name', 'out_offset', 'transition_type'],
  'ExternalReference.1': ['available_image_bounds', 'available_range', 'metadata', 'name', 'target_url'],
  'TimeRange.1': ['duration', 'start_time'],
  'Marker.2': ['color', 'comment', 'marked_range', 'metadata', 'name'],
  'RationalTime.1': ['rate', 'value'],
};

type Json = Record<string, unknown>;

const NAME = 'my film #1.mov';

const MEDIA: SourceMedia = {
  fileName: NAME,
  durationSeconds: 12,
  frameRate: { numerator: 50, denominator: 1 },
  width: 1920,
  height: 1080,
  audioChannels: 2,
};

const FILES = { takes: [MEDIA], music: null };

const TIMELINE: Timeline = {
  version: 2,
  frameRate: { numerator: 30000, denominator: 1001 },
  width: 320,
  height: 180,
  clips: [
    timelineClip(0, 3),
    timelineClip(3, 5.5, { reason: 'source_cut' }),
    timelineClip(7, 9, { reason: 'trim', track: [{ timeSeconds: 7, x: 0.1, y: 0 }] }),
  ],
  transitions: [
    { clipIndex: 1, type: 'dissolve', durationSeconds: 0.5, easing: 'linear' },
    { clipIndex: 2, type: 'wipe', durationSeconds: 0.4, easing: 'ease_in', direction: 'left' },
  ],
  takes: [{ grade: null }],
  audio: { equalizer: [], compressor: null, targetLufs: -14, truePeakDbtp: -1 },
  captions: [
    { startSeconds: 1, endSeconds: 2.5, lines: ['Good', 'morning'], face: 'inter-semibold', baselineY: 160 },
  ],
};

/** Every object with a schema in it, the ones below `metadata` aside. */
function objectsIn(value: unknown): Json[] {
  if (typeof value !== 'object' || value === null) return [];
  const own = value as Json;
  const below = Object.entries(own).flatMap(([key, inner]) => (key === 'metadata' ? [] : objectsIn(inner)));
  return 'OTIO_SCHEMA' in own ? [own, ...below] : below;
}

const written = JSON.parse(JSON.stringify(timelineToOtio(TIMELINE, FILES))) as Json;

test('every object has the fields of its published schema, and no other', () => {
  const seen = new Set<string>();
  for (const { OTIO_SCHEMA: schema, ...fields } of objectsIn(written)) {
    seen.add(String(schema));
    assert.deepEqual(Object.keys(fields).sort(), [...FIELDS[String(schema)]].sort(), String(schema));
  }
  assert.deepEqual([...seen].sort(), Object.keys(FIELDS).sort());
});

test('the tracks run as long as the output, in whole frames, transitions between their clips', () => {
  const tracks = (written['tracks'] as Json)['children'] as Json[];
  assert.deepEqual(
    tracks.map(({ kind }) => kind),
    ['Video', 'Audio'],
  );
  for (const { kind, children } of tracks) {
    const clips = (children as Json[]).filter(({ OTIO_SCHEMA: schema }) => schema === 'Clip.2');
    const frames = clips.map(
      (clip) => ((clip['source_range'] as Json)['duration'] as Json)['value'] as number,
    );
    assert.ok(frames.every(Number.isInteger));
    assert.equal(
      frames.reduce((sum, count) => sum + count, 0),
      Math.round((7.5 * 30000) / 1001),
    );
    const schemas = (children as Json[]).map(({ OTIO_SCHEMA: schema }) => schema);
    const [clip, transition] = ['Clip.2', 'Transition.1'];
    assert.deepEqual(
      schemas,
      kind === 'Video' ? [clip, transition, clip, transition, clip] : [clip, clip, clip],
    );
  }
});

test('clips name the whole source, in its own frames', () => {
  const stylednaOf = ({ metadata }: Json) => (metadata as Record<string, Json>)['styledna'];
  assert.equal('takes' in stylednaOf(written), false, 'the only take has no number');
  const [video, audio] = (written['tracks'] as Json)['children'] as Json[];
  assert.deepEqual([video!['name'], audio!['name']], ['V1', 'A1']);
  const clips = (video!['children'] as Json[]).filter(({ OTIO_SCHEMA: schema }) => schema === 'Clip.2');
  assert.deepEqual(
    clips.map(({ name }) => name),
    [NAME, NAME, NAME],
  );
  for (const clip of clips) {
    assert.equal('take' in stylednaOf(clip), false);
    const media = (clip['media_references'] as Record<string, Json>)['DEFAULT_MEDIA'];
    // A relative URL (RFC 3986): other characters are escaped.
    assert.deepEqual([media['name'], media['target_url']], [NAME, 'my%20film%20%231.mov']);
    const range = media['available_range'] as Record<string, Json>;
    assert.deepEqual(
      [range['start_time']!['value'], range['duration']!['value'], range['duration']!['rate']],
      [0, 600, 50],
    );
  }
  const directions = objectsIn(written)
    .filter(({ OTIO_SCHEMA: schema }) => schema === 'Transition.1')
    .map(({ metadata }) => (metadata as Record<string, Json>)['styledna']['direction']);
  assert.deepEqual(directions, [null, 'left']);
  assert.equal(
    (written['global_start_time'] as Json | null)?.['value'] ?? 0,
    0,
    'the output begins at nought',
  );
});

test('a marker spans the time of each caption, and a tracking framing is stored', () => {
  const stack = written['tracks'] as Json;
  const [marker] = stack['markers'] as Json[];
  assert.equal(marker!['comment'], 'Good morning');
  const framesOf = (timeline: Timeline) => {
    const { markers } = timelineToOtio(timeline, FILES)['tracks'] as { markers: Json[] };
    const range = markers[0]!['marked_range'] as Record<string, Json>;
    return [range['start_time']!['value'], range['duration']!['value']];
  };
  const later = { ...TIMELINE.captions[0]!, startSeconds: 1.02, endSeconds: 2.51 };
  assert.deepEqual(framesOf(TIMELINE), [30, 45]);
  assert.deepEqual(framesOf({ ...TIMELINE, captions: [later] }), [31, 44], 'frames 30.57 to 75.22');
  const [video] = stack['children'] as Json[];
  const clip = (video!['children'] as Json[]).at(-1)!;
  const { track } = (clip['metadata'] as Record<string, Json>)['styledna'];
  assert.deepEqual(track, [{ timeSeconds: 7, x: 0.1, y: 0 }]);
});

test('a transition reaches as far to either side as it does in the output', () => {
  const [video] = (written['tracks'] as Json)['children'] as Json[];
  const transitions = (video!['children'] as Json[]).filter(
    ({ OTIO_SCHEMA: schema }) => schema === 'Transition.1',
  );
  const framesOf = (time: unknown) => (time as Json)['value'];
  assert.deepEqual(
    transitions.map((one) => [
      one['transition_type'],
      framesOf(one['in_offset']),
      framesOf(one['out_offset']),
    ]),
    // 15 frames and 12 of 29.97 a second.
    [
      ['SMPTE_Dissolve', 7, 8],
      ['Custom_Transition', 6, 6],
    ],
  );
  const shortest = { ...TIMELINE, transitions: [{ ...TIMELINE.transitions[0], durationSeconds: 0.01 }] };
  const [one] = objectsIn(timelineToOtio(shortest, FILES)).filter(
    ({ OTIO_SCHEMA: schema }) => schema === 'Transition.1',
  );
  assert.deepEqual([framesOf(one!['in_offset']), framesOf(one!['out_offset'])], [1, 1]);
});

test('a fade through a color carries that color', () => {
  const fade = {
    clipIndex: 1,
    type: 'fade_color',
    durationSeconds: 0.5,
    easing: 'linear',
    color: '#0040ff',
  } as const;
  const edit = timelineToOtio({ ...TIMELINE, transitions: [fade] }, FILES);
  const [transition] = objectsIn(edit).filter(({ OTIO_SCHEMA: schema }) => schema === 'Transition.1');
  assert.equal(transition!['transition_type'], 'Custom_Transition');
  assert.deepEqual(transition!['metadata'], {
    styledna: { type: 'fade_color', easing: 'linear', direction: null, color: '#0040ff' },
  });
});
