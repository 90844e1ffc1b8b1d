/**
 * Known sounds: another recording through a known filter is the template, and the output should be the source through that filter. The
 * long-term spectrum of a filtered recording is its own plus the filter's gains, so nothing is rendered.
 */
import type { AudioFacts } from '../../src/analysis/facts.ts';
import { mean } from '../../src/signal/statistics.ts';
import { planAudio } from '../../src/style/audio/audio.ts';
import { percent, table } from '../lib/report.ts';
import { soundStyleOf } from './audio.ts';

/** Gains in dB by frequency in Hz: tone controls, and devices with a narrow band. */
export const NAMED_FILTERS: Readonly<Record<string, (hz: number) => number>> = {
  'more bass': (hz) => 7 * above(140, hz),
  'less bass': (hz) => -8 * above(180, hz),
  bright: (hz) => 6 * above(hz, 3500),
  dark: (hz) => -10 * above(hz, 3000),
  'bass and treble': (hz) => 5 * above(120, hz) + 5 * above(hz, 6000),
  'no middle': (hz) => -5 * about(hz, 600),
  presence: (hz) => 5 * about(hz, 3000),
  telephone: (hz) => -18 * above(300, hz) - 18 * above(hz, 3400),
  radio: (hz) => -10 * above(150, hz) - 8 * above(hz, 5500),
  'old tape': (hz) => 3 * above(250, hz) - 16 * above(hz, 5000),
};
/** Bands that are compared: below and above, many recordings have nothing. */
const COMPARED_HZ = [50, 12_600] as const;

/** 0..1, a shelf: half an octave above the corner .82. */
const above = (hz: number, corner: number) => 1 / (1 + Math.exp(-3 * Math.log2(hz / corner)));
const about = (hz: number, centre: number) => Math.exp(-(Math.log2(hz / centre) ** 2));

/** Gains in dB, one for each band of the source's spectrum. */
type GainsOf = (source: AudioFacts, template: AudioFacts) => readonly number[];

export interface SoundProof {
  readonly way: string;
  /** Distance to the known sound, as a share of the distance that the untouched source has. */
  readonly left: number;
  /** Share of pairs that are farther from it than the untouched source. */
  readonly harmful: number;
  /** Root mean square of the change in dB under a template without any filter. */
  readonly changedDb: number;
  readonly byFilter: Readonly<Record<string, number>>;
}

/** Each recording under each other one. */
export function proveSounds(recordings: readonly AudioFacts[], strengths: readonly number[]): SoundProof[] {
  const planned =
    (strength: number): GainsOf =>
    (source, template) =>
      planAudio(source, soundStyleOf(template), strength).equalizer.map(({ gainDb }) => gainDb);
  const difference =
    (share: number): GainsOf =>
    (source, template) =>
      source.spectrum.levelsDb.map((level, band) => share * (template.spectrum.levelsDb[band] - level));
  return [
    proofOf('all of the difference', difference(1), recordings),
    proofOf('half of it', difference(0.5), recordings),
    ...strengths.map((strength) => proofOf(`ours, strength ${strength}`, planned(strength), recordings)),
  ];
}

function proofOf(way: string, gainsOf: GainsOf, recordings: readonly AudioFacts[]): SoundProof {
  const pairs = pairsOf(recordings);
  const results = Object.entries(NAMED_FILTERS).flatMap(([name, filter]) =>
    pairs.map(({ source, template }) => {
      const wanted = source.spectrum.centresHz.map(filter);
      const gains = gainsOf(source, filtered(template, filter));
      return {
        name,
        left: distance(gains, wanted, source),
        before: distance(
          wanted.map(() => 0),
          wanted,
          source,
        ),
      };
    }),
  );
  const leftOf = (some: typeof results) =>
    mean(some.map(({ left }) => left)) / mean(some.map(({ before }) => before));
  return {
    way,
    left: leftOf(results),
    harmful: results.filter(({ left, before }) => left > before).length / results.length,
    changedDb: mean(
      pairs.map(({ source, template }) => {
        const gains = gainsOf(source, template);
        return distance(
          gains,
          gains.map(() => 0),
          source,
        );
      }),
    ),
    byFilter: Object.fromEntries(
      Object.keys(NAMED_FILTERS).map((name) => [name, leftOf(results.filter((one) => one.name === name))]),
    ),
  };
}

/** Each recording under each other one. */
export function pairsOf(recordings: readonly AudioFacts[]): { source: AudioFacts; template: AudioFacts }[] {
  return recordings.flatMap((source) =>
    recordings.filter((template) => template !== source).map((template) => ({ source, template })),
  );
}

function filtered(recording: AudioFacts, filter: (hz: number) => number): AudioFacts {
  const { centresHz, levelsDb } = recording.spectrum;
  const spectrum = {
    ...recording.spectrum,
    levelsDb: levelsDb.map((level, band) => level + filter(centresHz[band])),
  };
  return { ...recording, spectrum };
}

/** Root mean square of the difference of two curves in dB, without their common offset: loudness is set elsewhere. */
function distance(
  gains: readonly number[],
  wanted: readonly number[],
  { spectrum }: Pick<AudioFacts, 'spectrum'>,
): number {
  const differences = spectrum.centresHz.flatMap((hz, band) => {
    const difference = (gains[band] ?? 0) - wanted[band];
    return hz >= COMPARED_HZ[0] && hz <= COMPARED_HZ[1] && Number.isFinite(difference) ? [difference] : [];
  });
  const middle = mean(differences);
  return Math.sqrt(mean(differences.map((difference) => (difference - middle) ** 2)));
}

export function soundsTable(proofs: readonly SoundProof[]): string {
  return table(
    ['way', 'known sounds, left', 'harmful', 'changed without a filter, dB', ...Object.keys(NAMED_FILTERS)],
    proofs.map(({ way, left, harmful, changedDb, byFilter }) => [
      way,
      left.toFixed(2),
      percent(harmful),
      changedDb.toFixed(1),
      ...Object.values(byFilter).map((value) => value.toFixed(2)),
    ]),
  );
}
