import type { AudioFacts } from '../../analysis/facts.ts';
import { powerDb, powerOfDb } from '../../signal/decibels.ts';
import { between, clamp } from '../../signal/interpolation.ts';
import { mean } from '../../signal/statistics.ts';
import { bassBoost } from '../model/audio-measures.ts';
import type { Style } from '../model/schema.ts';
import type { AudioPlan } from '../model/timeline.ts';
import { characterGains } from './character.ts';
import { levelCurve } from './level-curve.ts';

type Raise = readonly [number, number];

/** Largest changes of a band. Lowering removes sound; raising also raises the noise below it. */
interface Limits {
  /** For bands hardly above their pauses, and for bands clearly above them (`CLEAR_DB`). */
  readonly raiseDb: Raise;
  readonly lowerDb: number;
  /** Below 60 Hz, the range of rumble and plosives. */
  readonly raiseDeepDb: Raise;
  /** Above the voice. */
  readonly lowerBeyondDb: number;
}
/**
 * The dynamics control loop reaches the plan within 1 dB, so these limits determine the remaining distance. Above the
 * voice no words are lost: a template without treble lowers it by 27 to 33 dB.
 */
const LIMITS: Limits = { raiseDb: [9, 12], lowerDb: 18, raiseDeepDb: [6, 9], lowerBeyondDb: 30 };
/** A voice becomes strange or unclear with smaller changes than music, except below and above the voice's range. */
const SPEECH_LIMITS: Limits = { raiseDb: [6, 9], lowerDb: 15, raiseDeepDb: [3, 6], lowerBeyondDb: 30 };
/**
 * A band this far above its own pauses (dB, from … on) can be raised by 3 dB more. Its noise then stays as
 * far below the sound as in the adjacent bands, and is not heard.
 */
const CLEAR_DB = [20, 25] as const;
/** From the lowest fundamental to the upper limit of wideband telephony: other frequencies do not matter for words. */
const VOICE_HZ = [90, 7000] as const;
/**
 * Few adults hear higher frequencies, and lossy codecs remove them. A template that ends at 15 kHz differs by
 * 33 to 58 dB in this band, which would be most of the remaining distance.
 */
const BRILLIANCE_HZ = 14_000;
const LOWER_BRILLIANCE_DB = 60;
/**
 * Bands this close to the loudest one carry the sound: a kick drum lowered by 17 dB became a click, 2.6 LU too quiet.
 */
const CARRYING_DB = 6;
const LOWER_CARRYING_DB = 15;
const DEEP_HZ = 60;
const SPEECH_SHARE = 0.3;
const SOME_SPEECH_SHARE = 0.1;
/** Of consonants, and of the vowels that mask them. */
const CONSONANTS_HZ = [1250, 5000] as const;
const VOWELS_HZ = [125, 500] as const;
/** Largest loss of consonants against vowels before words become unclear. */
const MAX_MUFFLING_DB = 3;
/** Gains that make speech clearer: of rumble below the voice, and of the middle of the consonants. */
const CLEARER = { belowVoiceDb: -3, brightHz: [2000, 5000], brightDb: 1.5 } as const;

/**
 * From the first distance below the source's loudest band, bands contain noise, which must not be raised; at the
 * second, only noise.
 */
const NOISE_DB = [47, 55] as const;
/** A band whose pauses are this much louder than the pauses of the whole sound contains noise … */
const NOISY_DB = 8;
/** … which may come this close to the band's level. */
const NOISE_DISTANCE_DB = 6;
const OFFSET_STEP_DB = 0.25;

/** Whether some of a source may be words: they stay clear, and it is no background noise. */
export function hasSpeech({ speech }: AudioFacts): boolean {
  return speech.share >= SOME_SPEECH_SHARE;
}

/** Whether a source is treated as speech. */
export function speaks({ speech }: AudioFacts): boolean {
  return speech.share >= SPEECH_SHARE;
}

/** How far a spectrum is followed. */
interface SpectrumReach {
  /** 0..1: scales all gains. */
  readonly reach: number;
  /** 0..1: 0 follows the whole spectrum, 1 its character alone (`characterGains`). */
  readonly caution: number;
}

/**
 * Gains at the source's third-octave centres that bring the shape of its long-term spectrum towards the
 * style's. The limits are lower for speech and depend on the noise in each band.
 */
export function equalizerTowards(
  source: AudioFacts,
  style: Style,
  { reach, caution }: SpectrumReach,
): AudioPlan['equalizer'] {
  const { centresHz } = source.spectrum;
  const speech = speaks(source);
  const audible = audibleShares(source);
  const limits = centresHz.map((hz, band) => bandLimits(source, hz, band, speech ? SPEECH_LIMITS : LIMITS));
  const differences = wantedGains(source, style, { audible, limits, caution });
  let gains = smooth(differences.map((difference, band) => bounded(difference, limits[band])));
  if (speech) gains = clearly(centresHz, gains, style.audio_style?.enhance_speech === true);
  return centresHz.map((hz, band) => {
    const gain = bounded(audible[band] * gains[band], limits[band]) * reach;
    // Adding 0 turns −0 into 0, as JSON does.
    return { hz, gainDb: Number(gain.toFixed(2)) + 0 };
  });
}

/** 1 for audible bands, decreasing to 0 towards bands of noise, so that no step is audible. */
function audibleShares({ spectrum: { levelsDb } }: AudioFacts): number[] {
  const loudest = Math.max(...levelsDb.filter(Number.isFinite));
  return levelsDb.map((level) => {
    const share = (level - loudest + NOISE_DB[1]) / (NOISE_DB[1] - NOISE_DB[0]);
    return Number.isFinite(level) ? clamp(share, 0, 1) : 0;
  });
}

interface BandLimits {
  readonly raiseDb: number;
  readonly lowerDb: number;
}

function bandLimits({ spectrum }: AudioFacts, hz: number, band: number, limits: Limits): BandLimits {
  const clearDb = spectrum.levelsDb[band] - spectrum.quietDb[band];
  const noisy = levelOf(spectrum.levelsDb) - levelOf(spectrum.quietDb) - clearDb > NOISY_DB;
  const raise = hz < DEEP_HZ ? limits.raiseDeepDb : limits.raiseDb;
  const raiseDb = Math.min(
    between(...raise, clamp((clearDb - CLEAR_DB[0]) / (CLEAR_DB[1] - CLEAR_DB[0]), 0, 1)),
    noisy ? Math.max(0, clearDb - NOISE_DISTANCE_DB) : Number.POSITIVE_INFINITY,
  );
  const isVoice = hz >= VOICE_HZ[0] && hz <= VOICE_HZ[1];
  const lowerBeyondDb = hz > BRILLIANCE_HZ ? LOWER_BRILLIANCE_DB : limits.lowerBeyondDb;
  const lowerDb = isVoice ? limits.lowerDb : lowerBeyondDb;
  const carries = spectrum.levelsDb[band] >= Math.max(...spectrum.levelsDb) - CARRYING_DB;
  return { raiseDb, lowerDb: carries ? Math.min(LOWER_CARRYING_DB, lowerDb) : lowerDb };
}

/** Level of all bands together. */
function levelOf(levelsDb: readonly number[]): number {
  return powerDb(levelsDb.reduce((sum, level) => sum + powerOfDb(level), 0));
}

function bounded(gainDb: number, { raiseDb, lowerDb }: BandLimits): number {
  return Math.max(-lowerDb, Math.min(raiseDb, gainDb));
}

interface Bands {
  /** Share of each band that is audible, 0..1. */
  readonly audible: readonly number[];
  readonly limits: readonly BandLimits[];
}

/** Gains of each band before limits; of the bass alone if the style has no spectrum. */
function wantedGains(
  source: AudioFacts,
  style: Style,
  { caution, ...bands }: Bands & { readonly caution: number },
): number[] {
  const wanted = style.spectrum;
  if (wanted === undefined || wanted.levels_db.length < 3) return bassOnly(source, style);
  const character = characterGains(source, wanted, style.audio_style?.enhance_speech === true);
  return differencesTo(source, wanted, bands).map((difference, band) =>
    between(difference, bands.audible[band] === 0 ? 0 : character[band], caution),
  );
}

/**
 * The difference of each band, relative to the offset that minimizes the part beyond the limits. Loudness is set
 * elsewhere, so all gains may be shifted together.
 */
function differencesTo(
  source: AudioFacts,
  wanted: NonNullable<Style['spectrum']>,
  { audible, limits }: Bands,
): number[] {
  const { centresHz, levelsDb } = source.spectrum;
  const wantedAt = levelCurve(wanted.centres_hz, wanted.levels_db);
  const all = centresHz.map((hz, band) => wantedAt(hz) - levelsDb[band]);
  const bands = all.map((_, band) => band).filter((band) => audible[band] > 0);
  const counted = bands.map((band) => all[band]);
  const middle = mean(counted);
  let [best, offset] = [Number.POSITIVE_INFINITY, middle];
  const [least, most] = [Math.min(...counted), Math.max(...counted)];
  for (let step = 0; least + step * OFFSET_STEP_DB <= most; step++) {
    const tried = least + step * OFFSET_STEP_DB;
    const left = bands.map((band) => all[band] - bounded(all[band] - tried, limits[band]));
    const centre = mean(left);
    // Among equal offsets, the one that changes the level least.
    const error = mean(left.map((value) => (value - centre) ** 2)) + 0.002 * (tried - middle) ** 2;
    if (error < best) [best, offset] = [error, tried];
  }
  return all.map((difference, band) => (audible[band] === 0 ? 0 : difference - offset));
}

function bassOnly(source: AudioFacts, style: Style): number[] {
  const difference = (style.audio_style?.bass_boost ?? 0) - bassBoost(source);
  return source.spectrum.centresHz.map((hz) => (hz < 150 ? difference : hz < 250 ? difference / 2 : 0));
}

function smooth(values: readonly number[]): number[] {
  return values.map((value, at) => {
    const [before, after] = [values[at - 1] ?? value, values[at + 1] ?? value];
    return 0.1 * before + 0.8 * value + 0.1 * after;
  });
}

/**
 * Protects words: consonants keep their level relative to the bands that mask them, whatever the template's music is
 * like. With `enhance` consonants are raised a little, and rumble below the voice is removed.
 */
function clearly(centresHz: readonly number[], gains: readonly number[], enhance: boolean): number[] {
  const meanGain = ([from, to]: readonly [number, number]) =>
    mean(gains.filter((_, band) => centresHz[band] >= from && centresHz[band] <= to));
  const muffling = meanGain(VOWELS_HZ) - meanGain(CONSONANTS_HZ);
  const excess = Math.max(0, muffling - MAX_MUFFLING_DB);
  return gains.map((gain, band) => {
    const hz = centresHz[band];
    // From 0 at the vowels to 1 at the consonants.
    const place = clamp(Math.log2(hz / VOWELS_HZ[1]) / Math.log2(CONSONANTS_HZ[0] / VOWELS_HZ[1]), 0, 1);
    return gain + excess * (place - 0.5) + (enhance ? clearerBy(hz) : 0);
  });
}

function clearerBy(hz: number): number {
  const [from, to] = CLEARER.brightHz;
  if (hz < VOICE_HZ[0]) return CLEARER.belowVoiceDb;
  return hz >= from && hz <= to ? CLEARER.brightDb : 0;
}
