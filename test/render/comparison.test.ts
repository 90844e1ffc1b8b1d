import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import type { Picture } from '../../src/domain/footage.ts';
import { openFrames } from '../../src/media/decode/frames.ts';
import { openSamples } from '../../src/media/decode/samples.ts';
import { renderComparison } from '../../src/render/comparison.ts';
import { bandLines } from '../../src/render/previews/comparison-size.ts';
import { render } from '../../src/render/render.ts';
import type { Timeline } from '../../src/style/model/timeline.ts';
import { makeClip, readNumber, temporaryFolder } from '../support/clips.ts';
import { timelineClip } from '../support/timeline-clip.ts';

const folder = temporaryFolder();
const LEFT_OUT = { from: 25, to: 50 };

/** A part of a picture: columns as shares of its width. */
function columns(picture: Picture, from: number, to: number): Picture {
  const [start, end] = [Math.round(from * picture.width), Math.round(to * picture.width)];
  const data = new Uint8Array((end - start) * picture.height);
  for (let y = 0; y < picture.height; y++)
    data.set(picture.data.subarray(y * picture.width + start, y * picture.width + end), y * (end - start));
  return { ...picture, width: end - start, data };
}

/** The picture above the band of words. */
function above(picture: Picture, lines: number): Picture {
  return { ...picture, height: lines, data: picture.data.subarray(0, lines * picture.width) };
}

/** The brightest pixel of the band below a side. */
function brightestBelow({ width, height, data }: Picture, lines: number, from: number): number {
  let most = 0;
  for (let y = lines; y < height; y++)
    for (let x = Math.ceil(from * width); x < (from + 0.4) * width; x++)
      most = Math.max(most, data[y * width + x]);
  return most;
}

test('both sides show the same moment of the source, under the sound of the output', async () => {
  const sourcePath = await makeClip(folder, { name: 'source' });
  const timeline: Timeline = {
    version: 2,
    frameRate: { numerator: 25, denominator: 1 },
    width: 320,
    height: 180,
    clips: [timelineClip(0, 1), timelineClip(2, 3, { reason: 'trim' })],
    transitions: [],
    takes: [{ grade: null }],
    audio: { equalizer: [], compressor: null, targetLufs: null, truePeakDbtp: -1 },
    captions: [],
  };
  const encoder = { preset: 'veryfast', crf: 18 };
  const renderedPath = join(folder, 'rendered.mp4');
  const posterPath = join(folder, 'poster.jpg');
  await render(
    { takePaths: [sourcePath], timeline, ...encoder, outputPath: renderedPath, posterPath },
    () => {},
  );
  const comparisonPath = join(folder, 'comparison.mp4');
  const request = { sourcePath, renderedPath, timeline, ...encoder, comparisonPath };
  await renderComparison(request, () => {});

  let count = 0;
  for await (const { grey, index } of openFrames(comparisonPath)) {
    const number = index < LEFT_OUT.from ? index : index + LEFT_OUT.to - LEFT_OUT.from;
    // Frames are looked at smaller than they are.
    const lines = Math.round((grey.height * 180) / (180 + bandLines(180)));
    const pictures = above(grey, lines);
    assert.equal(readNumber(columns(pictures, 0, 320 / 644)), number, `left of frame ${index}`);
    assert.equal(readNumber(columns(pictures, 324 / 644, 1)), number, `right of frame ${index}`);
    for (const from of [0, 324 / 644])
      assert.ok(brightestBelow(grey, lines + 1, from) > 150, `a word below frame ${index}`);
    count++;
  }
  assert.equal(count, 50);
  const [left] = (
    await Array.fromAsync(openSamples(comparisonPath, { sampleRate: 8000, channels: 'mono' }))
  ).map(({ channels }) => channels[0]);
  // A click at each second of the source: where the part left out ends there is the one of its third second.
  assert.ok(Math.max(...left!.subarray(0, 160)) > 0.1);
});

test('a side of another shape keeps it', async () => {
  const sourcePath = await makeClip(folder, { name: 'tall', width: 180, height: 320, silent: true });
  const timeline: Timeline = {
    version: 2,
    frameRate: { numerator: 25, denominator: 1 },
    width: 180,
    height: 180,
    clips: [
      timelineClip(0, 1, {
        from: { x: 0, y: 0.2, width: 1, height: 0.5625 },
        to: { x: 0, y: 0.2, width: 1, height: 0.5625 },
      }),
    ],
    transitions: [],
    takes: [{ grade: null }],
    audio: null,
    captions: [],
  };
  const encoder = { preset: 'veryfast', crf: 18 };
  const renderedPath = join(folder, 'square.mp4');
  await render(
    {
      takePaths: [sourcePath],
      timeline,
      ...encoder,
      outputPath: renderedPath,
      posterPath: join(folder, 'p.jpg'),
    },
    () => {},
  );
  const comparisonPath = join(folder, 'square-comparison.mp4');
  await renderComparison({ sourcePath, renderedPath, timeline, ...encoder, comparisonPath }, () => {});
  // 102 + 4 + 180 wide, 180 high, and the words below.
  const height = 180 + bandLines(180);
  for await (const { grey, index } of openFrames(comparisonPath)) {
    assert.ok(Math.abs(grey.width / grey.height - 286 / height) < 0.02);
    const pictures = above(grey, Math.round((grey.height * 180) / height));
    assert.equal(readNumber(columns(pictures, 0, 102 / 286)), index);
  }
});
