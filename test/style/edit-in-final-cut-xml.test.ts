/** An edit of takes as Final Cut XML, read back by a parser of its own. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { XMLParser, XMLValidator } from 'fast-xml-parser';
import { framesPerSecond } from '../../src/domain/time.ts';
import { FrameSchedule } from '../../src/render/timeline/frame-schedule.ts';
import { writeFinalCutXml } from '../../src/style/export/final-cut-xml.ts';
import type { SoundSpan } from '../../src/style/model/timeline.ts';
import { CUT_TIMELINE, EDIT_MEDIA, EDIT_TIMELINE, mixedGain } from '../support/exported-edit.ts';

// biome-ignore lint/suspicious/noExplicitAny: a parsed document of another format
type Parsed = any;

const list = (value: Parsed): Parsed[] => (value === undefined ? [] : [value].flat());
const FPS = 25;
const schedule = new FrameSchedule(EDIT_TIMELINE);

const text = writeFinalCutXml(EDIT_TIMELINE, EDIT_MEDIA);
assert.equal(XMLValidator.validate(text), true);
const sequence: Parsed = new XMLParser({ ignoreAttributes: false, attributeNamePrefix: '@' }).parse(text)
  .xmeml.sequence;
const videoItems = list(sequence.media.video.track.clipitem);
const transitions = list(sequence.media.video.track.transitionitem);
const audioTracks = list(sequence.media.audio.track);
const audioItems = audioTracks.flatMap(({ clipitem }) => list(clipitem));

/** Files by their ids: each is described where it is first used. */
const files = new Map<string, Parsed>();
for (const { file } of [...videoItems, ...audioItems]) {
  const id = file['@id'];
  assert.equal(Object.keys(file).length > 1, !files.has(id), `${id} is described once, at its first use`);
  if (!files.has(id)) files.set(id, file);
}
const urlOf = (item: Parsed) => files.get(item.file['@id']).pathurl;
const URLS = ['clip.mp4', 'take-2/clip.mp4', 'beach.jpg', 'silent.mov'];

test('two takes with one name are two files, and each clip has the name of its file', () => {
  assert.deepEqual([...files.values()].map(({ pathurl }) => pathurl).sort(), [...URLS, 'song.mp3'].sort());
  for (const item of [...videoItems, ...audioItems]) assert.equal(item.name, urlOf(item).split('/').at(-1));
});

test('every frame outside transitions shows the frame of the take that is drawn', () => {
  let compared = 0;
  for (let frame = 0; frame < schedule.frameCount; frame++) {
    const { first, transition } = schedule.at(frame);
    if (transition !== null) continue;
    const item = videoItems[first.clipIndex];
    const entering = transitions.find(
      ({ start, end }) => item.start === -1 && isOver(start, end, first.clipIndex),
    );
    const from = item.start === -1 ? entering.start : item.start;
    const { take } = EDIT_TIMELINE.clips[first.clipIndex]!;
    assert.equal(urlOf(item), URLS[take]);
    if (item.stillframe === true || item.stillframe === 'TRUE') continue;
    const rate = framesPerSecond(EDIT_MEDIA.takes[take]!.frameRate);
    const shown = item.in + ((frame - from) / FPS) * rate;
    assert.ok(Math.abs(shown - first.sourceSeconds * rate) <= 1, `frame ${frame} shows ${shown}`);
    compared++;
  }
  assert.ok(compared > 100);
});

/** Whether a transition of the sequence lies on the cut before the clip. */
function isOver(start: number, end: number, clipIndex: number): boolean {
  const cut = Math.round(
    EDIT_TIMELINE.clips
      .slice(0, clipIndex)
      .reduce((sum, clip) => sum + (clip.sourceEndSeconds - clip.sourceStartSeconds) * FPS, 0),
  );
  return start <= cut && cut <= end;
}

test('no clip or transition reaches beyond its file', () => {
  for (const item of [...videoItems, ...audioItems]) {
    assert.ok(item.in >= 0 && item.in < item.out && item.out <= item.duration, JSON.stringify(item));
    assert.equal(item.duration, files.get(item.file['@id']).duration);
  }
  assert.deepEqual(
    transitions.map(({ start, end, alignment }) => [start, end, alignment]),
    [
      [50, 55, 'start'],
      [75, 85, 'center'],
      [105, 115, 'center'],
      [170, 175, 'end'],
    ],
  );
});

test('a transition for which no file has frames is a cut', () => {
  assert.equal(transitions.length, 4);
  const cut = writeFinalCutXml(CUT_TIMELINE, EDIT_MEDIA);
  assert.equal(cut.match(/<transitionitem>/g)?.length, 3);
});

test('a photo is a still, as long as it is shown, and moves inside its clip', () => {
  const stills = videoItems.filter(({ stillframe }) => stillframe !== undefined);
  assert.equal(stills.length, 2);
  for (const item of stills) {
    assert.equal(urlOf(item), 'beach.jpg');
    const keys = list(item.filter.effect.parameter[0].keyframe).map(({ when }: Parsed) => when);
    assert.ok(keys[0] >= item.in && keys.at(-1) <= item.out, `${keys} in ${item.in} to ${item.out}`);
    assert.equal(keys.at(-1) - keys[0], 30);
  }
});

test('a photo without a transition begins at its first frame', () => {
  const clip = EDIT_TIMELINE.clips[2]!;
  const { sound: _, ...silent } = EDIT_TIMELINE;
  const alone = writeFinalCutXml({ ...silent, audio: null, clips: [clip], transitions: [] }, EDIT_MEDIA);
  const item = new XMLParser().parse(alone).xmeml.sequence.media.video.track.clipitem;
  assert.deepEqual([item.start, item.end, item.in, item.out, item.duration], [0, 30, 0, 30, 30]);
});

/** The item of a span in a channel. */
function itemsOf(one: SoundSpan): Parsed[] {
  const url = one.source === 'music' ? 'song.mp3' : URLS[one.source];
  const start = Math.round(one.startSeconds * FPS);
  return audioItems.filter((item) => urlOf(item) === url && item.start === start);
}

test('each sound is in its place, in both channels, with the gain of the renderer', () => {
  for (const one of EDIT_TIMELINE.sound!.spans) {
    const items = itemsOf(one);
    const media = one.source === 'music' ? EDIT_MEDIA.music! : EDIT_MEDIA.takes[one.source]!;
    assert.equal(items.length, media.audioChannels === 0 ? 0 : 2, `${one.source} at ${one.startSeconds}`);
    const rate = one.source === 'music' ? FPS : framesPerSecond(EDIT_MEDIA.takes[one.source]!.frameRate);
    for (const [channel, item] of items.entries()) {
      assert.ok(Math.abs(item.end - one.endSeconds * FPS) <= 0.5);
      const seconds = item.in / rate - item.start / FPS;
      const drift = Math.abs(seconds - (one.sourceStartSeconds - one.startSeconds)) * FPS;
      assert.ok(drift <= 0.5, `${one.source} is off by ${drift} frames`);
      assert.equal(item.sourcetrack.trackindex, Math.min(channel + 1, media.audioChannels));
      for (let frame = item.start + 2; frame <= item.end - 2; frame++) {
        const error =
          20 * Math.log10(levelAt(item, rate, frame) / mixedGain(EDIT_TIMELINE, one, frame / FPS));
        assert.ok(Math.abs(error) < 0.6, `${one.source} at frame ${frame}: ${error} dB`);
      }
      assert.equal(levelAt(item, rate, item.start), 0);
    }
  }
});

/** Linear between the keyframes. */
function levelAt(item: Parsed, rate: number, frame: number): number {
  const { value, keyframe } = item.filter.effect.parameter;
  const keys = list(keyframe);
  if (keys.length === 0) return value;
  const when = item.in + ((frame - item.start) / FPS) * rate;
  const next = keys.findIndex((key) => key.when > when);
  if (next <= 0) return (next === 0 ? keys[0] : keys.at(-1)).value;
  const [before, after] = [keys[next - 1], keys[next]];
  return before.value + ((after.value - before.value) * (when - before.when)) / (after.when - before.when);
}

test('items of one track never overlap, and linked items exist', () => {
  const ids = new Map([...videoItems, ...audioItems].map((item) => [item['@id'], item]));
  for (const [index, { clipitem, outputchannelindex }] of audioTracks.entries()) {
    assert.equal(outputchannelindex, (index % 2) + 1);
    const items = list(clipitem);
    for (const [at, item] of items.slice(1).entries()) assert.ok(items[at].end < item.start);
  }
  const linked = (item: Parsed) => list(item.link).map(({ linkclipref }: Parsed) => linkclipref);
  for (const item of ids.values()) for (const id of linked(item)) assert.ok(ids.has(id), id);
  // The phrase that runs over its cut is still linked to its picture; the song to its other channel alone.
  assert.deepEqual(linked(videoItems[0]), ['video-1', 'audio-1-1', 'audio-2-1']);
  assert.deepEqual(linked(audioItems.at(-1)), ['audio-5-1', 'audio-6-1']);
});
