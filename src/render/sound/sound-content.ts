import { OUTPUT_SAMPLE_RATE } from '../../media/av/output-sample-rate.ts';
import { type SoundSpan, type Timeline, timelineDurationSeconds } from '../../style/model/timeline.ts';

/** Everything in a timeline that determines its sound. */
export interface SoundContent {
  /** In the order in which `content` numbers them. At least one. */
  readonly sources: readonly SoundSpan['source'][];
  /** Plain data: equal contents over the same files give the same sound. */
  readonly content: unknown;
}

/** Null: the timeline has no sound, or that of its only take. */
export function soundContent(timeline: Timeline): SoundContent | null {
  const { audio, sound } = timeline;
  if (audio === null || sound === undefined) return null;
  const sources = [...new Set(sound.spans.map(({ source }) => source))];
  const spans = sound.spans.map((span) => ({ ...span, source: sources.indexOf(span.source) }));
  // In samples: a sum of clips' lengths depends on their times in the last digits.
  const samples = Math.round(timelineDurationSeconds(timeline) * OUTPUT_SAMPLE_RATE);
  const content = { audio, sound: { ...sound, spans }, samples };
  return { sources, content };
}
