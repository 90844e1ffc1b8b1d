/** One take stored in many ways, all of which show the same. Needs `ffmpeg`. */
import { existsSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { ffmpeg } from '../edit-material/plant.ts';
import { distinctName } from '../lib/distinct-name.ts';

export interface Variant {
  readonly name: string;
  readonly filter: string | null;
  readonly encoder: readonly string[];
  /** Findings that the variant changes by intent. */
  readonly changes?: readonly string[];
}

const h264 = (crf: number) => ['-c:v', 'libx264', '-preset', 'veryfast', '-crf', String(crf)];
const hevc = (crf: number, ...more: string[]) => [
  ...['-c:v', 'libx265', '-preset', 'ultrafast', '-crf', String(crf), '-x265-params', 'log-level=none'],
  ...more,
];
const VP9 = ['-c:v', 'libvpx-vp9', '-deadline', 'realtime', '-cpu-used', '8', '-b:v', '0', '-crf', '33'];

const ofLines = (lines: number): Variant => ({
  name: `${lines} lines`,
  filter: `scale=w='if(gt(iw,ih),-2,${lines})':h='if(gt(iw,ih),${lines},-2)':flags=lanczos`,
  encoder: h264(20),
});
const ofRate = (rate: number): Variant => ({
  name: `${rate} frames a second`,
  filter: `fps=${rate}`,
  encoder: h264(20),
});
const ofQuality = (crf: number): Variant => ({ name: `crf ${crf}`, filter: null, encoder: h264(crf) });

export const VARIANTS: readonly Variant[] = [
  ...[240, 360, 540, 1080, 2160].map(ofLines),
  ...[16, 28, 34, 36].map(ofQuality),
  { name: 'HEVC', filter: null, encoder: hevc(24) },
  { name: 'HEVC of 10 bits', filter: 'format=yuv420p10le', encoder: hevc(24) },
  { name: 'VP9', filter: null, encoder: VP9 },
  ...[24, 25, 30, 60].map(ofRate),
  {
    name: 'bars',
    filter: "pad=iw:'2*trunc(ih*.66)':0:(oh-ih)/2",
    encoder: h264(20),
    changes: ['ratio'],
  },
  { name: 'mirrored', filter: 'hflip', encoder: h264(20) },
  { name: 'gamma .93', filter: 'eq=gamma=0.93', encoder: h264(20), changes: ['dials', 'palette ΔE'] },
];

export function variantPath(path: string, { name }: Pick<Variant, 'name'>, folder: string): string {
  return join(folder, `${distinctName(path)}.${name.replaceAll(' ', '-')}.mkv`);
}

/** Makes the variant unless the folder has it. */
export function storedAs(path: string, variant: Variant, folder: string): string {
  mkdirSync(folder, { recursive: true });
  const out = variantPath(path, variant, folder);
  if (existsSync(out)) return out;
  const filters = variant.filter === null ? [] : ['-vf', variant.filter];
  ffmpeg(['-i', path, ...filters, ...variant.encoder, '-c:a', 'copy', out]);
  return out;
}
