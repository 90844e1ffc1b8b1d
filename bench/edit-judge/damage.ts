/** Damage of a rendered edit that a person sees or hears. Each check reads the output or the plan's numbers, none repeats the planner's own. */
import type { EditResult } from '../../src/style/model/edit-result.ts';
import type { Timeline } from '../../src/style/model/timeline.ts';
import { facesCut, type Heads } from './faces.ts';
import { difference, type GreyFrames, SAMPLE_RATE } from './read-file.ts';

export const DAMAGES = [
  'instant twice',
  'word cut',
  'sliver',
  'black',
  'frozen',
  'click',
  'song off',
  'late cut',
  'face cut',
] as const;
export type DamageKind = (typeof DAMAGES)[number];

export interface Damage {
  readonly kind: DamageKind;
  /** In the output. */
  readonly atSeconds: number;
  readonly detail: string;
}

type Words = readonly { readonly startSeconds: number; readonly endSeconds: number }[];

export interface JudgedEdit {
  readonly edit: EditResult;
  readonly timeline: Timeline;
  readonly pictures: GreyFrames;
  /** Mono at `SAMPLE_RATE`; empty: no sound. */
  readonly sound: Float32Array;
  /** Mono at `SAMPLE_RATE`; null: no song. */
  readonly song: Float32Array | null;
  /** Spoken words of each take, in the order of the request; empty: unknown, or none. */
  readonly words: readonly Words[];
  /** Shortest shot of the template, by the judge's own detector. */
  readonly templateShortestSeconds: number;
  /** Heads with their shoulders in each take, in the order of the request; empty: unknown, or none. */
  readonly heads: readonly Heads[];
  /** Name of a take's file; one for twins. */
  readonly fileOf: (id: string) => string;
  /** Pictures of a take in a span of its time. */
  readonly takePictures: (id: string, startSeconds: number, endSeconds: number) => GreyFrames;
}

const SLIVER_SECONDS = 0.3;
/** Words begin and end within this, after their quiet ends are taken off. */
const WORD_MARGIN_SECONDS = 0.025;
/** Recognizers count the pause after a word as its end: what is this far below its loudest moment is pause. */
const [WORD_RANGE_DB, WORD_STEP_SECONDS] = [25, 0.02];
const BLACK = { mean: 6, most: 24 };
/** Pictures of 80 × 45 grey levels that differ less are equal; longer runs than this are seen as frozen. */
const STILL_DIFFERENCE = 0.03;
/** Encoding again removes noise of this size. */
const TAKE_STILL_DIFFERENCE = 0.3;
const FROZEN_SECONDS = 0.3;
/** Samples at a joint are compared with those around it; below the floor nothing is heard. */
const CLICK = { jointSeconds: 0.004, gapSeconds: 0.012, aroundSeconds: 0.25, ratio: 2, floor: 0.01 };
const LATE_SECONDS = 0.12;
/** Compared at 4 kHz, where songs have most of their energy. */
const SONG = { windowSeconds: 2, searchSeconds: 0.1, step: 12, minCorrelation: 0.3 };

export function damagesOf(judged: JudgedEdit): Damage[] {
  return [
    ...instantsTwice(judged),
    ...wordsCut(judged),
    ...slivers(judged),
    ...blackFrames(judged),
    ...frozenFrames(judged),
    ...clicks(judged),
    ...songOff(judged),
    ...facesCut(judged).map((one) => ({ kind: 'face cut' as const, ...one })),
  ];
}

/** A transition with handles shows half of its length more of both takes. */
export function instantsTwice({
  edit: { takes, slots },
  timeline: { clips, transitions },
  fileOf,
}: Pick<JudgedEdit, 'edit' | 'timeline' | 'fileOf'>): Damage[] {
  const handles = (clipIndex: number) => {
    const into = transitions.find((one) => one.clipIndex === clipIndex);
    return into?.hasHandles === true ? into.durationSeconds / 2 : 0;
  };
  const pinned = new Set(slots.filter((slot) => slot.pinned).map(({ video_id }) => video_id));
  let atSeconds = 0;
  const shown = clips.map(({ take, sourceStartSeconds, sourceEndSeconds }, at) => {
    const start = atSeconds;
    atSeconds += sourceEndSeconds - sourceStartSeconds;
    const id = takes[take]!.video_id;
    const [from, to] = [sourceStartSeconds - handles(at), sourceEndSeconds + handles(at + 1)];
    return { file: fileOf(id), isPinned: pinned.has(id), from, to, atSeconds: start };
  });
  return shown.flatMap((one, at) =>
    shown.slice(at + 1).flatMap((other): Damage[] => {
      const seconds = Math.min(one.to, other.to) - Math.max(one.from, other.from);
      if (one.file !== other.file || seconds < 0.001 || (one.isPinned && other.isPinned)) return [];
      const detail = `${seconds.toFixed(3)} s of ${one.file}, first at ${one.atSeconds.toFixed(2)} s`;
      return [{ kind: 'instant twice', atSeconds: other.atSeconds, detail }];
    }),
  );
}

/** Words without the quiet before and after them. @param sound Mono at `SAMPLE_RATE`. */
export function audibleParts(words: Words, sound: Float32Array): Words {
  const step = Math.round(WORD_STEP_SECONDS * SAMPLE_RATE);
  return words.flatMap(({ startSeconds, endSeconds }) => {
    const first = Math.round(startSeconds * SAMPLE_RATE);
    const count = Math.floor((endSeconds - startSeconds) / WORD_STEP_SECONDS);
    const levels = Array.from({ length: count }, (_, at) => {
      const part = sound.subarray(first + at * step, first + (at + 1) * step);
      return 10 * Math.log10(part.reduce((sum, value) => sum + value * value, 1e-9) / step);
    });
    const isLoud = (level: number) => level > Math.max(...levels) - WORD_RANGE_DB;
    const [from, to] = [levels.findIndex(isLoud), levels.findLastIndex(isLoud) + 1];
    return from < 0
      ? []
      : [
          {
            startSeconds: startSeconds + from * WORD_STEP_SECONDS,
            endSeconds: startSeconds + to * WORD_STEP_SECONDS,
          },
        ];
  });
}

/** An end of a take's sound within a word that it has begun. */
export function wordsCut({ timeline, words }: Pick<JudgedEdit, 'timeline' | 'words'>): Damage[] {
  return (timeline.sound?.spans ?? []).flatMap((span): Damage[] => {
    if (span.source === 'music') return [];
    const shift = span.sourceStartSeconds - span.startSeconds;
    const audible = {
      startSeconds: span.startSeconds + shift + span.fadeInSeconds / 2,
      endSeconds: span.endSeconds + shift - span.fadeOutSeconds / 2,
    };
    return [audible.startSeconds, audible.endSeconds].flatMap((edge) =>
      (words[span.source as number] ?? [])
        .filter(
          (word) =>
            edge > word.startSeconds + WORD_MARGIN_SECONDS && edge < word.endSeconds - WORD_MARGIN_SECONDS,
        )
        .map((word) => ({
          kind: 'word cut' as const,
          atSeconds: edge - shift,
          detail: `take ${span.source}, word ${word.startSeconds.toFixed(2)}–${word.endSeconds.toFixed(2)} s at ${edge.toFixed(2)} s`,
        })),
    );
  });
}

function slivers({ edit, templateShortestSeconds }: JudgedEdit): Damage[] {
  const least = Math.min(SLIVER_SECONDS, templateShortestSeconds) - 0.5 / 30;
  return edit.slots
    .filter(({ start_seconds, end_seconds }) => end_seconds - start_seconds < least)
    .map(({ start_seconds, end_seconds }) => ({
      kind: 'sliver',
      atSeconds: start_seconds,
      detail: `${(end_seconds - start_seconds).toFixed(3)} s`,
    }));
}

/** Outside of fades that the template has. */
function blackFrames({ pictures, edit }: JudgedEdit): Damage[] {
  const isBlack = (frame: Uint8Array) =>
    frame.reduce((sum, value) => sum + value, 0) / frame.length < BLACK.mean &&
    frame.every((value) => value < BLACK.most);
  return runsWhere(pictures, (at) => isBlack(pictures.frames[at]!))
    .filter(({ startSeconds, endSeconds }) => !isInFade(edit, startSeconds, endSeconds))
    .map(({ startSeconds, endSeconds }) => ({
      kind: 'black',
      atSeconds: startSeconds,
      detail: `${(endSeconds - startSeconds).toFixed(2)} s`,
    }));
}

function isInFade({ slots }: EditResult, from: number, to: number): boolean {
  return slots.some(({ start_seconds: at, transition_in: into }) => {
    if (into === null || !into.type.startsWith('fade')) return false;
    return from >= at - into.duration_seconds / 2 - 0.05 && to <= at + into.duration_seconds / 2 + 0.05;
  });
}

/** Pictures that stand still although their take does not. */
function frozenFrames({ pictures, edit, fileOf, takePictures }: JudgedEdit): Damage[] {
  const { frames } = pictures;
  return runsWhere(pictures, (at) => at > 0 && difference(frames[at - 1]!, frames[at]!) < STILL_DIFFERENCE)
    .filter(({ startSeconds, endSeconds }) => endSeconds - startSeconds >= FROZEN_SECONDS)
    .flatMap(({ startSeconds, endSeconds }): Damage[] => {
      const slot = edit.slots.findLast(({ start_seconds }) => start_seconds <= startSeconds + 0.01);
      if (slot === undefined) return [];
      const source = slot.source_start_seconds + startSeconds - slot.start_seconds;
      const own = takePictures(slot.video_id, source, source + endSeconds - startSeconds).frames;
      const isStill = own.every(
        (frame, at) => at === 0 || difference(own[at - 1]!, frame) < TAKE_STILL_DIFFERENCE,
      );
      if (isStill) return [];
      const detail = `${(endSeconds - startSeconds).toFixed(2)} s, ${fileOf(slot.video_id)} at ${source.toFixed(2)} s`;
      return [{ kind: 'frozen', atSeconds: startSeconds, detail }];
    });
}

function runsWhere({ frames, rate }: GreyFrames, holds: (at: number) => boolean) {
  const runs: { startSeconds: number; endSeconds: number }[] = [];
  let start = -1;
  for (let at = 0; at <= frames.length; at++) {
    const isIn = at < frames.length && holds(at);
    if (isIn && start < 0) start = at;
    if (isIn || start < 0) continue;
    runs.push({ startSeconds: start / rate, endSeconds: at / rate });
    start = -1;
  }
  return runs;
}

/** A bend of the waveform at a joint of slots or sounds that nothing around it has. */
export function clicks({ timeline, edit, sound }: Pick<JudgedEdit, 'timeline' | 'edit' | 'sound'>): Damage[] {
  if (sound.length === 0) return [];
  const joints = new Set<number>();
  const add = (seconds: number) => joints.add(Math.round(seconds * SAMPLE_RATE));
  for (const { start_seconds } of edit.slots.slice(1)) add(start_seconds);
  for (const { startSeconds, endSeconds } of timeline.sound?.spans ?? []) {
    add(startSeconds);
    add(endSeconds);
  }
  const bend = (at: number) => Math.abs(sound[at + 1]! - 2 * sound[at]! + sound[at - 1]!);
  const sharpest = (from: number, to: number) => {
    let most = 0;
    for (let at = Math.max(1, from); at < Math.min(sound.length - 1, to); at++)
      most = Math.max(most, bend(at));
    return most;
  };
  const [near, gap, around] = [CLICK.jointSeconds, CLICK.gapSeconds, CLICK.aroundSeconds].map((seconds) =>
    Math.round(seconds * SAMPLE_RATE),
  ) as [number, number, number];
  return [...joints].flatMap((joint): Damage[] => {
    if (joint < around || joint > sound.length - around) return [];
    const here = sharpest(joint - near, joint + near);
    const beside = Math.max(sharpest(joint - around, joint - gap), sharpest(joint + gap, joint + around));
    if (here < CLICK.floor || here < CLICK.ratio * beside) return [];
    return [
      {
        kind: 'click',
        atSeconds: joint / SAMPLE_RATE,
        detail: `bend ${here.toFixed(3)}, around ${beside.toFixed(3)}`,
      },
    ];
  });
}

/** Lag of the song in the output behind the place that the plan names, at three places. */
export function songOff({
  edit,
  timeline,
  sound,
  song,
  pictures,
}: Pick<JudgedEdit, 'edit' | 'timeline' | 'sound' | 'song' | 'pictures'>): Damage[] {
  if (song === null || edit.music_start_seconds === null || timeline.sound === undefined) return [];
  if (!timeline.sound.spans.some(({ source }) => source === 'music')) return [];
  const rate = SAMPLE_RATE / SONG.step;
  const length = SONG.windowSeconds * rate;
  const [heard, original] = [thinned(sound), thinned(song)];
  return [0.1, 0.45, 0.8].flatMap((place): Damage[] => {
    const at = Math.round(place * (heard.length - length));
    const expected = at + Math.round(edit.music_start_seconds! * rate);
    const { lag, correlation } = bestLag(heard.subarray(at, at + length), original, expected);
    const seconds = lag / rate;
    if (correlation < SONG.minCorrelation || Math.abs(seconds) <= 1 / pictures.rate) return [];
    const detail = `${(1000 * seconds).toFixed(1)} ms at a correlation of ${correlation.toFixed(2)}`;
    return [{ kind: 'song off', atSeconds: at / rate, detail }];
  });
}

/** Means of neighboring samples. */
function thinned(sound: Float32Array): Float32Array {
  const thin = new Float32Array(Math.floor(sound.length / SONG.step));
  for (let at = 0; at < SONG.step * thin.length; at++)
    thin[Math.floor(at / SONG.step)]! += sound[at]! / SONG.step;
  return thin;
}

function bestLag(
  part: Float32Array,
  song: Float32Array,
  expected: number,
): { readonly lag: number; readonly correlation: number } {
  let best = { lag: 0, correlation: 0 };
  const reach = Math.round((SONG.searchSeconds * SAMPLE_RATE) / SONG.step);
  for (let lag = -reach; lag <= reach; lag++) {
    let [both, one, other] = [0, 0, 0];
    for (let at = 0; at < part.length; at++) {
      const [x, y] = [part[at]!, song[expected - lag + at] ?? 0];
      both += x * y;
      one += x * x;
      other += y * y;
    }
    const correlation = both / Math.sqrt(one * other || 1);
    if (correlation > best.correlation) best = { lag, correlation };
  }
  return best;
}

/** Cuts of the plan that the output does not show within a frame, of those that its pictures let be seen at all. */
export function lateCuts(
  { edit, pictures }: Pick<JudgedEdit, 'edit' | 'pictures'>,
  found: readonly number[],
): Damage[] {
  return edit.slots.slice(1).flatMap(({ start_seconds: at, transition_in }): Damage[] => {
    if (transition_in !== null) return [];
    const nearest = found.reduce(
      (best, cut) => (Math.abs(cut - at) < Math.abs(best - at) ? cut : best),
      -1e9,
    );
    const off = Math.abs(nearest - at) * pictures.rate;
    // Further off something else was seen, and the cut was not.
    if (off <= 1.01 || off > LATE_SECONDS * pictures.rate) return [];
    return [{ kind: 'late cut', atSeconds: at, detail: `seen ${off.toFixed(1)} frames beside` }];
  });
}
