/** An edit as editing programs get it: takes of two rates, two of them with one name, a photo twice, a song, speech over it. */
import type { SourceMedia, TimelineMedia } from '../../src/style/export/source-media.ts';
import type { Clip, SoundSpan, Timeline } from '../../src/style/model/timeline.ts';
import { timelineClip } from './timeline-clip.ts';

const PAL = { numerator: 25, denominator: 1 };
const take = (fileName: string, change: Partial<SourceMedia> = {}): SourceMedia => ({
  ...{ fileName, durationSeconds: 20, frameRate: PAL, width: 1920, height: 1080, audioChannels: 2 },
  ...change,
});

export const EDIT_MEDIA: TimelineMedia = {
  takes: [
    take('clip.mp4'),
    take('clip.mp4', {
      ...{ durationSeconds: 12, frameRate: { numerator: 30000, denominator: 1001 }, audioChannels: 1 },
    }),
    take('beach.jpg', { durationSeconds: 0, audioChannels: 0 }),
    take('silent.mov', { durationSeconds: 8, audioChannels: 0 }),
  ],
  music: { fileName: 'song.mp3', durationSeconds: 61.37, audioChannels: 2 },
};

const slot = (number: number, start: number, end: number, change: Partial<Clip> = {}) =>
  timelineClip(start, end, { take: number, reason: 'slot', ...change });

const WHOLE = { x: 0, y: 0, width: 1, height: 1 };
const CLOSER = { x: 0.1, y: 0.1, width: 0.8, height: 0.8 };

/** Output seconds 0, 2, 3.2, 4.4, 6, 7, 8.2 to 9. */
const CLIPS: readonly Clip[] = [
  slot(0, 10, 12),
  slot(1, 0, 1.2),
  slot(2, 0, 1.2, { from: WHOLE, to: CLOSER }),
  slot(0, 2, 3.6),
  slot(3, 7, 8),
  slot(2, 0, 1.2, { from: CLOSER, to: WHOLE }),
  slot(1, 4, 4.8),
];

const span = (source: SoundSpan['source'], from: number, [start, end]: readonly [number, number]) => ({
  ...{ source, sourceStartSeconds: from, startSeconds: start, endSeconds: end },
  ...{ gainDb: 0, fadeInSeconds: 0.03, fadeOutSeconds: 0.03 },
});

export const EDIT_TIMELINE: Timeline = {
  version: 2,
  frameRate: PAL,
  width: 1080,
  height: 1920,
  takes: EDIT_MEDIA.takes.map(() => ({ grade: null })),
  clips: CLIPS,
  transitions: [
    // Take 1 has nothing before its first frame.
    { clipIndex: 1, type: 'dissolve', durationSeconds: 0.4, easing: 'linear' },
    { clipIndex: 2, type: 'slide', durationSeconds: 0.4, easing: 'linear', direction: 'left' },
    { clipIndex: 3, type: 'dissolve', durationSeconds: 0.4, easing: 'linear' },
    // Take 3 has nothing after its last frame.
    { clipIndex: 5, type: 'dissolve', durationSeconds: 0.4, easing: 'linear' },
  ],
  audio: { equalizer: [], compressor: null, targetLufs: -14, truePeakDbtp: -1 },
  captions: [],
  sound: {
    spans: [
      { ...span('music', 31.013, [0, 9]), fadeOutSeconds: 1.6 },
      // A phrase that ends over the next slot, whose own sound begins on its cut.
      { ...span(0, 10, [0, 2.74]), gainDb: 5.5 },
      { ...span(1, 0, [2, 3.2]), gainDb: -9 },
      { ...span(0, 2, [4.4, 6]), gainDb: 3 },
      { ...span(3, 7, [6, 7]), gainDb: 0 },
      { ...span(1, 4, [8.2, 9]), gainDb: 11 },
    ],
    musicGain: [
      { timeSeconds: 0.35, gainDb: 0 },
      { timeSeconds: 0.5, gainDb: -12 },
      { timeSeconds: 2.7, gainDb: -12 },
      { timeSeconds: 3.4, gainDb: 0 },
    ],
  },
};

/** The same, but take 0 ends with its file at the first transition, for which no file has frames beyond the cut. */
export const CUT_TIMELINE: Timeline = {
  ...EDIT_TIMELINE,
  clips: CLIPS.map((clip, at) =>
    at === 0 ? { ...clip, sourceStartSeconds: 18, sourceEndSeconds: 20 } : clip,
  ),
};

/** Gain of a span at a time of the output as the renderer mixes it, as a factor. */
export function mixedGain({ sound }: Timeline, one: SoundSpan, seconds: number): number {
  const ramp = (distance: number, length: number) =>
    distance >= length ? 1 : Math.sin((Math.max(0, distance) / length) * (Math.PI / 2));
  const keys = one.source === 'music' ? sound!.musicGain : [];
  const at = keys.findIndex(({ timeSeconds }) => timeSeconds > seconds);
  let duck = at === -1 ? (keys.at(-1)?.gainDb ?? 0) : keys[Math.max(0, at - 1)]!.gainDb;
  if (at > 0) {
    const [before, after] = [keys[at - 1]!, keys[at]!];
    const share = (seconds - before.timeSeconds) / (after.timeSeconds - before.timeSeconds);
    duck = before.gainDb + share * (after.gainDb - before.gainDb);
  }
  const faded =
    ramp(seconds - one.startSeconds, one.fadeInSeconds) * ramp(one.endSeconds - seconds, one.fadeOutSeconds);
  return 10 ** ((one.gainDb + duck) / 20) * faded;
}
