import type { AudioFacts } from '../../analysis/facts.ts';
import { integratedLoudness, meanSquareOf } from '../../analysis/loudness/loudness.ts';
import { framesPerSecond } from '../../domain/time.ts';
import {
  clipStartFrames,
  musicGainDbAt,
  type SoundMix,
  type SoundSpan,
  type Timeline,
  timelineDurationSeconds,
} from '../../style/model/timeline.ts';

/** Sound of each take, and of the song. Null: none. */
export interface PlannedSound {
  readonly takes: readonly (Pick<AudioFacts, 'loudness'> | null)[];
  readonly music: Pick<AudioFacts, 'loudness'> | null;
}

/** Steps of `integratedLoudness`. */
const STEP_SECONDS = 0.1;

/**
 * The gain in dB that brings a timeline's sound to its planned loudness, from the measured loudness of its sources, without decoding.
 * The renderer's limiter may leave the output quieter. 0: the loudness is not changed, or nothing is heard.
 */
export function plannedGainDb(timeline: Timeline, sound: PlannedSound): number {
  const target = timeline.audio?.targetLufs ?? null;
  if (target === null) return 0;
  const { spans, musicGain } = timeline.sound ?? { spans: clipSpans(timeline), musicGain: [] };
  const steps = new Array<number>(Math.ceil(timelineDurationSeconds(timeline) / STEP_SECONDS)).fill(0);
  for (const span of spans) {
    // Of a pause, only levels of three seconds with the voice are known.
    if (span.isRoomTone === true) continue;
    const facts = span.source === 'music' ? sound.music : (sound.takes[span.source] ?? null);
    if (facts !== null) addSpan(steps, span, facts.loudness.shortTermLufs, musicGain);
  }
  const loudness = integratedLoudness(steps);
  return loudness === null ? 0 : target - loudness;
}

/** The sound of the only take, cut like its picture. */
function clipSpans(timeline: Timeline): SoundSpan[] {
  const starts = clipStartFrames(timeline).map((frame) => frame / framesPerSecond(timeline.frameRate));
  return timeline.clips.map(({ take, sourceStartSeconds }, index) => ({
    ...{ source: take, sourceStartSeconds, startSeconds: starts[index]!, endSeconds: starts[index + 1]! },
    ...{ gainDb: 0, fadeInSeconds: 0, fadeOutSeconds: 0 },
  }));
}

/** Adds the power of a span to the steps of the output. */
function addSpan(
  steps: number[],
  span: SoundSpan,
  shortTermLufs: readonly (number | null)[],
  musicGain: SoundMix['musicGain'],
): void {
  const first = Math.max(0, Math.round(span.startSeconds / STEP_SECONDS));
  const end = Math.min(steps.length, Math.round(span.endSeconds / STEP_SECONDS));
  for (let step = first; step < end; step++) {
    const seconds = (step + 0.5) * STEP_SECONDS;
    const level = shortTermLufs[Math.floor(span.sourceStartSeconds + seconds - span.startSeconds)] ?? null;
    if (level === null) continue;
    const gain = span.gainDb + (span.source === 'music' ? musicGainDbAt(musicGain, seconds) : 0);
    steps[step]! += meanSquareOf(level + gain);
  }
}
