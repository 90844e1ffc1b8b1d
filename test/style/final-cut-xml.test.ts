/** Final Cut XML, read back by a parser of its own: each output frame shows the frame and the part of the source that the renderer draws. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { XMLParser, XMLValidator } from 'fast-xml-parser';
import { FrameSchedule } from '../../src/render/timeline/frame-schedule.ts';
import { writeFinalCutXml } from '../../src/style/export/final-cut-xml.ts';
import type { SourceMedia } from '../../src/style/export/source-media.ts';
import { framingAt } from '../../src/style/model/framing.ts';
import type { Timeline } from '../../src/style/model/timeline.ts';
import { timelineClip } from '../support/timeline-clip.ts';

const NAME = 'my <film> & "more" #1.mov';
const MEDIA: SourceMedia = {
  fileName: NAME,
  durationSeconds: 12,
  frameRate: { numerator: 60000, denominator: 1001 },
  width: 1920,
  height: 1080,
  audioChannels: 2,
};
const UPRIGHT = { x: 0.4, y: 0, width: 0.31640625, height: 1 };
const CLOSER = { x: 0.5, y: 0.25, width: 0.1582, height: 0.5 };

const TIMELINE: Timeline = {
  version: 2,
  frameRate: { numerator: 30000, denominator: 1001 },
  width: 1080,
  height: 1920,
  clips: [
    timelineClip(0, 3, { from: UPRIGHT, to: UPRIGHT }),
    timelineClip(3, 5.5, { from: UPRIGHT, to: CLOSER, reason: 'punch_in' }),
    timelineClip(7, 9, { from: UPRIGHT, to: UPRIGHT, reason: 'trim' }),
  ],
  transitions: [{ clipIndex: 2, type: 'dissolve', durationSeconds: 0.5, easing: 'linear' }],
  takes: [{ grade: null }],
  audio: { equalizer: [], compressor: null, targetLufs: -14, truePeakDbtp: -1 },
  captions: [
    { startSeconds: 1, endSeconds: 2.5, lines: ['Good', 'morning'], face: 'inter-semibold', baselineY: 1600 },
  ],
};

// biome-ignore lint/suspicious/noExplicitAny: a parsed document of another format
type Parsed = any;

function read(timeline: Timeline, media: SourceMedia = MEDIA): Parsed {
  const text = writeFinalCutXml(timeline, { takes: [media], music: null });
  assert.equal(XMLValidator.validate(text), true);
  return new XMLParser({ ignoreAttributes: false, attributeNamePrefix: '@' }).parse(text).xmeml.sequence;
}

const list = (value: Parsed): Parsed[] => (value === undefined ? [] : [value].flat());
const parameterOf = (item: Parsed, id: string) =>
  list(item.filter.effect.parameter).find(({ parameterid }: Parsed) => parameterid === id);

test('every frame outside transitions shows the frame of the source that is drawn', () => {
  const sequence = read(TIMELINE);
  const items = list(sequence.media.video.track.clipitem);
  const schedule = new FrameSchedule(TIMELINE);
  assert.equal(sequence.duration, schedule.frameCount);
  assert.deepEqual([sequence.rate.timebase, sequence.rate.ntsc], [30, 'TRUE']);
  const transition = sequence.media.video.track.transitionitem;
  let compared = 0;
  for (let frame = 0; frame < schedule.frameCount; frame++) {
    const { first, transition: under } = schedule.at(frame);
    if (under !== null) continue;
    const item = items[first.clipIndex];
    const { start, in: sourceIn } = item;
    // A start of −1 is that of the transition before.
    const from = start === -1 ? transition.start : start;
    const shown = sourceIn + (frame - from) * 2;
    const drawn = (first.sourceSeconds * 60000) / 1001;
    assert.ok(Math.abs(shown - drawn) <= 1, `frame ${frame} shows ${shown}, drawn is ${drawn}`);
    compared++;
  }
  assert.ok(compared > 200);
});

test('scale and centre show the part of the source that is drawn', () => {
  const [still, moving] = list(read(TIMELINE).media.video.track.clipitem);
  const partOf = (scale: number, { horiz, vert }: { horiz: number; vert: number }) => {
    const width = TIMELINE.width / ((scale / 100) * MEDIA.width);
    const height = TIMELINE.height / ((scale / 100) * MEDIA.height);
    const middle = [0.5 - horiz / (scale / 100), 0.5 - vert / (scale / 100)];
    return [middle[0] - width / 2, middle[1] - height / 2, width, height];
  };
  const near = (found: readonly number[], box: typeof UPRIGHT) =>
    [box.x, box.y, box.width, box.height].forEach((value, index) => {
      assert.ok(Math.abs(found[index] - value) < 0.002, `${found} is not ${JSON.stringify(box)}`);
    });
  near(partOf(parameterOf(still, 'scale').value, parameterOf(still, 'center').value), UPRIGHT);
  assert.equal(parameterOf(still, 'scale').keyframe, undefined);
  const scales = list(parameterOf(moving, 'scale').keyframe);
  const centres = list(parameterOf(moving, 'center').keyframe);
  assert.deepEqual(
    scales.map(({ when }: Parsed) => when),
    [Math.round((3 * 60000) / 1001), Math.round((5.5 * 60000) / 1001)],
  );
  near(partOf(scales[0].value, centres[0].value), UPRIGHT);
  near(partOf(scales[1].value, centres[1].value), CLOSER);
});

test('a followed subject has the framing of the renderer at both ends of the clip and at its own keys', () => {
  const track = [2, 4, 6].map((timeSeconds, index) => ({ timeSeconds, x: 0.1 + 0.2 * index, y: 0 }));
  const clip = timelineClip(3, 5, { from: UPRIGHT, to: UPRIGHT, track });
  const item = read({ ...TIMELINE, clips: [clip], transitions: [] }).media.video.track.clipitem;
  const keys = list(parameterOf(item, 'center').keyframe);
  const scale = parameterOf(item, 'scale').value / 100;
  assert.deepEqual(
    keys.map(({ when }: Parsed) => when),
    [3, 4, 5].map((seconds) => Math.round((seconds * 60000) / 1001)),
  );
  for (const [index, seconds] of [3, 4, 5].entries()) {
    const { x, width } = framingAt(clip, (seconds - 3) / 2, seconds);
    const middle = 0.5 - keys[index].value.horiz / scale;
    assert.ok(Math.abs(middle - (x + width / 2)) < 1e-5, `${middle} at ${seconds} s`);
  }
});

test('a dissolve reaches as far as the source has frames, and lies over the cut', () => {
  const sequence = read(TIMELINE);
  const { transitionitem: transition, clipitem: items } = sequence.media.video.track;
  const cut = Math.round((5.5 * 30000) / 1001);
  assert.deepEqual([transition.start, transition.end], [cut - 7, cut + 7]);
  assert.deepEqual([items[1].end, items[2].start], [-1, -1]);
  assert.equal(items[1].out, Math.round((5.5 * 60000) / 1001) + 14);
  const atTheEnd = { ...MEDIA, durationSeconds: 5.6 };
  const short = { ...TIMELINE, clips: [timelineClip(0, 3), timelineClip(3, 5.5), timelineClip(5.5, 5.6)] };
  const shown = read(short, atTheEnd).media.video.track.transitionitem;
  assert.ok(shown.end - cut <= 3, `${shown.end - cut} frames after the cut`);
});

test('sound is linked to its picture, the source is described once', () => {
  const sequence = read(TIMELINE);
  const tracks = list(sequence.media.audio.track);
  assert.equal(tracks.length, 2);
  const [item] = tracks[1].clipitem;
  assert.deepEqual([item.start, item.end, item.sourcetrack.trackindex], [0, 90, 2]);
  assert.deepEqual(
    list(tracks[0].clipitem[1].link).map((link) => [
      link.linkclipref,
      link.mediatype,
      link.trackindex,
      link.clipindex,
    ]),
    [
      ['video-2', 'video', 1, 2],
      ['audio-1-2', 'audio', 1, 2],
      ['audio-2-2', 'audio', 2, 2],
    ],
  );
  const [first, second] = sequence.media.video.track.clipitem;
  assert.deepEqual([first.file.name, first.file.duration], [NAME, 719]);
  assert.equal(decodeURIComponent(first.file.pathurl), NAME);
  assert.deepEqual(second.file, { '@id': first.file['@id'] });
  const silent = read({ ...TIMELINE, audio: null }, { ...MEDIA, audioChannels: 0 });
  assert.equal(silent.media.audio, undefined);
});

test('transitions have the effects of Final Cut; others are a dissolve with their own name', () => {
  const dip = ['Dip to Color Dissolve', 'Dip to Color Dissolve', 'Dissolve'] as const;
  const wipe = ['Edge Wipe', 'Edge Wipe', 'Wipe'] as const;
  const own = (name: string) => [`${name} (StyleDNA)`, 'Cross Dissolve', 'Dissolve'] as const;
  // [transition, name, id and category of the effect, its wipe code and direction, or its color]
  const rows = [
    [{ type: 'dissolve' }, ['Cross Dissolve', 'Cross Dissolve', 'Dissolve'], null],
    [{ type: 'slide', direction: 'left' }, own('Slide'), null],
    [{ type: 'circle' }, own('Circle'), null],
    [{ type: 'zoom' }, own('Zoom'), null],
    [{ type: 'wipe', direction: 'right' }, wipe, [1, 'FALSE']],
    [{ type: 'wipe', direction: 'left' }, wipe, [1, 'TRUE']],
    [{ type: 'wipe', direction: 'down' }, wipe, [2, 'FALSE']],
    [{ type: 'wipe', direction: 'up' }, wipe, [2, 'TRUE']],
    [{ type: 'wipe' }, wipe, [1, 'FALSE']],
    [{ type: 'fade_white' }, dip, [255, 255, 255]],
    [{ type: 'fade_black' }, dip, [0, 0, 0]],
    [{ type: 'fade_color', color: '#0a40ff' }, dip, [10, 64, 255]],
    [{ type: 'fade_color' }, dip, [0, 0, 0]],
  ] as const;
  const clips = Array.from({ length: rows.length + 1 }, (_, at) => timelineClip(at / 2 + 1, at / 2 + 2));
  const transitions = rows.map(([change], at) => ({
    ...({ clipIndex: at + 1, durationSeconds: 0.2, easing: 'linear' } as const),
    ...change,
  }));
  const items = list(read({ ...TIMELINE, audio: null, clips, transitions }).media.video.track.transitionitem);
  for (const [at, [{ type }, names, values]] of rows.entries()) {
    const { effect } = items[at];
    const { red, green, blue, alpha } = effect.parameter?.value ?? {};
    assert.deepEqual([effect.name, effect.effectid, effect.effectcategory], names);
    if (type === 'wipe') assert.deepEqual([effect.wipecode, effect.reverse], values, `row ${at}`);
    else assert.deepEqual(effect.parameter === undefined ? null : [red, green, blue], values);
    if (type.startsWith('fade')) assert.equal(alpha, 0);
  }
});

test('a transition without a clip on each side is left out; a long one ends with its clips', () => {
  const dissolve = (clipIndex: number, durationSeconds: number) => ({
    ...({ clipIndex, durationSeconds, type: 'dissolve', easing: 'linear' } as const),
  });
  const itemOf = (transition: Timeline['transitions'][number]) =>
    read({ ...TIMELINE, audio: null, transitions: [transition] }).media.video.track.transitionitem;
  for (const clipIndex of [0, 3]) assert.equal(itemOf(dissolve(clipIndex, 0.5)), undefined);
  // The clips before and after the cut at frame 165 have 75 and 60 frames.
  const cases = [6, 0.5, 0.001].map((seconds) => itemOf(dissolve(2, seconds)));
  assert.deepEqual(
    cases.map(({ start, end, alignment }) => [start, end, alignment]),
    [
      [90, 225, 'center'],
      [158, 172, 'center'],
      [164, 166, 'center'],
    ],
  );
});

test('a marker lies on the frames that are nearest to its caption’s times', () => {
  const captions = [
    [1, 2.5],
    [1.02, 2.52],
  ].map(([startSeconds, endSeconds]) => ({ ...TIMELINE.captions[0]!, startSeconds, endSeconds }));
  const markers = list(read({ ...TIMELINE, audio: null, captions }).marker);
  assert.deepEqual(
    markers.map((marker) => [marker.name, marker.comment, marker.in, marker.out]),
    [
      ['Good morning', 'Good morning', 30, 75],
      ['Good morning', 'Good morning', 31, 76],
    ],
  );
});

test('a file name with characters that XML forbids cannot break the document', () => {
  const sequence = read(TIMELINE, { ...MEDIA, fileName: 'a\u0000b\u001f]]></name><clipitem>\ud800.mp4' });
  assert.equal(sequence.media.video.track.clipitem.length, 3);
});
