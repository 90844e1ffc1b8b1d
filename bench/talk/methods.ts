/** Ways to cut a talk, each with the joints that its program makes. */
import type { AudioFacts } from '../../src/analysis/facts.ts';
import { Spectra } from '../../src/analysis/spectrum/spectra.ts';
import { talkCertainty } from '../../src/analysis/speech/pauses.ts';
import { findRepeats } from '../../src/analysis/speech/repeats.ts';
import { findTalk } from '../../src/analysis/speech/talk.ts';
import { type BandLevels, VoiceBandMeter } from '../../src/analysis/speech/voice-bands.ts';
import type { TalkFacts } from '../../src/analysis/talk-facts.ts';
import { jobConfigSchema } from '../../src/domain/job-config.ts';
import type { Warning } from '../../src/domain/stage.ts';
import type { TalkRemoval, TalkStyle } from '../../src/style/model/talk.ts';
import { secondAttempts } from '../../src/style/plan/second-attempts.ts';
import { frameGrid } from '../../src/style/plan/segments.ts';
import type { TalkRequest } from '../../src/style/plan/talk.ts';
import { planTalk } from '../../src/style/plan/talk.ts';
import type { Drop } from '../../src/style/plan/talk-units.ts';
import { levels, type PlantedTalk } from './planted.ts';

export interface Cuts {
  readonly removed: readonly (readonly [start: number, end: number])[];
  /** Whether the sounds overlap at a join, as in our output. */
  readonly overlaps: boolean;
}

/** Every pause as short as possible, to judge borders. */
export const SHORTEST: TalkStyle['pauses'] = { p10: 0, p25: 0, p50: 0, p75: 0, p90: 0 };

/** Borders are judged apart from a frame rate. */
const FINE_RATE = { numerator: 1000, denominator: 1 };

/** The removals of our plan in the manner of a template, at full strength. */
export function planned(
  { samples, rate }: Pick<PlantedTalk, 'samples' | 'rate'>,
  talk: TalkFacts | null,
  pauses: TalkStyle['pauses'],
): Cuts['removed'] {
  const speech = { share: 1, talk };
  const { removals } = plannedFrom({ durationSeconds: samples.length / rate, speech } as AudioFacts, pauses);
  return removals.map(({ startSeconds, endSeconds }) => [startSeconds, endSeconds] as const);
}

/** The removals at full strength; without one, the reason in the warning. */
export function plannedFrom(
  audio: AudioFacts,
  pauses: TalkStyle['pauses'],
): { readonly removals: readonly TalkRemoval[]; readonly why: string | null } {
  const request = {
    audio,
    grid: frameGrid(FINE_RATE, audio.durationSeconds),
    style: { talk: { pauses, pauses_per_minute: 20, confidence: 1 } },
    config: jobConfigSchema.parse({ talk: 'on', components: { talk: 1 } }),
  } as unknown as TalkRequest;
  const warnings: Warning[] = [];
  const removals = planTalk(request, warnings)?.removals ?? [];
  return { removals, why: warnings.find(({ code }) => code === 'TALK_LEFT')?.message ?? null };
}

export function heard(talk: Pick<PlantedTalk, 'samples' | 'rate'>): TalkFacts | null {
  return findTalk(levelsOf(talk));
}

export interface Attempts {
  readonly runs: TalkFacts['runs'];
  /** First attempts, from where the first begins to where the second does. */
  readonly removed: readonly (readonly [start: number, end: number])[];
  readonly proposed: readonly (readonly [start: number, end: number])[];
}

/** First attempts by sound alone. */
export function attemptsIn(talk: Pick<PlantedTalk, 'samples' | 'rate'>): Attempts {
  const levels = levelsOf(talk);
  const found = findTalk(levels);
  if (found === null || talkCertainty(found) === 0) return { runs: [], removed: [], proposed: [] };
  const facts = { ...found, repeats: findRepeats(levels, found.runs) };
  const { certain, likely } = secondAttempts(facts, []);
  const spansOf = (drops: readonly Drop[]) =>
    drops.map(
      ({ firstRun, lastRun }) =>
        [facts.runs[firstRun].startSeconds, facts.runs[lastRun + 1].startSeconds] as const,
    );
  return { runs: facts.runs, removed: spansOf(certain), proposed: spansOf(likely) };
}

function levelsOf({ samples, rate }: Pick<PlantedTalk, 'samples' | 'rate'>): BandLevels {
  const size = 2048 * 2 ** Math.round(Math.log2(rate / 44_100));
  let meter: VoiceBandMeter | undefined;
  const spectra = new Spectra(size, rate, 100, (power) => meter!.push(power));
  meter = new VoiceBandMeter({ fftSize: size, sampleRate: rate, fullScale: spectra.fullScale });
  spectra.push(samples);
  spectra.finish();
  return meter.finish();
}

export const METHODS = {
  ours: (talk) => ({ removed: planned(talk, heard(talk), SHORTEST), overlaps: true }),
  /** Its defaults: loud from a peak of 4 %, .2 s stay on both sides, 30 frames a second. */
  'auto-editor': ({ samples, rate }) => {
    const peaks = Array.from({ length: Math.floor((30 * samples.length) / rate) }, (_, frame) => {
      let peak = 0;
      for (let n = Math.floor((frame * rate) / 30); n < ((frame + 1) * rate) / 30; n++)
        peak = Math.max(peak, Math.abs(samples[n] ?? 0));
      return peak >= 0.04;
    });
    return { removed: quietRuns(peaks, 30, 6), overlaps: false };
  },
  /** Below −30 dB for half a second, as FFmpeg's filter. */
  silence: ({ samples, rate }) => {
    const loud = Array.from(levels(samples, rate), (level) => level > -30);
    return { removed: quietRuns(loud, 100, 0).filter(([start, end]) => end - start >= 0.5), overlaps: false };
  },
  nothing: () => ({ removed: [], overlaps: false }),
} as const satisfies Record<string, (talk: PlantedTalk) => Cuts>;

/** Runs between loud frames, without a margin of frames on both sides. */
function quietRuns(loud: readonly boolean[], rate: number, margin: number): [number, number][] {
  const runs: [number, number][] = [];
  let last = -1;
  for (const [frame, isLoud] of loud.entries()) {
    if (!isLoud) continue;
    if (last >= 0 && frame - last - 1 > 2 * margin)
      runs.push([(last + 1 + margin) / rate, (frame - margin) / rate]);
    last = frame;
  }
  return runs;
}
