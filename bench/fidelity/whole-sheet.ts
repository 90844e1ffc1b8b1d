/** Sheets for an editor: moments of the template, and of output and source side by side. */
import type { Timeline } from '../../src/style/model/timeline.ts';
import { LabReader, type Moment, readMomentsAt } from './frames.ts';
import type { ClipLook } from './looks.ts';
import { writeSheet } from './sheet.ts';

const COLUMNS = 8;

/** Three rows: template, source and output; the lower two show the same moments, one from every so many clips. */
export async function writeWholeSheet(
  path: string,
  looks: { readonly template: ClipLook; readonly source: ClipLook },
  output: string,
  timeline: Timeline,
): Promise<void> {
  const { sourceSeconds, outputSeconds } = momentsOf(timeline);
  using reader = new LabReader();
  const read = (moments: readonly Moment[]) => moments.map(({ frame }) => reader.read(frame));
  const row = async (clip: string, times: readonly number[]) => {
    const moments = await readMomentsAt(clip, times);
    const pictures = read(moments);
    for (const { frame, next } of moments) for (const one of [frame, next]) one.free();
    return pictures;
  };
  writeSheet(path, [
    read(evenly(looks.template.moments)),
    await row(looks.source.path, sourceSeconds),
    await row(output, outputSeconds),
  ]);
}

/** Middles of clips, or, where there are few, of equal parts of them. */
function momentsOf({ clips }: Timeline): { sourceSeconds: number[]; outputSeconds: number[] } {
  const parts = Math.ceil(COLUMNS / clips.length);
  let start = 0;
  const all = clips.flatMap(({ sourceStartSeconds, sourceEndSeconds }) => {
    const length = sourceEndSeconds - sourceStartSeconds;
    const places = Array.from({ length: parts }, (_, part) => ((part + 0.5) / parts) * length);
    const moments = places.map((at) => ({ source: sourceStartSeconds + at, output: start + at }));
    start += length;
    return moments;
  });
  const chosen = evenly(all);
  return {
    sourceSeconds: chosen.map(({ source }) => source),
    outputSeconds: chosen.map(({ output }) => output),
  };
}

/** One of the list for each column. */
function evenly<One>(list: readonly One[]): One[] {
  return Array.from({ length: COLUMNS }, (_, at) => list[Math.floor(((at + 0.5) / COLUMNS) * list.length)]);
}
