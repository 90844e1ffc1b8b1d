/**
 * Effects of grades on strong colors, lights and white: every source of a folder in the look of every
 * template of another.
 */
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import type { VideoFacts } from '../src/analysis/facts.ts';
import { lookOf } from '../src/style/look/estimate.ts';
import { LabReader, readMoments } from './fidelity/frames.ts';
import { gradeBetween, graded, type Side, sideOf } from './fidelity/look-proof.ts';
import { type StrongPair, strongColors, strongSummary, strongTable } from './fidelity/strong-colors.ts';
import { measureClip } from './lib/measure.ts';

/** Frames of a source, and the step between their pixels that are judged: some 25,000 pixels. */
const FRAMES = 5;
const PIXEL_STEP = 17;
/** Place of P95 among the percentiles 0, 5, 10 … 100. */
const P95 = 19;

interface Clip {
  readonly name: string;
  readonly path: string;
  readonly video: VideoFacts;
  readonly side: Side;
}

async function clipsOf(folder: string): Promise<Clip[]> {
  const clips: Clip[] = [];
  for (const name of readdirSync(folder).sort()) {
    if (!/\.(mp4|mkv|mov|webm)$/.test(name)) continue;
    const path = join(folder, name);
    const { seen } = await measureClip(path);
    if (seen !== null) clips.push({ name, path, video: seen.video, side: sideOf(seen.video) });
  }
  return clips;
}

/** RGB (0..1) and Lab triples of a clip's pixels. */
async function pixelsOf(path: string): Promise<{ rgb: Float64Array; lab: Float32Array }> {
  using reader = new LabReader();
  const [rgb, lab]: [number[], number[]] = [[], []];
  for (const { frame, next } of await readMoments(path, FRAMES)) {
    const picture = reader.read(frame);
    for (let at = 0; at < picture.lab.length; at += 3 * PIXEL_STEP) {
      for (let axis = at; axis < at + 3; axis++) {
        rgb.push(picture.rgb[axis] / 255);
        lab.push(picture.lab[axis]);
      }
    }
    frame.free();
    next.free();
  }
  return { rgb: Float64Array.from(rgb), lab: Float32Array.from(lab) };
}

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { strength: { type: 'string', default: '0.8' } },
});
const [sources, templates] = positionals;
if (sources === undefined || templates === undefined)
  throw new Error('Usage: node bench/strong-colors.ts SOURCES TEMPLATES [--strength .8]');
const pairs: StrongPair[] = [];
const untouched: StrongPair[] = [];
const looks = await clipsOf(templates);
for (const source of await clipsOf(sources)) {
  const { rgb, lab } = await pixelsOf(source.path);
  for (const template of looks) {
    if (template.name === source.name) continue;
    const grade = gradeBetween(source.side, template.side, Number(values.strength));
    const pair = {
      source: source.name,
      template: template.name,
      paleness: lookOf(template.video).look.chroma,
      templateLights:
        template.video.color.clip.lightnessPercentiles[P95] /
        Math.max(1, source.video.color.clip.lightnessPercentiles[P95]),
    };
    untouched.push({ ...pair, colors: strongColors(lab, lab) });
    pairs.push({ ...pair, colors: strongColors(lab, graded({ ...source.side, rgb }, grade)) });
  }
}
console.log(
  [strongTable(pairs), 'Untouched', strongSummary(untouched), 'Graded', strongSummary(pairs)].join('\n\n'),
);
