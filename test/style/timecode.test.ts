/** Start timecodes in both exports, against labels that are counted one by one. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { XMLParser } from 'fast-xml-parser';
import { framesPerSecond } from '../../src/domain/time.ts';
import { writeFinalCutXml } from '../../src/style/export/final-cut-xml.ts';
import { writeOtio } from '../../src/style/export/otio.ts';
import type { SourceMedia } from '../../src/style/export/source-media.ts';
import type { Timeline } from '../../src/style/model/timeline.ts';
import { EDIT_MEDIA, EDIT_TIMELINE } from '../support/exported-edit.ts';
import { timelineClip } from '../support/timeline-clip.ts';

// biome-ignore lint/suspicious/noExplicitAny: a parsed document of another format
type Parsed = any;

const ntsc = (thousands: number) => ({ numerator: 1000 * thousands, denominator: 1001 });
const whole = (rate: number) => ({ numerator: rate, denominator: 1 });

/** Number of the frame with a label, found by counting through all labels as a recorder writes them. */
function countedFrames(label: string, nominal: number): number {
  const isDrop = label.includes(';');
  const dropped = isDrop ? nominal / 15 : 0;
  const two = (value: number) => String(value).padStart(2, '0');
  let count = 0;
  for (let second = 0; second < 24 * 3600; second++)
    for (let frame = 0; frame < nominal; frame++) {
      const minute = Math.floor(second / 60);
      if (second % 60 === 0 && minute % 10 !== 0 && frame < dropped) continue;
      const [h, m, s] = [Math.floor(minute / 60), minute % 60, second % 60].map(two);
      if (`${h}:${m}:${s}${isDrop ? ';' : ':'}${two(frame)}` === label) return count;
      count++;
    }
  throw new Error(`${label} does not exist`);
}

const media = (change: Partial<SourceMedia>): SourceMedia => ({
  ...{ fileName: 'A001.mov', durationSeconds: 12, width: 1920, height: 1080, audioChannels: 2 },
  frameRate: whole(25),
  ...change,
});
const { sound: _, ...SILENT } = EDIT_TIMELINE;
const timeline = (frameRate: Timeline['frameRate']): Timeline => ({
  ...SILENT,
  ...{ frameRate, takes: [{ grade: null }], transitions: [], captions: [] },
  clips: [timelineClip(0, 2), timelineClip(4, 6, { reason: 'trim' })],
});
function exported(edit: Timeline, take: SourceMedia): { clips: Parsed[]; file: Parsed } {
  const files = { takes: [take], music: null };
  const { children } = JSON.parse(writeOtio(edit, files)).tracks;
  const xml: Parsed = new XMLParser({ parseTagValue: false }).parse(writeFinalCutXml(edit, files));
  const items: Parsed[] = xml.xmeml.sequence.media.video.track.clipitem;
  return {
    clips: children.flatMap((track: Parsed) => track.children),
    file: items.map(({ file }) => file).find((file) => file.name !== undefined),
  };
}
const seconds = ({ value, rate }: { value: number; rate: number }) => value / rate;
const rangeOf = (clip: Parsed) => clip.media_references.DEFAULT_MEDIA.available_range;

for (const { text, rate, output = rate, pictures = rate, format = 'NDF' } of [
  { text: '14:32:10;05', rate: ntsc(30), format: 'DF' },
  { text: '00:01:00;02', rate: ntsc(30), format: 'DF' },
  { text: '00:10:00;00', rate: ntsc(30), format: 'DF' },
  { text: '23:59:59;29', rate: ntsc(30), format: 'DF' },
  { text: '01:09:00;04', rate: ntsc(60), format: 'DF' },
  { text: '14:32:10:05', rate: ntsc(30) },
  { text: '10:00:00:12', rate: ntsc(24) },
  { text: '10:00:00:12', rate: ntsc(24), output: whole(25) },
  { text: '01:00:00:00', rate: whole(25) },
  { text: '01:02:03:49', rate: whole(50), output: whole(25) },
  { text: '01:00:10;06', rate: ntsc(30), pictures: ntsc(60), output: ntsc(30), format: 'DF' },
  { text: '05:00:00:23', rate: ntsc(24), pictures: ntsc(120), output: ntsc(24) },
] as const)
  test(`${text} at ${framesPerSecond(rate).toFixed(3)}, pictures at ${framesPerSecond(pictures).toFixed(2)}, shown at ${framesPerSecond(output).toFixed(2)}`, () => {
    const nominal = Math.round(framesPerSecond(rate));
    const frame = countedFrames(text, nominal);
    const take = media({ frameRate: pictures, startTimecode: { text, rate }, reelName: 'A001C003' });
    const { clips, file } = exported(timeline(output), take);
    const starts = clips.map((clip) => seconds(clip.source_range.start_time));
    const first = frame / framesPerSecond(rate);
    assert.equal(clips.length, 4);
    for (const [index, clip] of clips.entries()) {
      const { start_time } = rangeOf(clip);
      assert.equal(start_time.rate, framesPerSecond(pictures));
      assert.ok(Math.abs(seconds(start_time) - first) < 1e-6, `${seconds(start_time)} s, not ${first}`);
      const expected = first + (index % 2) * 4;
      assert.ok(Math.abs(starts[index]! - expected) <= 0.5 / framesPerSecond(output) + 1e-6);
      assert.deepEqual(clip.media_references.DEFAULT_MEDIA.metadata, {
        styledna: { startTimecode: text },
        cmx_3600: { reel: 'A001C003' },
      });
    }
    assert.deepEqual(file.timecode, {
      rate: { timebase: String(nominal), ntsc: rate.denominator === 1001 ? 'TRUE' : 'FALSE' },
      string: text,
      frame: String(frame),
      displayformat: format,
      reel: { name: 'A001C003' },
    });
  });

test('in an edit each take counts from its own timecode, and its sound too', () => {
  const startTimecode = { text: '01:00:00:00', rate: whole(25) };
  const takes = EDIT_MEDIA.takes.map((take, index) => (index === 0 ? { ...take, startTimecode } : take));
  const plain = JSON.parse(writeOtio(EDIT_TIMELINE, EDIT_MEDIA)).tracks.children;
  const marked = JSON.parse(writeOtio(EDIT_TIMELINE, { ...EDIT_MEDIA, takes })).tracks.children;
  const clipsOf = (tracks: Parsed[]): Parsed[] =>
    tracks.flatMap(({ children }) => children.filter((one: Parsed) => one.OTIO_SCHEMA === 'Clip.2'));
  let moved = 0;
  for (const [index, clip] of clipsOf(plain).entries()) {
    const other = clipsOf(marked)[index]!;
    const isFirst = clip.media_references.DEFAULT_MEDIA.target_url === 'clip.mp4';
    const shift = isFirst ? 3600 : 0;
    const shiftOf = (of: (one: Parsed) => Parsed) => seconds(of(other)) - seconds(of(clip));
    assert.ok(Math.abs(shiftOf((one) => one.source_range.start_time) - shift) < 1e-6);
    assert.ok(Math.abs(shiftOf((one) => rangeOf(one).start_time) - shift) < 1e-6);
    assert.equal(
      shiftOf((one) => one.source_range.duration),
      0,
    );
    if (isFirst) moved++;
  }
  assert.ok(moved >= 4, `${moved} clips of the first take`);
});

describe('ranges stay within their files', () => {
  for (const [pictures, output, durationSeconds] of [
    [whole(25), ntsc(30), 8],
    [whole(24), ntsc(30), 8],
    [ntsc(24), whole(25), 8.008],
    [whole(30), ntsc(24), 7.9667],
    [ntsc(30), whole(60), 8.008],
    [whole(25), ntsc(30), 7.99],
  ] as const)
    test(`${durationSeconds} s at ${framesPerSecond(pictures).toFixed(2)}, shown at ${framesPerSecond(output).toFixed(2)}`, () => {
      const fps = framesPerSecond(output);
      // The plan rounds the end up to a frame of the output.
      const end = Math.ceil(durationSeconds * fps) / fps;
      for (const reason of ['trim', 'slot'] as const) {
        const clips = [timelineClip(0, 6.04, { reason }), timelineClip(6.04, end, { reason })];
        const take = media({ frameRate: pictures, durationSeconds });
        const edit = { ...timeline(output), clips };
        for (const clip of exported(edit, take).clips) {
          const { source_range: shown } = clip;
          const [from, available] = [rangeOf(clip).start_time, rangeOf(clip).duration].map(seconds);
          assert.ok(seconds(shown.start_time) >= from!);
          const shownEnd = seconds(shown.start_time) + seconds(shown.duration);
          assert.ok(shownEnd <= from! + available! + 1e-6, `${shownEnd} of ${from! + available!}`);
          assert.ok(Number.isInteger(shown.duration.value) && shown.duration.value > 0);
        }
        const xml: Parsed = new XMLParser().parse(writeFinalCutXml(edit, { takes: [take], music: null }));
        for (const item of xml.xmeml.sequence.media.video.track.clipitem)
          assert.ok(item.in >= 0 && item.in < item.out && item.out <= item.duration, JSON.stringify(item));
      }
    });
});
