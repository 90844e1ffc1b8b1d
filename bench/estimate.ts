/**
 * Error of the web page's estimates before rendering (`web/src/state/estimate.ts`): time and size of outputs
 * in each quality, with the comparison that the page requests. CPU seconds beside the time: the constants are
 * CPU seconds of two cores that are mostly busy.
 */
import { mkdtemp, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import type { Video } from '../src/client/api-types.ts';
import type { Quality } from '../src/domain/job-choices.ts';
import { Studio } from '../src/library.ts';
import { probeFile } from '../src/media/read/probe.ts';
import { median } from '../src/signal/statistics.ts';
import { outputBytes, renderingSeconds } from '../web/src/state/estimate.ts';
import { configOf, DEFAULT_SETTINGS } from '../web/src/state/settings.ts';
import { measureCost } from './lib/cost.ts';
import { MEDIA } from './lib/long-clip.ts';
import { conditionsInWords, currentConditions, table } from './lib/report.ts';

/** Real clips from 240 to 1080 lines, calm and lively, 8 to 30 s. */
const CLIPS = [
  'video/sam2_dog.mp4',
  'video/mdn_flower.mp4',
  'video/roof_zoom_17s.mp4',
  'video/intel_cars_30s.mp4',
  'video/nasa_webb_13s.mp4',
  'more/video/bunny_summary_26s.mp4',
];
const QUALITIES: readonly Quality[] = ['low', 'medium', 'high', 'ultra'];
const PRESET = 'blockbuster';

const studio = new Studio();
const rows: string[][] = [];
const ratios: Record<'time' | 'size', number[]> = { time: [], size: [] };
for (const name of CLIPS) {
  const path = join(MEDIA, name);
  const video = await videoOf(path);
  for (const quality of QUALITIES) {
    const settings = { ...DEFAULT_SETTINGS, quality };
    const folder = await mkdtemp(join(tmpdir(), 'styledna-estimate-'));
    try {
      const output = join(folder, 'output.mp4');
      const { cost, result } = await measureCost(() =>
        studio.apply({
          source: path,
          output,
          comparison: join(folder, 'comparison.mp4'),
          look: { preset: PRESET },
          config: { ...configOf(settings) },
        }),
      );
      const { size } = await stat(output);
      const guessed = {
        seconds: renderingSeconds(video, settings, null),
        bytes: outputBytes(video, settings, null),
      };
      ratios.time.push(guessed.seconds / cost.wallSeconds);
      ratios.size.push(guessed.bytes / size);
      const { width, height } = result.summary.output;
      rows.push([
        basename(name),
        quality,
        `${width} × ${height}`,
        `${cost.wallSeconds.toFixed(1)} / ${guessed.seconds.toFixed(1)}`,
        cost.cpuSeconds.toFixed(1),
        `${(size / 1e6).toFixed(1)} / ${(guessed.bytes / 1e6).toFixed(1)}`,
      ]);
    } finally {
      await rm(folder, { recursive: true });
    }
  }
}
console.log(table(['clip', 'quality', 'output', 's / guessed', 'CPU s', 'MB / guessed'], rows));
for (const [what, all] of Object.entries(ratios)) {
  const sorted = [...all].sort((a, b) => a - b);
  const range = `${sorted[0]!.toFixed(2)} to ${sorted.at(-1)!.toFixed(2)}`;
  console.log(`${what}: guessed over real, median ${median(sorted).toFixed(2)}, ${range}`);
}
console.log(conditionsInWords(currentConditions()));

async function videoOf(path: string): Promise<Video> {
  const { width, height, frameRate, durationSeconds, audioCodec } = await probeFile(path, {
    maxDurationSeconds: 3600,
  });
  return {
    width,
    height,
    duration_seconds: durationSeconds,
    frame_rate: frameRate,
    has_audio: audioCodec !== null,
  } as Video;
}
