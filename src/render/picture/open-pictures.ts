import type { Still } from '../../domain/footage.ts';
import type { ThumbnailSelection } from '../../media/read/thumbnails.ts';
import type { Timeline } from '../../style/model/timeline.ts';
import { FrameSchedule } from '../timeline/frame-schedule.ts';
import { ClipTails } from './clip-tails.ts';
import { OneTakeReader } from './one-take-reader.ts';
import type { PictureReader } from './picture-reader.ts';
import { openBefore } from './source-opening.ts';
import { TakesReader } from './takes-reader.ts';

export interface OpenPictures {
  readonly reader: PictureReader;
  /** Waits until the thumbnails of all frames passed up to now are encoded. */
  settleStills(): Promise<void>;
  /** Thumbnails of the only take; null: none were requested, there are several takes, or making them failed. */
  finishStills(alive: () => void): Promise<readonly Still[] | null>;
}

export interface PicturesRequest {
  readonly timeline: Timeline;
  /** The files of the timeline's takes. */
  readonly paths: readonly string[];
  /** The first output frame that is read. */
  readonly from: number;
  /** Thumbnails of the only take to make, for a reading from frame 0; left out: none. */
  readonly stills?: ThumbnailSelection | undefined;
}

/** Opens the files of a timeline for reading from an output frame on. `disposables` closes them. */
export async function openPictures(
  disposables: DisposableStack,
  { timeline, paths, from, stills: wanted }: PicturesRequest,
): Promise<OpenPictures> {
  if (timeline.takes.length > 1 || timeline.clips.some(({ reason }) => reason === 'slot')) {
    const reader = disposables.use(new TakesReader(timeline, paths));
    return { reader, settleStills: async () => {}, finishStills: async () => null };
  }
  const [path] = paths as [string];
  const { first } = new FrameSchedule(timeline).at(from);
  const needed = Math.min(first.sourceSeconds, wanted?.timesSeconds[0] ?? Number.POSITIVE_INFINITY);
  const { input, stills, source } = await openBefore(path, needed, wanted);
  for (const opened of [input, stills, source]) disposables.use(opened);
  const tails = await ClipTails.open(path, input, timeline);
  if (tails !== null) disposables.use(tails);
  return {
    reader: new OneTakeReader(timeline, source, tails),
    settleStills: () => stills.settled(),
    finishStills: (alive) => stills.finish(source, alive),
  };
}
