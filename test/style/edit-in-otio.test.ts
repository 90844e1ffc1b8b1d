/** An edit of takes as OpenTimelineIO, read back by a walk through its tracks as the format defines them. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { framesPerSecond } from '../../src/domain/time.ts';
import { FrameSchedule } from '../../src/render/timeline/frame-schedule.ts';
import { writeOtio } from '../../src/style/export/otio.ts';
import { CUT_TIMELINE, EDIT_MEDIA, EDIT_TIMELINE } from '../support/exported-edit.ts';

// biome-ignore lint/suspicious/noExplicitAny: a parsed document of another format
type Parsed = any;

const FPS = 25;
const URLS = ['clip.mp4', 'take-2/clip.mp4', 'beach.jpg', 'silent.mov'];
const schedule = new FrameSchedule(EDIT_TIMELINE);
const written: Parsed = JSON.parse(writeOtio(EDIT_TIMELINE, EDIT_MEDIA));
const tracks: Parsed[] = written.tracks.children;
const isClip = ({ OTIO_SCHEMA }: Parsed) => OTIO_SCHEMA === 'Clip.2';
const isTransition = ({ OTIO_SCHEMA }: Parsed) => OTIO_SCHEMA === 'Transition.1';
const referenceOf = (clip: Parsed) => clip.media_references[clip.active_media_reference_key];

/** Clips with their first frame in the track; gaps and clips follow each other, transitions take no time. */
function placedClips({ children }: Parsed) {
  let frame = 0;
  return children.flatMap((child: Parsed) => {
    if (isTransition(child)) return [];
    const start = frame;
    frame += child.source_range.duration.value;
    assert.equal(child.source_range.duration.rate, FPS);
    return isClip(child) ? [{ clip: child, start, end: frame }] : [];
  });
}

test('one video track, audio tracks for the takes and one for the song', () => {
  assert.deepEqual(
    tracks.map(({ name, kind }) => [name, kind]),
    [
      ['V1', 'Video'],
      ['A1', 'Audio'],
      ['A2', 'Audio'],
      ['Music', 'Audio'],
    ],
  );
});

test('the edit has the takes of its plan', () => {
  assert.deepEqual(written.metadata.styledna.takes, EDIT_TIMELINE.takes);
});

test('every frame outside transitions shows the right frame of the right file', () => {
  const clips = placedClips(tracks[0]);
  assert.equal(clips.at(-1).end, schedule.frameCount);
  for (let frame = 0; frame < schedule.frameCount; frame++) {
    const { first, transition } = schedule.at(frame);
    if (transition !== null) continue;
    const { clip, start } = clips.find((one: Parsed) => frame >= one.start && frame < one.end);
    const { take } = EDIT_TIMELINE.clips[first.clipIndex]!;
    assert.equal(referenceOf(clip).target_url, URLS[take]);
    assert.equal(clip.name, EDIT_MEDIA.takes[take]!.fileName);
    assert.equal(clip.metadata.styledna.take, take);
    if (EDIT_MEDIA.takes[take]!.durationSeconds === 0) continue;
    const shown = clip.source_range.start_time.value + frame - start;
    assert.ok(Math.abs(shown - first.sourceSeconds * FPS) <= 0.5, `frame ${frame} shows ${shown}`);
  }
});

test('clips and their transitions lie within the available range of their files', () => {
  const { children } = tracks[0];
  for (const [index, child] of children.entries()) {
    if (!isClip(child)) continue;
    const range = referenceOf(child).available_range;
    const available = (range.duration.value / range.duration.rate) * FPS;
    const before = isTransition(children[index - 1] ?? {}) ? children[index - 1].in_offset.value : 0;
    const after = isTransition(children[index + 1] ?? {}) ? children[index + 1].out_offset.value : 0;
    const { start_time, duration } = child.source_range;
    assert.ok(start_time.value - before >= 0, `${child.name} begins ${before} frames before its file`);
    assert.ok(start_time.value + duration.value + after <= available + 1e-6, child.name);
  }
  assert.deepEqual(
    children
      .filter(isTransition)
      .map(({ in_offset, out_offset }: Parsed) => [in_offset.value, out_offset.value]),
    [
      [0, 5],
      [5, 5],
      [5, 5],
      [5, 0],
    ],
  );
});

test('a transition for which no file has frames is a cut', () => {
  const { children } = JSON.parse(writeOtio(CUT_TIMELINE, EDIT_MEDIA)).tracks.children[0];
  assert.deepEqual(children.slice(0, 3).map(isTransition), [false, false, true]);
  assert.equal(children.filter(isTransition).length, 3);
});

test('a file has one available range; a photo is as long as it is shown', () => {
  const ranges = new Map<string, string>();
  for (const { clip } of tracks.flatMap(placedClips)) {
    const { target_url, available_range } = referenceOf(clip);
    const text = JSON.stringify(available_range);
    assert.equal(ranges.get(target_url) ?? text, text);
    ranges.set(target_url, text);
  }
  assert.equal(ranges.size, 4 + 1);
  const rate = framesPerSecond(EDIT_MEDIA.takes[1]!.frameRate);
  const secondsOf = (url: string) => {
    const { duration } = JSON.parse(ranges.get(url)!);
    return duration.value / duration.rate;
  };
  assert.ok(Math.abs(secondsOf('take-2/clip.mp4') - 12) < 1 / rate);
  assert.ok(Math.abs(secondsOf('song.mp3') - 61.37) < 1 / FPS);
  assert.equal(secondsOf('beach.jpg'), (5 + 30 + 5) / FPS);
});

test('each sound is in its place to the sample, with its gain and its fades', () => {
  const heard = tracks.slice(1).flatMap(placedClips);
  const expected = EDIT_TIMELINE.sound!.spans.filter(
    ({ source }) => source === 'music' || EDIT_MEDIA.takes[source]!.audioChannels > 0,
  );
  assert.equal(heard.length, expected.length);
  for (const one of expected) {
    const url = one.source === 'music' ? 'song.mp3' : URLS[one.source];
    const { clip, start, end } = heard.find(
      (other: Parsed) =>
        referenceOf(other.clip).target_url === url && other.start === Math.round(one.startSeconds * FPS),
    );
    assert.ok(Math.abs(end - one.endSeconds * FPS) <= 0.5);
    const offset = (clip.source_range.start_time.value - start) / FPS;
    assert.ok(Math.abs(offset - (one.sourceStartSeconds - one.startSeconds)) < 1 / 48_000);
    const { gainDb, fadeInSeconds, fadeOutSeconds } = clip.metadata.styledna;
    assert.deepEqual(
      [gainDb, fadeInSeconds, fadeOutSeconds],
      [one.gainDb, one.fadeInSeconds, one.fadeOutSeconds],
    );
  }
  const [song, fade, end] = tracks.at(-1).children;
  assert.deepEqual(song.metadata.styledna.musicGain, EDIT_TIMELINE.sound!.musicGain);
  assert.deepEqual(
    [fade.transition_type, fade.in_offset.value, fade.out_offset.value, end.OTIO_SCHEMA],
    ['SMPTE_Dissolve', 40, 0, 'Gap.1'],
  );
});

test('no two transitions are neighbors, and none is at an end of a track', () => {
  for (const { children } of tracks) {
    assert.ok(!isTransition(children[0]) && !isTransition(children.at(-1)));
    for (const [index, child] of children.slice(1).entries())
      assert.ok(!(isTransition(child) && isTransition(children[index])));
  }
});
