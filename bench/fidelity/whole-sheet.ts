/** What an editor would look at: moments of the template, and of output and source side by side. */
import type { Timeline } from '../../src/style/timeline.ts';
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
  const { moments } = looks.template;
  const ofTemplate = moments.filter(
    (_, at) =>
      Math.floor(((at + 1) * COLUMNS) / moments.length) > Math.floor((at * COLUMNS) / moments.length),
  );
  writeSheet(path, [
    read(ofTemplate),
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
  const chosen = Array.from(
    { length: COLUMNS },
    (_, at) => all[Math.floor(((at + 0.5) / COLUMNS) * all.length)]!,
  );
  return {
    sourceSeconds: chosen.map(({ source }) => source),
    outputSeconds: chosen.map(({ output }) => output),
  };
}
