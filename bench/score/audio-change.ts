/** What became of a sound that was to sound like another: pure functions over their facts. */
import type { AudioFacts } from '../../src/analysis/facts.ts';
import { standardDeviation } from '../../src/signal/statistics.ts';
import type { AudioPlan } from '../../src/style/model/timeline.ts';

export interface AudioChange {
  /** The plan's loudness is not the template's on purpose: source or template are noise, or the template is too loud. */
  readonly heldBack: boolean;
  /** Output less template, LUFS; null for silence. */
  readonly loudness: number | null;
  /** Loudness range less the template's, LU: before and after; null where one has none. */
  readonly range: readonly [number, number] | null;
  readonly peakDbtp: number | null;
  /** Root mean square difference of third-octave levels from the template's, in dB, levels apart: before and after; null for silence. */
  readonly spectrum: readonly [number, number] | null;
  /** The same over the bands that the plan brings to the template: the others are held back on purpose, by limits of gain. */
  readonly reachable: {
    readonly left: readonly [number, number];
    readonly bands: number;
    readonly of: number;
  } | null;
  /** Peak-to-loudness ratio in dB: before, template, after. */
  readonly crestDb: readonly (number | null)[];
  /** Loudness of the quiet tenth under that of the whole, LU: before and after. More is cleaner. */
  readonly floorLu: readonly (number | null)[];
}

/** Bands this far under the source's loudest are noise, which is not to be shaped. */
const AUDIBLE_DB = 55;
const HELD_BACK_LU = 1.5;
/** A band that the plan leaves farther than this from the template's, levels apart, is held back. */
const HELD_BACK_DB = 2;

export function judgeAudio(
  source: AudioFacts,
  template: AudioFacts,
  output: AudioFacts,
  plan: AudioPlan | null,
): AudioChange {
  const targetLufs = plan?.targetLufs ?? null;
  const [from, to, now] = [source.loudness, template.loudness, output.loudness];
  const expected = to.integratedLufs;
  return {
    heldBack: expected === null || targetLufs === null || Math.abs(targetLufs - expected) > HELD_BACK_LU,
    loudness: now.integratedLufs === null || expected === null ? null : now.integratedLufs - expected,
    range:
      from.rangeLu === null || to.rangeLu === null || now.rangeLu === null
        ? null
        : [from.rangeLu - to.rangeLu, now.rangeLu - to.rangeLu],
    peakDbtp: now.truePeakDbtp,
    spectrum:
      from.integratedLufs === null || expected === null || now.integratedLufs === null
        ? null
        : [spectrumError(source, template, source), spectrumError(output, template, source)],
    reachable:
      plan === null || from.integratedLufs === null || expected === null || now.integratedLufs === null
        ? null
        : reachable(source, template, output, plan.equalizer),
    crestDb: [source.crestDb, template.crestDb, output.crestDb],
    floorLu: [floorOf(source), floorOf(output)],
  };
}

/** Over the bands in which the source sounds and the template has a level. */
function spectrumError(one: AudioFacts, template: AudioFacts, source: AudioFacts): number {
  return errorOver(soundingBands(source, template), one, template);
}

function errorOver(bands: readonly number[], one: AudioFacts, template: AudioFacts): number {
  return standardDeviation(
    bands.map((band) => one.spectrum.levelsDb[band] - template.spectrum.levelsDb[band]),
  );
}

function soundingBands(source: AudioFacts, template: AudioFacts): number[] {
  const { levelsDb } = source.spectrum;
  const loudest = Math.max(...levelsDb.filter(Number.isFinite));
  return [...levelsDb.keys()].filter(
    (band) =>
      levelsDb[band] > loudest - AUDIBLE_DB &&
      Number.isFinite(levelsDb[band] - template.spectrum.levelsDb[band]),
  );
}

/** Levels are free: the offset counts at which most bands reach the template. */
function reachable(
  source: AudioFacts,
  template: AudioFacts,
  output: AudioFacts,
  equalizer: AudioPlan['equalizer'],
): AudioChange['reachable'] {
  const all = soundingBands(source, template);
  const { centresHz, levelsDb } = source.spectrum;
  const left = all.map((band) => {
    const gain = equalizer.find(({ hz }) => hz === centresHz[band])?.gainDb ?? 0;
    return template.spectrum.levelsDb[band] - levelsDb[band] - gain;
  });
  const near = (offset: number) => all.filter((_, at) => Math.abs(left[at] - offset) <= HELD_BACK_DB);
  const bands = left.map(near).reduce((one, other) => (other.length > one.length ? other : one), []);
  return {
    left: [errorOver(bands, source, template), errorOver(bands, output, template)],
    bands: bands.length,
    of: all.length,
  };
}

function floorOf({ loudness }: AudioFacts): number | null {
  const levels = loudness.shortTermLufs.filter((level) => level !== null).sort((one, other) => one - other);
  const floor = levels[Math.floor(levels.length * 0.1)];
  return floor === undefined || loudness.integratedLufs === null ? null : loudness.integratedLufs - floor;
}
