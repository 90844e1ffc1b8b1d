/** Videos whose small pictures have known greys. */
import type { SubjectTrack, VideoFacts } from '../../src/analysis/facts.ts';
import { videoFacts } from './clip-facts.ts';

/** Of its small pictures; one of them a second. */
export const [WIDTH, HEIGHT, COUNT] = [24, 14, 8];
export const WHOLE = { x: 0, y: 0, width: 1, height: 1 };
export type Level = (x: number, y: number, time: number) => number;

/** A video with small pictures of these greys. */
export function greyVideo(level: Level, faces: readonly SubjectTrack[] = []): VideoFacts {
  const rgb = Array.from({ length: COUNT }, (_, time) =>
    Array.from({ length: WIDTH * HEIGHT }, (__, at) => {
      const grey = Math.round(level(at % WIDTH, Math.floor(at / WIDTH), time));
      return [grey, grey, grey];
    }),
  ).flat(2);
  const moments = {
    ...{ width: WIDTH, height: HEIGHT },
    timesSeconds: Array.from({ length: COUNT }, (_, time) => time),
    areas: Array.from({ length: COUNT }, () => WHOLE),
    rgb: Buffer.from(rgb).toString('base64'),
  };
  return videoFacts({ durationSeconds: COUNT, faces, color: { ...videoFacts().color, moments } });
}
