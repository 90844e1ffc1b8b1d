/** A pair rendered with all components, and the measurements of the resulting file. */
import { join } from 'node:path';
import type { AudioFacts } from '../../src/analysis/facts.ts';
import type { Studio } from '../../src/library.ts';
import { extractStyle } from '../../src/style/extract/extract.ts';
import type { Style } from '../../src/style/model/schema.ts';
import type { Timeline } from '../../src/style/model/timeline.ts';
import { measureClip } from '../lib/measure.ts';
import { type AudioChange, judgeAudio } from '../score/audio-change.ts';
import { closure } from '../score/closure.ts';
import { profileOf, samplePixels, slicedWasserstein } from '../score/look.ts';
import { isBlack, LabReader, type Moment, readMoments } from './frames.ts';
import { type Lateness, latenesses } from './lateness.ts';
import type { ClipLook } from './looks.ts';
import type { Pair } from './pairs.ts';
import { writeWholeSheet } from './whole-sheet.ts';

export interface WholeResult {
  readonly pair: Pair;
  readonly colorLeft: number;
  readonly sameRatio: boolean;
  readonly sameRate: boolean;
  readonly audio: AudioChange | null;
  /** Changes of shot a minute: source, template, output. */
  readonly cutsPerMinute: readonly [number, number, number];
  /** |log ratio| of the middle quantiles of the shots' lengths to the template's: before and after. */
  readonly shotLengths: readonly [number, number] | null;
  /** Of the cuts that the plan put in: share within ±40 ms of a beat of the output; null without cuts or a sure pulse. */
  readonly onBeat: { readonly share: number; readonly cuts: number } | null;
  /** Sound and picture at every clip, compared with the source at that moment; none for silence. */
  readonly lateness: readonly Lateness[];
  readonly frameRate: number;
  readonly closure: Readonly<Record<string, number>>;
  readonly warnings: readonly string[];
}

const SAMPLES = 20_000;
const ON_BEAT_SECONDS = 0.04;
const SURE_PULSE = 0.3;

/** `sheet`: file of the resulting picture; null: none. */
export async function renderWhole(
  studio: Studio,
  pair: Pair,
  source: ClipLook,
  template: ClipLook,
  folder: string,
  sheet: string | null,
): Promise<WholeResult> {
  const output = join(folder, 'output.mp4');
  const config = { quality: 'low' } as const;
  const { plan } = await studio.apply({
    source: source.path,
    output,
    look: { template: template.path },
    config,
  });
  const { timeline } = plan;
  if (sheet !== null) await writeWholeSheet(sheet, { template, source }, output, timeline);
  const { seen, audio } = await measureClip(output);
  const facts = { ...seen!, audio };
  const style = (of: ClipLook['facts']): Style =>
    extractStyle(of, { createdAt: new Date(0), fingerprint: null });
  const [before, expected, after] = [style(source.facts), style(template.facts), style(facts)];
  const perMinute = ({ cut_frequency }: Style) => 60 * cut_frequency;
  return {
    pair,
    colorLeft: await colorLeft(source, template, output),
    sameRatio:
      before.aspect_ratio === expected.aspect_ratio ||
      Math.abs(aspectOf(after) / aspectOf(expected) - 1) < 0.01,
    sameRate: Math.abs(after.frame_rate / expected.frame_rate - 1) < 0.01,
    audio:
      audio === null || source.facts.audio === null || template.facts.audio === null
        ? null
        : judgeAudio(source.facts.audio, template.facts.audio, audio, timeline.audio),
    cutsPerMinute: [perMinute(before), perMinute(expected), perMinute(after)],
    shotLengths: shotLengths(before, expected, after),
    onBeat: audio === null || !hasSurePulse(source) ? null : onBeat(timeline, audio),
    // Silence runs together with everything.
    lateness: audio?.loudness.integratedLufs == null ? [] : await latenesses(source.path, output, timeline),
    frameRate: after.frame_rate,
    closure: closure(before, expected, after),
    warnings: plan.warnings.map(({ code }) => code),
  };
}

function aspectOf({ aspect_ratio }: Style): number {
  const [width, height] = aspect_ratio.split(':').map(Number);
  return width! / height!;
}

async function colorLeft(source: ClipLook, template: ClipLook, output: string): Promise<number> {
  const drawn = await readMoments(output, source.moments.length);
  using reader = new LabReader();
  const profile = (moments: readonly Moment[]) =>
    profileOf(
      samplePixels(
        moments.map(({ frame }) => reader.read(frame)).filter((picture) => !isBlack(picture)),
        SAMPLES,
      ),
    );
  const aim = profile(template.moments);
  return slicedWasserstein(profile(drawn), aim) / slicedWasserstein(profile(source.moments), aim);
}

function shotLengths(before: Style, expected: Style, after: Style): [number, number] | null {
  const [from, to, now] = [before, expected, after].map((style) => style.shot_lengths);
  if (to === undefined || now === undefined) return null;
  const whole = before.source_duration_seconds;
  const off = (of: typeof to | undefined) =>
    (['p25', 'p50', 'p75'] as const).reduce(
      (sum, name) =>
        sum + Math.abs(Math.log(Math.max(0.1, of?.[name] ?? whole) / Math.max(0.1, to[name]))) / 3,
      0,
    );
  return [off(from), off(now)];
}

/** Where the pulse is a guess, the output's beats may be another guess. */
function hasSurePulse({ facts }: ClipLook): boolean {
  return (facts.audio?.tempo?.confidence ?? 0) >= SURE_PULSE;
}

function onBeat({ clips }: Timeline, { beats }: AudioFacts): WholeResult['onBeat'] {
  let seconds = 0;
  const cuts: number[] = [];
  for (const { reason, sourceStartSeconds, sourceEndSeconds } of clips) {
    if (reason === 'punch_in' || reason === 'trim') cuts.push(seconds);
    seconds += sourceEndSeconds - sourceStartSeconds;
  }
  if (cuts.length === 0 || beats.length < 4) return null;
  const near = cuts.filter((cut) =>
    beats.some(({ timeSeconds }) => Math.abs(timeSeconds - cut) <= ON_BEAT_SECONDS),
  );
  return { share: near.length / cuts.length, cuts: cuts.length };
}
