/** Songs and generated pieces as examples for the fit of the confidence in a tempo, and the file that stores them. */
import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { gunzipSync, gzipSync } from 'node:zlib';
import type { MeasuredSound } from '../../src/analysis/audio.ts';
import { chooseTempo } from '../../src/analysis/beats/level.ts';
import { ONSET_FRAMES_PER_SECOND as FPS, strongOnsets } from '../../src/analysis/beats/onset-curve.ts';
import { certaintyOf, findPulses, soundIn } from '../../src/analysis/beats/section.ts';
import { analysisOf } from '../lib/analysed-sound.ts';

/** The passage of a song with the most beats. */
export interface TempoExample {
  readonly name: string;
  /** Source of the song: a game, a program with its styles, or a kind of generated piece. */
  readonly family: string;
  readonly bpm: number;
  /** What the share of the odds is multiplied with: certainty of the pulse, share of the beats. */
  readonly certainty: number;
  readonly isDoubtful: boolean;
  readonly mayBeNotes: boolean;
  readonly chosen: number;
  /** Tempo and evidence, in the order of `names`, of each candidate. */
  readonly candidates: readonly { readonly bpm: number; readonly evidence: readonly number[] }[];
}

export interface TempoExamples {
  /** Names of the evidence. */
  readonly names: readonly string[];
  readonly examples: readonly TempoExample[];
}

const FILE = fileURLToPath(new URL('tempo-examples.json.gz', import.meta.url));

export function measureSamples(samples: Float32Array): MeasuredSound {
  return analysisOf(samples).measured();
}

/** Null: no pulse. */
export function tempoExample(
  { curve, harmony }: Pick<MeasuredSound, 'curve' | 'harmony'>,
  song: Pick<TempoExample, 'name' | 'family' | 'bpm'>,
): { names: readonly string[]; example: TempoExample } | null {
  const passages = findPulses(curve, strongOnsets(curve.full)).map((pulse) => ({
    pulse,
    choice: chooseTempo(pulse.grid, soundIn(pulse, curve, harmony)),
  }));
  const beatsOf = ({ choice }: (typeof passages)[number]) => choice.chosen.beats.length;
  const [main] = passages.toSorted((one, other) => beatsOf(other) - beatsOf(one));
  if (main === undefined) return null;
  const total = passages.reduce((sum, passage) => sum + beatsOf(passage), 0);
  const { candidates, chosenIndex, isDoubtful, mayBeNotes } = main.choice;
  const names = Object.keys(candidates[0].evidence);
  return {
    names,
    example: {
      ...song,
      bpm: rounded(song.bpm),
      certainty: rounded((certaintyOf(main.pulse, beatsOf(main)) * beatsOf(main)) / total),
      isDoubtful,
      mayBeNotes,
      chosen: chosenIndex,
      candidates: candidates.map(({ interval, evidence }) => ({
        bpm: rounded((60 * FPS) / interval),
        evidence: names.map((name) => rounded(evidence[name])),
      })),
    },
  };
}

export function storedExamples(): TempoExamples {
  return JSON.parse(gunzipSync(readFileSync(FILE)).toString()) as TempoExamples;
}

export function storeExamples(examples: TempoExamples): void {
  writeFileSync(FILE, gzipSync(JSON.stringify(examples), { level: 9 }));
}

/** Enough digits for the fit, few enough for the file. */
function rounded(value: number): number {
  return Number(value.toFixed(3));
}
