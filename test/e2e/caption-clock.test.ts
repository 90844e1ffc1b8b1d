/** Captions are drawn at their moment of the picture, with any clock of the container. */
import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { before, describe, test } from 'node:test';
import { Studio } from '../../src/library.ts';
import { openInput } from '../../src/media/av/open-input.ts';
import { StreamDecoder } from '../../src/media/av/stream-decoder.ts';
import { CAPTIONED_STYLE } from '../support/captioned-style.ts';
import { temporaryFolder } from '../support/clips.ts';
import { flashesOf, flashingClip } from '../support/flash-and-beep.ts';
import { remux } from '../support/remux.ts';
import { withTextTracks } from '../support/text-tracks.ts';

const folder = temporaryFolder();
const studio = new Studio({ workRoot: join(folder, 'work') });
const FRAME_SECONDS = 1 / 25;
/** Where the clip turns white, and its cues begin. */
const MOMENTS = [0.6, 2.4] as const;
const CLIP_SECONDS = 4;
const CUE_MS = 1200;
const TRACK = {
  codec: 'subrip',
  cues: MOMENTS.map((seconds) => [1000 * seconds, CUE_MS, 'Hello there'] as const),
} as const;
/** The blue difference of the captions' yellow is about 20, of grey 128. */
const MAX_YELLOW_CB = 70;

let clip: string;
before(async () => {
  clip = await flashingClip(folder, 'clip', CLIP_SECONDS, MOMENTS);
});

/** When yellow letters appear. */
async function captionStarts(path: string): Promise<number[]> {
  using input = await openInput(path);
  using decoder = await StreamDecoder.open(input, input.video!);
  const starts: number[] = [];
  let wasShown = false;
  for (let frame = decoder.next(); frame !== null; frame = decoder.next()) {
    const [plane, stride] = [frame.data![1], frame.linesize[1]];
    // Without the padding behind each row.
    const isShown = plane
      .subarray(0, (stride * frame.height) / 2)
      .some((level, at) => at % stride < frame.width / 2 && level < MAX_YELLOW_CB);
    if (isShown && !wasShown) starts.push(decoder.frameSeconds(frame));
    wasShown = isShown;
  }
  return starts;
}

async function assertTogether(source: string, pieces: number, captions?: string): Promise<void> {
  const output = `${source}.output.mp4`;
  const components = { color: false, pacing: false, audio: false };
  const look = { style: CAPTIONED_STYLE };
  const config = { quality: 'low', components } as const;
  await studio.apply({ source, output, look, config, ...(captions === undefined ? {} : { captions }) });
  const { seconds } = await flashesOf(output);
  const starts = await captionStarts(output);
  assert.equal(seconds.length, MOMENTS.length * pieces, `${seconds}`);
  assert.equal(starts.length, seconds.length, `captions at ${starts}, flashes at ${seconds}`);
  for (const [n, moment] of seconds.entries())
    assert.ok(Math.abs(starts[n] - moment) <= FRAME_SECONDS, `captions at ${starts}, flashes at ${seconds}`);
}

function stamp(ms: number): string {
  return new Date(ms).toISOString().slice(11, 23);
}

function sidecar(pieces: number): string {
  const path = join(folder, `${pieces}.srt`);
  const starts = Array.from({ length: pieces }, (_, n) =>
    MOMENTS.map((seconds) => 1000 * (n * CLIP_SECONDS + seconds)),
  ).flat();
  const subRip = (ms: number) => stamp(ms).replace('.', ',');
  const cues = starts.map((ms, n) => `${n + 1}\n${subRip(ms)} --> ${subRip(ms + CUE_MS)}\nHello there\n`);
  writeFileSync(path, cues.join('\n'));
  return path;
}

function joined(name: string, parts: readonly string[]): string {
  const path = join(folder, name);
  writeFileSync(path, Buffer.concat(parts.map((part) => readFileSync(part))));
  return path;
}

async function stream(startSeconds: number): Promise<string> {
  const path = join(folder, `from-${startSeconds}.ts`);
  await remux(clip, 'mpegts', path, () => 0, startSeconds);
  return path;
}

describe('a text track', () => {
  test('in Matroska from 10 s', async () => {
    await assertTogether(await withTextTracks(clip, join(folder, 'late.mkv'), [TRACK], 10_000), 1);
  });
  test('in MP4 from 10 s', async () => {
    const track = { ...TRACK, codec: 'mov_text' } as const;
    await assertTogether(await withTextTracks(clip, join(folder, 'late.mp4'), [track], 10_000), 1);
  });
  test('in joined Matroska files, whose clock restarts at 10 s', async () => {
    const part = await withTextTracks(clip, join(folder, 'part.mkv'), [TRACK], 10_000);
    await assertTogether(joined('joined.mkv', [part, part]), 2);
  });
});

describe('a file of captions', () => {
  test('of a transport stream from 9.88 s', async () => {
    await assertTogether(await stream(9.88), 1, sidecar(1));
  });
  test('of a transport stream from 9.88 s, as a WebVTT segment of HLS that counts from 5 s of its clock', async () => {
    const source = await stream(9.88);
    const path = join(folder, 'segment.vtt');
    using input = await openInput(source);
    const cues = MOMENTS.map((seconds) => {
      const ms = 1000 * (seconds + input.startSeconds - 5);
      return `${stamp(ms)} --> ${stamp(ms + CUE_MS)}\nHello there\n`;
    });
    const map = `X-TIMESTAMP-MAP=MPEGTS:${5 * 90_000},LOCAL:00:00:00.000`;
    writeFileSync(path, ['WEBVTT', map, '', ...cues].join('\n'));
    await assertTogether(source, 1, path);
  });
  test('of joined transport streams, whose clock restarts', async () => {
    const part = await stream(9.88);
    await assertTogether(joined('restarts.ts', [part, part]), 2, sidecar(2));
  });
  test('of joined transport streams with a gap of 5 s, counted without the gap', async () => {
    await assertTogether(joined('gap.ts', [await stream(1), await stream(10)]), 2, sidecar(2));
  });
});
