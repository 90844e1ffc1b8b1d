/** Moments of an output and of its source, point for point. */
import type { Box, VideoFacts } from '../../src/analysis/facts.ts';
import { framesPerSecond } from '../../src/domain/time.ts';
import { framingAt } from '../../src/style/model/framing.ts';
import { clipStartFrames, type Reframe, type Timeline } from '../../src/style/model/timeline.ts';
import { LabReader, readMomentsAt } from '../fidelity/frames.ts';
import type { LabPicture } from '../score/look.ts';

const PER_SECOND = 2;
/** Around a transition two pictures are mixed. */
const MARGIN_SECONDS = 0.1;

export interface ComparedMoment {
  readonly sourceSeconds: number;
  readonly outputSeconds: number;
  readonly framing: Reframe;
  /** Whole pictures. */
  readonly source: LabPicture;
  readonly output: LabPicture;
  /** (L, a, b) of the same points in both; in the output's order, those outside of the source's part left out. */
  readonly before: Float32Array;
  readonly after: Float32Array;
  /** Their places in the source, x and y in 0..1. */
  readonly places: Float32Array;
}

interface Place {
  readonly sourceSeconds: number;
  readonly outputSeconds: number;
  readonly framing: Reframe;
  readonly isCrop: boolean;
}

/** Moments of the whole output, at least one of each clip; none in its transitions. */
export async function comparedMoments(
  files: { readonly source: string; readonly output: string },
  timeline: Timeline,
  video: Pick<VideoFacts, 'width' | 'height'>,
): Promise<ComparedMoment[]> {
  const places = placesOf(timeline);
  const sources = await picturesAt(
    files.source,
    places.map(({ sourceSeconds }) => sourceSeconds),
  );
  const outputs = await picturesAt(
    files.output,
    places.map(({ outputSeconds }) => outputSeconds),
  );
  return places.map((place, at) => {
    const pair = { source: sources[at]!, output: outputs[at]! };
    return { ...place, ...pair, ...samePoints(pair, place, video) };
  });
}

async function picturesAt(path: string, times: readonly number[]): Promise<LabPicture[]> {
  using reader = new LabReader();
  return (await readMomentsAt(path, times)).map(({ frame, next }) => {
    const picture = reader.read(frame);
    for (const one of [frame, next]) one.free();
    return picture;
  });
}

function placesOf(timeline: Timeline): Place[] {
  const rate = framesPerSecond(timeline.frameRate);
  const starts = clipStartFrames(timeline);
  const mixed = timeline.transitions.map(({ clipIndex, durationSeconds }) => {
    const half = durationSeconds / 2 + MARGIN_SECONDS;
    return [starts[clipIndex]! / rate - half, starts[clipIndex]! / rate + half] as const;
  });
  return timeline.clips.flatMap((clip, at) => {
    const [first, end] = [starts[at]!, starts[at + 1]!];
    const count = Math.max(1, Math.round(((end - first) / rate) * PER_SECOND));
    return Array.from({ length: count }, (_, moment): Place => {
      const share = (Math.floor(((moment + 0.5) / count) * (end - first)) + 0.5) / (end - first);
      const seconds = share * (clip.sourceEndSeconds - clip.sourceStartSeconds);
      const sourceSeconds = clip.sourceStartSeconds + seconds;
      return {
        ...{ sourceSeconds, outputSeconds: (first + share * (end - first)) / rate },
        ...{ framing: framingAt(clip, share, sourceSeconds), isCrop: clip.fit === 'crop' },
      };
    }).filter(({ outputSeconds }) => !mixed.some(([from, to]) => outputSeconds > from && outputSeconds < to));
  });
}

/** Pairs of points; a padded picture is in the middle of the output. */
export function samePoints(
  { source, output }: { readonly source: LabPicture; readonly output: LabPicture },
  { framing, isCrop }: Pick<Place, 'framing' | 'isCrop'>,
  picture: Pick<VideoFacts, 'width' | 'height'>,
): Pick<ComparedMoment, 'before' | 'after' | 'places'> {
  const inner = isCrop ? WHOLE : innerBox(framing, picture, output);
  const [before, after, places]: [number[], number[], number[]] = [[], [], []];
  for (let y = 0; y < output.height; y++) {
    for (let x = 0; x < output.width; x++) {
      const across = ((x + 0.5) / output.width - inner.x) / inner.width;
      const down = ((y + 0.5) / output.height - inner.y) / inner.height;
      if (across < 0 || across >= 1 || down < 0 || down >= 1) continue;
      const place = [framing.x + across * framing.width, framing.y + down * framing.height] as const;
      const column = Math.min(source.width - 1, Math.floor(place[0] * source.width));
      const row = Math.min(source.height - 1, Math.floor(place[1] * source.height));
      const from = 3 * (row * source.width + column);
      const to = 3 * (y * output.width + x);
      before.push(source.lab[from]!, source.lab[from + 1]!, source.lab[from + 2]!);
      after.push(output.lab[to]!, output.lab[to + 1]!, output.lab[to + 2]!);
      places.push(...place);
    }
  }
  return {
    before: Float32Array.from(before),
    after: Float32Array.from(after),
    places: Float32Array.from(places),
  };
}

const WHOLE: Box = { x: 0, y: 0, width: 1, height: 1 };

function innerBox(
  framing: Reframe,
  picture: Pick<VideoFacts, 'width' | 'height'>,
  output: Pick<LabPicture, 'width' | 'height'>,
): Box {
  const [width, height] = [framing.width * picture.width, framing.height * picture.height];
  const scale = Math.min(output.width / width, output.height / height);
  const [w, h] = [(scale * width) / output.width, (scale * height) / output.height];
  return { x: (1 - w) / 2, y: (1 - h) / 2, width: w, height: h };
}
