/**
 * The pace of one pair: its plan, the reasons for missing cuts, and the measurements of two detectors in the
 * file.
 */
import type { ClipFacts } from '../../src/analysis/facts.ts';
import { QUALITIES } from '../../src/domain/job-choices.ts';
import { jobConfigSchema } from '../../src/domain/job-config.ts';
import { framesPerSecond } from '../../src/domain/time.ts';
import { render } from '../../src/render/render.ts';
import { extractStyle } from '../../src/style/extract/extract.ts';
import type { Style } from '../../src/style/model/schema.ts';
import { type Timeline, timelineDurationSeconds } from '../../src/style/model/timeline.ts';
import { planTimeline } from '../../src/style/plan/plan.ts';
import { measureClip } from '../lib/measure.ts';
import { SCDET_THRESHOLD, scdetCuts } from '../peers/scdet.ts';
import { type SpeechCuts, speechCuts, wordStarts } from './words.ts';

export interface Measured {
  readonly path: string;
  readonly facts: ClipFacts;
}

/** By our own detector, by FFmpeg's `scdet` at its default, and at half of it; null where there is none. */
interface Seen {
  readonly ours: number;
  readonly scdet: number | null;
  readonly scdetHalf: number | null;
}

/** Changes of shot, edges left out, in a whole clip. */
export interface PaceResult {
  readonly minutes: number;
  readonly templatePerMinute: number;
  /** Expected changes by the template's pace; the source already has some of them. */
  readonly wanted: number;
  readonly own: number;
  readonly planned: number;
  /** Planned changes more than the plan has, if one cause were away. */
  readonly lost: { readonly speech: number; readonly beats: number; readonly room: number };
  /** Punch-ins and jumps: how many, and how many each detector sees. Null: no such tool here. */
  readonly made: { readonly count: number } & Seen;
  /** Found in the output, made or not. */
  readonly found: Seen;
  readonly onBeat: { readonly planned: number; readonly near: number; readonly locked: boolean };
  readonly speechShare: number;
  readonly speech: SpeechCuts;
  readonly warnings: readonly string[];
}

const ON_BEAT_SECONDS = 0.04;

const styleOf = (facts: ClipFacts): Style =>
  extractStyle(facts, { createdAt: new Date(0), fingerprint: null });

/** Renders the pair into `outputPath` and measures it. */
export async function measurePace(
  source: Measured,
  template: Measured,
  outputPath: string,
): Promise<PaceResult> {
  const style = styleOf(template.facts);
  const plan = (facts: ClipFacts) => planned(facts, template.facts, style);
  const { timeline, warnings } = plan(source.facts);
  await render(
    {
      takePaths: [source.path],
      timeline,
      ...QUALITIES.low.compression,
      outputPath,
      posterPath: `${outputPath}.jpg`,
    },
    () => {},
  );
  const seconds = timelineDurationSeconds(timeline);
  const { video } = source.facts;
  const count = (facts: ClipFacts) => changesOf(plan(facts).timeline, facts);
  const now = count(source.facts);
  const wanted = Math.round(style.cut_frequency * seconds);
  const [noSpeech, noBeats] = [count(silent(source.facts)), count(unpulsed(source.facts))];
  const own = video.transitions.filter(({ edge }) => edge === undefined).length;
  const neither = count(unpulsed(silent(source.facts)));
  return {
    minutes: seconds / 60,
    templatePerMinute: 60 * style.cut_frequency,
    wanted,
    own,
    planned: now,
    lost: { speech: noSpeech - now, beats: noBeats - now, room: Math.max(0, wanted - neither) },
    ...(await seen(timeline, outputPath)),
    onBeat: beatsMet(timeline, source.facts, style),
    speechShare: source.facts.audio?.speech.share ?? 0,
    speech: await cutsInSpeech(source, timeline),
    warnings: warnings.map(({ code, message }) => `${code}: ${message}`),
  };
}

async function cutsInSpeech({ path, facts }: Measured, { clips }: Timeline): Promise<SpeechCuts> {
  const spans = facts.audio?.speech.spans ?? [];
  const added = clips.filter(({ reason }) => reason === 'punch_in');
  const cuts = added.map(({ sourceStartSeconds }) => sourceStartSeconds);
  return speechCuts(cuts, spans, spans.length === 0 ? null : await wordStarts(path));
}

function planned(source: ClipFacts, template: ClipFacts, style: Style) {
  return planTimeline({ source, style, template, config: jobConfigSchema.parse({ quality: 'low' }) });
}

function silent(facts: ClipFacts): ClipFacts {
  const { audio } = facts;
  return audio === null
    ? facts
    : { ...facts, audio: { ...audio, speech: { ...audio.speech, share: 0, spans: [] } } };
}

function unpulsed(facts: ClipFacts): ClipFacts {
  const { audio } = facts;
  return audio === null ? facts : { ...facts, audio: { ...audio, tempo: null, beats: [] } };
}

/** Cuts and transitions of a timeline, with the gradual ones that the source brings. */
function changesOf({ clips }: Timeline, { video }: ClipFacts): number {
  const gradual = video.transitions.filter(({ type, edge }) => type !== 'cut' && edge === undefined);
  return clips.length - 1 + gradual.length;
}

async function seen(timeline: Timeline, path: string): Promise<Pick<PaceResult, 'made' | 'found'>> {
  const frame = 1 / framesPerSecond(timeline.frameRate);
  const { seen: facts } = await measureClip(path);
  const changes = facts!.video.transitions.filter(({ edge }) => edge === undefined);
  const cuts = changes.map(({ startSeconds, endSeconds, type }) =>
    type === 'cut' ? endSeconds : (startSeconds + endSeconds) / 2,
  );
  const [scdet, half] = [await scdetCuts(path), await scdetCuts(path, SCDET_THRESHOLD / 2)];
  const made: number[] = [];
  let at = 0;
  for (const [index, { reason, sourceStartSeconds, sourceEndSeconds }] of timeline.clips.entries()) {
    const gradual = timeline.transitions.some(({ clipIndex }) => clipIndex === index);
    if (reason === 'punch_in' && !gradual) made.push(at);
    at += sourceEndSeconds - sourceStartSeconds;
  }
  const near = (times: readonly number[]) =>
    made.filter((cut) => times.some((time) => Math.abs(time - cut) < 1.6 * frame)).length;
  const by = (count: (times: readonly number[]) => number): Seen => ({
    ours: count(cuts),
    scdet: scdet === null ? null : count(scdet),
    scdetHalf: half === null ? null : count(half),
  });
  return { made: { count: made.length, ...by(near) }, found: by(({ length }) => length) };
}

function beatsMet(timeline: Timeline, { audio }: ClipFacts, style: Style): PaceResult['onBeat'] {
  const beats = audio?.beats ?? [];
  let at = 0;
  let [planned, near] = [0, 0];
  for (const { reason, sourceStartSeconds, sourceEndSeconds } of timeline.clips) {
    if (reason === 'punch_in' && beats.length > 0) {
      planned++;
      if (beats.some(({ timeSeconds }) => Math.abs(timeSeconds - at) <= ON_BEAT_SECONDS)) near++;
    }
    at += sourceEndSeconds - sourceStartSeconds;
  }
  return { planned, near, locked: (style.cuts_on_beat ?? 0) >= 0.2 };
}
