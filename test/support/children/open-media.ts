/**
 * Reads every file that it is named as the analyses do, with no sandbox around it, and nothing else after it has opened
 * the marker: later calls in a trace are FFmpeg's. Prints the outcome of each, `ok` or the failure's code.
 */
import { openSync } from 'node:fs';
import { openFrames } from '../../../src/media/decode/frames.ts';
import { openSamples } from '../../../src/media/decode/samples.ts';
import { outlineOf } from '../../../src/media/read/outline.ts';
import { probeFile } from '../../../src/media/read/probe.ts';
import { textTracks } from '../../../src/media/read/text-track.ts';
import { readThumbnails } from '../../../src/media/read/thumbnails.ts';

const FRAMES = 5;

async function some(items: AsyncIterable<unknown>): Promise<void> {
  let count = 0;
  for await (const _ of items) if (++count === FRAMES) return;
}

const WAYS: readonly ((path: string) => Promise<unknown>)[] = [
  (path) => probeFile(path, { maxDurationSeconds: 3600 }),
  outlineOf,
  (path) => some(openFrames(path)),
  (path) => some(openSamples(path, { sampleRate: 44_100, channels: 'source' })),
  (path) => some(textTracks(path)),
  (path) => readThumbnails(path, { timesSeconds: [0], areaPixels: 10_000, onProgress: () => {} }),
];

async function outcomes(path: string): Promise<string[]> {
  const found: string[] = [];
  for (const route of WAYS) {
    found.push(
      await route(path).then(
        () => 'ok',
        (error) => error.code ?? String(error.stack),
      ),
    );
  }
  return found;
}

const [good, marker, ...paths] = process.argv.slice(2) as [string, string, ...string[]];
// Loads and opens everything of the first use.
console.log(JSON.stringify({ path: good, outcomes: await outcomes(good) }));
openSync(marker, 'r');
for (const path of paths) console.log(JSON.stringify({ path, outcomes: await outcomes(path) }));
