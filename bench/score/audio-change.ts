/** What became of a sound that was to sound like another: pure functions over their facts. */
import type { AudioFacts } from '../../src/analysis/facts.ts';
import { standardDeviation } from '../../src/signal/statistics.ts';

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
  /** Peak-to-loudness ratio in dB: before, template, after. */
  readonly crestDb: readonly (number | null)[];
  /** Loudness of the quiet tenth under that of the whole, LU: before and after. More is cleaner. */
  readonly floorLu: readonly (number | null)[];
}

/** Bands this far under the source's loudest are noise, which is not to be shaped. */
const AUDIBLE_DB = 55;
const HELD_BACK_LU = 1.5;

export function judgeAudio(
  source: AudioFacts,
  template: AudioFacts,
  output: AudioFacts,
  targetLufs: number | null,
): AudioChange {
  const [from, to, now] = [source.loudness, template.loudness, output.loudness];
  const wanted = to.integratedLufs;
  return {
    heldBack: wanted === null || targetLufs === null || Math.abs(targetLufs - wanted) > HELD_BACK_LU,
    loudness: now.integratedLufs === null || wanted === null ? null : now.integratedLufs - wanted,
    range:
      from.rangeLu === null || to.rangeLu === null || now.rangeLu === null
        ? null
        : [from.rangeLu - to.rangeLu, now.rangeLu - to.rangeLu],
    peakDbtp: now.truePeakDbtp,
    spectrum:
      from.integratedLufs === null || wanted === null || now.integratedLufs === null
        ? null
        : [spectrumError(source, template, source), spectrumError(output, template, source)],
    crestDb: [source.crestDb, template.crestDb, output.crestDb],
    floorLu: [floorOf(source), floorOf(output)],
  };
}

/** Over the bands in which the source sounds and the template has a level. */
function spectrumError(one: AudioFacts, template: AudioFacts, source: AudioFacts): number {
  const loudest = Math.max(...source.spectrum.levelsDb.filter(Number.isFinite));
  const differences = one.spectrum.levelsDb
    .map((level, band) => level - template.spectrum.levelsDb[band]!)
    .filter(
      (value, band) => source.spectrum.levelsDb[band]! > loudest - AUDIBLE_DB && Number.isFinite(value),
    );
  return standardDeviation(differences);
}

function floorOf({ loudness }: AudioFacts): number | null {
  const levels = loudness.shortTermLufs.filter((level) => level !== null).sort((one, other) => one - other);
  const floor = levels[Math.floor(levels.length * 0.1)];
  return floor === undefined || loudness.integratedLufs === null ? null : loudness.integratedLufs - floor;
}
