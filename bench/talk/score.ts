/** What cuts remove from planted pauses and from words, and how their joins sound. */

import { AudioAssembly } from '../../src/render/sound/audio-assembly.ts';
import { quantile } from '../../src/signal/statistics.ts';
import { wholeClip } from '../../src/style/model/timeline.ts';
import type { Cuts } from './methods.ts';
import { levels, type PlantedTalk } from './planted.ts';

export interface TalkScore {
  /** Share of the planted time that is removed, of what may be: .16 s of each pause stay. */
  readonly removed: number;
  /** Milliseconds of speech in a removed part, mean. */
  readonly lostMs: number;
  /** Shares of the cuts that begin or end within speech, and that click. */
  readonly inWord: number;
  readonly clicks: number;
  /** Difference of level across a join, 90th percentile, dB. */
  readonly jumpDb: number;
  readonly cuts: number;
}

const LEFT_SECONDS = 0.16;
/** Speech so far above its least level is a word. */
const WORD_DB = 10;
/** A step at a join above so many times the usual one within 20 ms. */
const CLICK = 6;

export function scoreCuts(
  { pauses, speechDb, samples, rate }: PlantedTalk,
  { removed, overlaps }: Cuts,
): TalkScore {
  const removable = pauses.reduce((sum, [start, end]) => sum + end - start - LEFT_SECONDS, 0);
  const inPauses = pauses.reduce(
    (sum, [start, end]) =>
      sum +
      removed.reduce((all, [from, to]) => all + Math.max(0, Math.min(end, to) - Math.max(start, from)), 0),
    0,
  );
  const lost = removed.map(([from, to]) => {
    let frames = 0;
    for (let t = Math.ceil(from * 100); t < Math.floor(to * 100); t++) if (speechDb[t] > 0) frames++;
    return frames * 10;
  });
  const isWord = (seconds: number) => {
    const t = Math.round(seconds * 100);
    return [t - 1, t, t + 1].every((frame) => speechDb[frame] > WORD_DB);
  };
  const joins = joinsOf(samples, rate, { removed, overlaps });
  const share = (count: number) => count / Math.max(1, removed.length);
  return {
    removed: inPauses / removable,
    lostMs: share(lost.reduce((sum, one) => sum + one, 0)),
    inWord: share(removed.filter(([from, to]) => isWord(from) || isWord(to)).length),
    clicks: share(joins.filter(({ step }) => step > CLICK).length),
    jumpDb:
      joins.length === 0
        ? 0
        : quantile(
            joins.map(({ jumpDb }) => jumpDb),
            0.9,
          ),
    cuts: removed.length,
  };
}

/** The sound at each join: its largest step over the usual one, and the difference of level between 30 ms on both sides. */
function joinsOf(samples: Float32Array, rate: number, { removed, overlaps }: Cuts) {
  const bounds = [0, ...removed.flat(), samples.length / rate];
  const clips = removed.map((_, at) => wholeClip(bounds[2 * at], bounds[2 * at + 1]));
  clips.push(wholeClip(bounds.at(-2)!, bounds.at(-1)!));
  const out = overlaps ? assembled(samples, rate, clips) : spliced(samples, rate, clips);
  let at = 0;
  return clips.slice(0, -1).map(({ sourceStartSeconds, sourceEndSeconds }) => {
    at += sourceEndSeconds - sourceStartSeconds;
    const join = Math.round(at * rate);
    const step = (n: number) => Math.abs((out[n] ?? 0) - (out[n - 1] ?? 0));
    const around = Math.round(0.02 * rate);
    const usual = Array.from({ length: 2 * around }, (_, n) => step(join - around + n)).filter(
      (_, n) => Math.abs(n - around) > 2,
    );
    const here = Math.max(...[-1, 0, 1, 2].map((n) => step(join + n)));
    const frames = levels(
      out.subarray(Math.max(0, join - Math.round(0.03 * rate)), join + Math.round(0.03 * rate)),
      rate,
    );
    const [before, after] = [frames.subarray(0, 3), frames.subarray(3)].map((part) => quantile(part, 0.5));
    return { step: here / (quantile(usual, 0.95) + 1e-9), jumpDb: Math.abs(before - after) };
  });
}

function assembled(samples: Float32Array, rate: number, clips: Parameters<typeof spliced>[2]): Float32Array {
  const assembly = new AudioAssembly(clips, rate);
  const [first] = assembly.push([samples, samples]);
  const [rest] = assembly.finish();
  const out = new Float32Array(first.length + rest.length);
  out.set(first);
  out.set(rest, first.length);
  return out;
}

function spliced(
  samples: Float32Array,
  rate: number,
  clips: readonly ReturnType<typeof wholeClip>[],
): Float32Array {
  const parts = clips.map(({ sourceStartSeconds, sourceEndSeconds }) =>
    samples.subarray(Math.round(sourceStartSeconds * rate), Math.round(sourceEndSeconds * rate)),
  );
  const out = new Float32Array(parts.reduce((sum, part) => sum + part.length, 0));
  let at = 0;
  for (const part of parts) {
    out.set(part, at);
    at += part.length;
  }
  return out;
}
