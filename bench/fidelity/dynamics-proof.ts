/**
 * Known dynamics: another recording whose loudness range was multiplied, or whose peaks were lowered, is the template, and the output should
 * be the source with the same change. Nothing is rendered.
 */
import type { AudioFacts } from '../../src/analysis/facts.ts';
import { mean } from '../../src/signal/statistics.ts';
import { planAudio } from '../../src/style/audio/audio.ts';
import { percent, table } from '../lib/report.ts';
import { soundStyleOf } from './audio.ts';
import { pairsOf } from './sound-proof.ts';

/** From a strong compressor to an expander. */
const RANGE_FACTORS = [0.4, 0.6, 0.8, 1.4];
const LOWERED_DB = [2, 4, 6, 8];
/** Lowered peaks stay above those of a square wave, 3 dB. */
const LEAST_CREST_DB = 4;
/** Smaller ranges are set to this: their quotients say nothing. */
const LEAST_RANGE_LU = 0.3;
/** Differences of range, as a share of an octave, and of peaks in dB, that nobody hears. */
const SAME = { range: 0.05, crest: 0.3 };

interface Dynamics {
  readonly rangeLu: number;
  readonly crestDb: number;
}
type DynamicsOf = (source: AudioFacts, template: AudioFacts) => Dynamics;

interface Followed {
  /** Distance to the known dynamics, as a share of the distance that the untouched source has. */
  readonly left: number;
  /** Share of pairs that are farther from them than the untouched source. */
  readonly harmful: number;
  /** Mean change under an unchanged template: octaves of range, dB of peaks. */
  readonly changed: number;
}

export interface DynamicsProof {
  readonly way: string;
  readonly range: Followed;
  readonly crest: Followed;
}

/** Each recording under each other one. */
export function proveDynamics(all: readonly AudioFacts[], strengths: readonly number[]): DynamicsProof[] {
  const recordings = all.filter(({ loudness, crestDb }) => loudness.rangeLu !== null && crestDb !== null);
  const planned =
    (strength: number): DynamicsOf =>
    (source, template) => {
      const { compressor } = planAudio(source, soundStyleOf(template), strength);
      const own = dynamicsOf(source);
      return {
        rangeLu: compressor?.rangeLu ?? own.rangeLu,
        crestDb: Math.min(own.crestDb, compressor?.crestDb ?? own.crestDb),
      };
    };
  const asMeasured: DynamicsOf = (_, template) => dynamicsOf(template);
  return [
    proofOf('range and peaks of the template', asMeasured, recordings),
    ...strengths.map((strength) => proofOf(`ours, strength ${strength}`, planned(strength), recordings)),
  ];
}

function dynamicsOf({ loudness, crestDb }: AudioFacts): Dynamics {
  return { rangeLu: Math.max(LEAST_RANGE_LU, loudness.rangeLu!), crestDb: crestDb! };
}

function proofOf(way: string, of: DynamicsOf, recordings: readonly AudioFacts[]): DynamicsProof {
  const pairs = pairsOf(recordings);
  const range = (factor: number) =>
    pairs.map(({ source, template }) => {
      const found = of(source, withRange(template, factor)).rangeLu;
      return Math.abs(Math.log2(found / (dynamicsOf(source).rangeLu * factor)));
    });
  const crest = (loweredDb: number) =>
    pairs.map(({ source, template }) => {
      const found = of(source, withCrest(template, loweredDb)).crestDb;
      return Math.abs(found - lowered(dynamicsOf(source).crestDb, loweredDb));
    });
  return {
    way,
    range: followed(
      RANGE_FACTORS.map((factor) => ({ before: Math.abs(Math.log2(factor)), left: range(factor) })),
      range(1),
      SAME.range,
    ),
    crest: followed(
      LOWERED_DB.map((loweredDb) => ({ before: loweredDb, left: crest(loweredDb) })),
      crest(0),
      SAME.crest,
    ),
  };
}

function followed(
  treated: readonly { readonly before: number; readonly left: readonly number[] }[],
  untreated: readonly number[],
  same: number,
): Followed {
  return {
    left: mean(treated.flatMap(({ left }) => left)) / mean(treated.map(({ before }) => before)),
    harmful: mean(
      treated.flatMap(({ left, before }) => left.map((distance) => (distance > before + same ? 1 : 0))),
    ),
    changed: mean(untreated),
  };
}

function withRange(recording: AudioFacts, factor: number): AudioFacts {
  const rangeLu = factor * dynamicsOf(recording).rangeLu;
  return { ...recording, loudness: { ...recording.loudness, rangeLu } };
}

function withCrest(recording: AudioFacts, loweredDb: number): AudioFacts {
  const crestDb = lowered(dynamicsOf(recording).crestDb, loweredDb);
  const { integratedLufs } = recording.loudness;
  return {
    ...recording,
    crestDb,
    loudness: { ...recording.loudness, truePeakDbtp: integratedLufs! + crestDb },
  };
}

function lowered(crestDb: number, loweredDb: number): number {
  return Math.max(LEAST_CREST_DB, crestDb - loweredDb);
}

export function dynamicsTable(proofs: readonly DynamicsProof[]): string {
  return table(
    [
      'way',
      'known ranges, left',
      'harmful',
      'changed without a compressor, octaves',
      'known peaks, left',
      'harmful',
      'changed without a limiter, dB',
    ],
    proofs.map(({ way, range, crest }) => [
      way,
      range.left.toFixed(2),
      percent(range.harmful),
      range.changed.toFixed(2),
      crest.left.toFixed(2),
      percent(crest.harmful),
      crest.changed.toFixed(2),
    ]),
  );
}
