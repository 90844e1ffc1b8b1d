/** Takes of one voice in different rooms, planned as one talk: what is heard where one take follows another. */
import { placedSpan, spanEnvelope } from '../../src/render/sound/span-gains.ts';
import { quantile } from '../../src/signal/statistics.ts';
import type { TalkPart } from '../../src/style/edit/talk-plan.ts';
import type { SoundMix } from '../../src/style/model/timeline.ts';
import { planTalkSound } from '../../src/style/plan/talk-sound.ts';
import { plannedTalk, RATE, recordedTake } from '../../test/style/edit/made-talk.ts';
import { SOUND_RATE } from '../generate/instruments.ts';
import { analysisOf } from '../lib/analysed-sound.ts';
import { resampled } from './hard.ts';
import { type Condition, levels, plantedTalk } from './planted.ts';

/** Rooms and levels of the takes, in dB. */
const ROOMS = [
  ['noise', -6],
  ['clean', 0],
  ['room', 4],
] as const satisfies readonly (readonly [Condition, number])[];

/** Steps of level are measured between so many seconds on both sides. */
const BESIDE = 0.03;
/** Apart from the overlap of two takes. */
const APART = { from: 0.06, to: 0.16 } as const;

export interface RoomScore {
  /** Steps of level at joins within a take, at joins of two takes, and beside their overlap, dB. */
  readonly within: readonly number[];
  readonly between: readonly number[];
  readonly beside: readonly number[];
  /** Largest difference of the takes' loudness in the output, LU. */
  readonly levelLu: number;
}

/** Null: too few clean recordings. */
export function scoreRooms(voice: string, seconds: number): RoomScore | null {
  const sounds = ROOMS.flatMap(([condition, gainDb]) => {
    const talk = plantedTalk(voice, condition, seconds);
    if (talk === null) return [];
    const gain = 10 ** (gainDb / 20);
    return [resampled(talk.samples, talk.rate, SOUND_RATE).map((one) => one * gain)];
  });
  if (sounds.length < ROOMS.length) return null;
  const audios = sounds.map((samples) => analysisOf(samples).finish());
  const takes = audios.map((audio, at) => {
    const take = recordedTake(audio.speech.talk!, audio.durationSeconds, at + 1);
    return { ...take, facts: { ...take.facts, audio } };
  });
  const { parts } = plannedTalk(takes).talk!;
  const mix = planTalkSound(
    {
      ...{ parts, frameRate: RATE, takes: audios },
      ...{ music: null, musicStartSeconds: 0, barSeconds: null, sound: 'takes' },
    },
    [],
  )!;
  const out = mixed(mix, sounds, parts);
  const joins = parts.slice(1).map((part) => ({ at: part.outputFrame / RATE, isTake: part.isTakeStart }));
  const step = (at: number, from: number, to: number) =>
    Math.abs(levelIn(out, at - to, at - from) - levelIn(out, at + from, at + to));
  const lufs = sounds.map((_, take) => loudnessOf(out, parts, take));
  return {
    within: joins.filter(({ isTake }) => !isTake).map(({ at }) => step(at, 0, BESIDE)),
    between: joins.filter(({ isTake }) => isTake).map(({ at }) => step(at, 0, BESIDE)),
    beside: joins.filter(({ isTake }) => isTake).map(({ at }) => step(at, APART.from, APART.to)),
    levelLu: Math.max(...lufs) - Math.min(...lufs),
  };
}

function mixed(mix: SoundMix, sounds: readonly Float32Array[], parts: readonly TalkPart[]): Float32Array {
  const last = parts.at(-1)!;
  const total = Math.round(((last.outputFrame + last.endFrame - last.startFrame) / RATE) * SOUND_RATE);
  const out = new Float32Array(total);
  for (const span of mix.spans) {
    const placed = placedSpan(span, total, SOUND_RATE);
    const gain = spanEnvelope(placed, SOUND_RATE);
    const sound = sounds[span.source as number];
    for (let n = 0; n < placed.length; n++) out[placed.at + n] += gain(n) * (sound[placed.from + n] ?? 0);
  }
  return out;
}

/** Median of frames of 10 ms, dB. */
function levelIn(out: Float32Array, from: number, to: number): number {
  return quantile(
    levels(out.subarray(Math.round(from * SOUND_RATE), Math.round(to * SOUND_RATE)), SOUND_RATE),
    0.5,
  );
}

function loudnessOf(out: Float32Array, parts: readonly TalkPart[], take: number): number {
  const own = parts.filter((part) => part.take === take);
  const from = own[0].outputFrame / RATE;
  const last = own.at(-1)!;
  const to = (last.outputFrame + last.endFrame - last.startFrame) / RATE;
  const samples = out.slice(Math.round(from * SOUND_RATE), Math.round(to * SOUND_RATE));
  return analysisOf(samples).finish().loudness.integratedLufs ?? -70;
}
