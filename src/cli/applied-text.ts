import { stat } from 'node:fs/promises';
import type { EditSummary } from '../style/model/edit-summary.ts';
import { timeText } from './time-left.ts';

const NAME_WIDTH = 13;

export interface WrittenFile {
  readonly path: string;
  readonly size_bytes: number;
}

export function writtenFiles(paths: readonly string[]): Promise<readonly WrittenFile[]> {
  return Promise.all(paths.map(async (path) => ({ path, size_bytes: (await stat(path)).size })));
}

/** The applied changes, one line each, without unchanged components. */
export function appliedText(
  { text, source, output, cuts, loudness }: EditSummary,
  seconds: number,
  files: readonly WrittenFile[],
): string {
  const sizes = `${output.width}×${output.height}, ${output.frame_rate} frames/s, ${output.duration_seconds.toFixed(1)} s`;
  const from = `${source.width}×${source.height}, ${source.frame_rate} frames/s`;
  const onBeat =
    cuts.on_beat_share === null ? '' : `; ${Math.round(100 * cuts.on_beat_share)} % of all on the beat`;
  const lufs = (value: number | null | undefined) =>
    value == null ? 'silent' : `${value.toFixed(1)} LUFS`.replace('-', '−');
  const rows = [
    ['Picture', `${sizes} (from ${from})`],
    ['Cuts', `${cuts.added} added to the source's ${cuts.of_source}${onBeat}`],
    [
      'Loudness',
      loudness === null ? 'no sound' : `${lufs(loudness.before_lufs)} → ${lufs(loudness.after_lufs)}`,
    ],
    ...files.map(({ path, size_bytes }, index) => [
      index === 0 ? 'Files' : '',
      `${path} (${bytesText(size_bytes)})`,
    ]),
  ];
  const lines = rows.map(([name, value]) => `  ${name.padEnd(NAME_WIDTH)}${value}`);
  return [`Done in ${timeText(seconds)}: ${text}`, ...lines].join('\n');
}

export function bytesText(bytes: number): string {
  if (bytes < 1e6) return `${Math.max(1, Math.round(bytes / 1e3))} kB`;
  return bytes < 1e9 ? `${(bytes / 1e6).toFixed(1)} MB` : `${(bytes / 1e9).toFixed(2)} GB`;
}
