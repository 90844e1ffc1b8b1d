/**
 * Expected against real time and size of outputs (`src/domain/work-estimate.ts`), as previews of the service report them. Time is compared
 * in CPU seconds, which other work on the machine hardly changes; the service corrects the rest by the pace of recent jobs. Arguments: words
 * that choose clips; none: all.
 */
import { mkdtemp, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import type { Quality } from '../src/domain/job-choices.ts';
import { drawingSeconds, fileBytes, PLANNING_SECONDS } from '../src/domain/work-estimate.ts';
import { Studio } from '../src/library.ts';
import { median } from '../src/signal/statistics.ts';
import { measureCost } from './lib/cost.ts';
import { MEDIA } from './lib/long-clip.ts';
import { conditionsInWords, currentConditions, table } from './lib/report.ts';

/** Real clips from 240 to 1080 lines, calm and lively, 8 to 30 s; those that the constants were not fitted to are marked. */
const CLIPS: readonly (readonly [name: string, isUnseen: boolean])[] = [
  ['video/sam2_dog.mp4', false],
  ['video/mdn_flower.mp4', false],
  ['video/roof_zoom_17s.mp4', false],
  ['video/intel_cars_30s.mp4', false],
  ['video/nasa_webb_13s.mp4', false],
  ['more/video/bunny_summary_26s.mp4', false],
  ['more/video/street_fire_10s.mp4', false],
  ['more/video/concert_phone_vfr_12s.mp4', false],
  ['more/video/mdn_monster.mp4', true],
  ['video/greenscreen_speech.mp4', true],
];
const QUALITIES: readonly Quality[] = ['low', 'medium', 'high', 'ultra'];
const LOOK = { preset: 'blockbuster' };
/** Cores that the constants count with (`BUSY_CORES`). */
const BUSY_CORES = 1.7;

const words = process.argv.slice(2);
const studio = new Studio();
const rows: string[][] = [];
const errors: Record<'time' | 'size', number[]> = { time: [], size: [] };
for (const [name, isUnseen] of CLIPS) {
  const path = join(MEDIA, name);
  const isChosen = words.length === 0 || words.some((word) => name.includes(word));
  if (!isChosen || (await stat(path).catch(() => null)) === null) continue;
  const { cost: measuring } = await measureCost(() => studio.analyze(path));
  for (const quality of QUALITIES) {
    const folder = await mkdtemp(join(tmpdir(), 'styledna-estimate-'));
    try {
      const edit = { source: path, look: LOOK, config: { quality } };
      const { output: planned } = await studio.preview({ ...edit, output: join(folder, 'preview.jpg') });
      const output = join(folder, 'output.mp4');
      const { cost } = await measureCost(() => studio.apply({ ...edit, output }));
      const { size } = await stat(output);
      const cpuSeconds = cost.cpuSeconds - measuring.cpuSeconds;
      const drawn = drawingSeconds(planned, planned, { quality, comparison: false });
      const expectedSeconds = (PLANNING_SECONDS + drawn) * BUSY_CORES;
      const expectedBytes = fileBytes(planned, planned, quality);
      errors.time.push(factor(expectedSeconds / cpuSeconds));
      errors.size.push(factor(expectedBytes / size));
      rows.push([
        basename(name) + (isUnseen ? ' (unseen)' : ''),
        quality,
        `${planned.width} × ${planned.height}`,
        `${cpuSeconds.toFixed(1)} / ${expectedSeconds.toFixed(1)}`,
        `${(size / 1e6).toFixed(1)} / ${(expectedBytes / 1e6).toFixed(1)}`,
      ]);
    } finally {
      await rm(folder, { recursive: true });
    }
  }
}
console.log(table(['clip', 'quality', 'output', 'CPU s / expected', 'MB / expected'], rows));
for (const [what, all] of Object.entries(errors)) {
  const within = all.filter((error) => error <= 1.5).length;
  console.log(
    `${what}: off by ${median(all).toFixed(2)} (median), ${Math.max(...all).toFixed(2)} (most); within 1.5: ${within} of ${all.length}`,
  );
}
console.log(conditionsInWords(currentConditions()));

function factor(ratio: number): number {
  return Math.max(ratio, 1 / ratio);
}
