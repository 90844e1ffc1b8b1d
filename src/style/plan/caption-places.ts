import type { Box, ClipFacts } from '../../analysis/facts.ts';
import type { Size } from '../../domain/footage.ts';
import { firstBaseline } from '../captions/look.ts';
import { type MetricsOf, widthEm } from '../model/caption-face.ts';
import { framingAt } from '../model/framing.ts';
import type { CaptionCue, CaptionLook, Clip } from '../model/timeline.ts';
import { captionSpans } from './lettering.ts';
import { headOf } from './sightings.ts';

/** Alternatives to the style's own position, best first. */
const OTHERS = [
  { position: 'bottom', anchorY: 0.9 },
  { position: 'top', anchorY: 0.1 },
] as const satisfies readonly Pick<CaptionLook, 'position' | 'anchorY'>[];
/** A caption may touch a chin; from this covered share of a head or text it counts as covering. */
const COVERED = 0.1;
/** Heads are sampled five times a second, and so are texts in the picture. */
const SAMPLE_SECONDS = 0.2;
/** Ink below the last baseline, in type sizes. */
const BELOW_BASELINE_EM = 0.25;

/** A head or a text of the source, in pixels of the output, at a time of the output. */
interface AreaToAvoid {
  readonly seconds: number;
  readonly box: Box;
}

interface Cut {
  readonly source: ClipFacts;
  readonly clips: readonly Clip[];
  readonly output: Size;
}

/**
 * Moves captions that would cover heads, or texts in the picture, to the other end of the picture. Preferably
 * the position changes at a cut, and returns to the style's own. Within a clip it changes only if the current
 * one would cover something.
 */
export function clearOfSubjects(
  cues: readonly CaptionCue[],
  look: CaptionLook,
  metricsOf: MetricsOf,
  cut: Cut,
): CaptionCue[] {
  const sightings = areasToAvoid(cut);
  const places = [look, ...OTHERS.map((place) => ({ ...look, ...place }))];
  const starts = outputStarts(cut.clips);
  let current = 0;
  let clip = 0;
  let first = 0;
  return cues.map((cue) => {
    const before = clip;
    while (clip + 1 < starts.length && starts[clip + 1] <= (cue.startSeconds + cue.endSeconds) / 2) clip++;
    while (first < sightings.length && sightings[first].seconds < cue.startSeconds - SAMPLE_SECONDS) first++;
    const seen: Box[] = [];
    for (let at = first; at < sightings.length && sightings[at].seconds <= cue.endSeconds; at++)
      seen.push(sightings[at].box);
    const baselines = places.map((place) =>
      firstBaseline(place, cue.lines.length, metricsOf(cue.face).capHeightEm, cut.output.height),
    );
    const covered = baselines.map((baselineY) => {
      const box = textBox({ ...cue, baselineY }, look, metricsOf, cut.output);
      return Math.max(0, ...seen.map((held) => coveredShare(held, box)));
    });
    const wanted = clip === before ? [current, 0, 1, 2] : [0, current, 1, 2];
    const least = Math.min(...covered);
    current = wanted.find((place) => covered[place] < COVERED) ?? covered.indexOf(least);
    return current === 0 ? cue : { ...cue, baselineY: baselines[current] };
  });
}

/** Lines are centred. */
function textBox(
  { lines, face, baselineY }: CaptionCue,
  { sizePixels, pitchPixels }: CaptionLook,
  metricsOf: MetricsOf,
  output: Size,
): Box {
  const metrics = metricsOf(face);
  const width = Math.max(...lines.map((line) => widthEm(line, metrics))) * sizePixels;
  const y = baselineY - metrics.capHeightEm * sizePixels;
  const end = baselineY + (lines.length - 1) * pitchPixels + BELOW_BASELINE_EM * sizePixels;
  return { x: (output.width - width) / 2, y, width, height: end - y };
}

function coveredShare(held: Box, by: Box): number {
  const along = (start: number, size: number, other: number, otherSize: number) =>
    Math.max(0, Math.min(start + size, other + otherSize) - Math.max(start, other));
  const shared = along(held.x, held.width, by.x, by.width) * along(held.y, held.height, by.y, by.height);
  return shared / (held.width * held.height);
}

/** Ascending in time. */
function areasToAvoid({ source, clips, output }: Cut): AreaToAvoid[] {
  const held = boxesToAvoid(source);
  const starts = outputStarts(clips);
  const sightings: AreaToAvoid[] = [];
  let next = 0;
  for (const [number, clip] of clips.entries()) {
    const { sourceStartSeconds: start, sourceEndSeconds: end } = clip;
    while (next < held.length && held[next].timeSeconds < start) next++;
    for (let at = next; at < held.length && held[at].timeSeconds < end; at++) {
      const { timeSeconds, box } = held[at];
      const shown = inOutput(box, clip, timeSeconds, source.video, output);
      if (shown !== null) sightings.push({ seconds: starts[number] + timeSeconds - start, box: shown });
    }
  }
  return sightings;
}

/** Heads and texts of the source at its times, ascending. */
function boxesToAvoid({ video, motion }: ClipFacts): { readonly timeSeconds: number; readonly box: Box }[] {
  const heads = motion.subjects
    .filter(({ kind }) => kind === 'face')
    .flatMap(({ boxes }) => boxes.map(({ timeSeconds, box }) => ({ timeSeconds, box: headOf(box) })));
  const texts = captionSpans(video).flatMap(({ startSeconds, endSeconds, box }) =>
    Array.from({ length: Math.ceil((endSeconds - startSeconds) / SAMPLE_SECONDS) }, (_, n) => ({
      timeSeconds: startSeconds + n * SAMPLE_SECONDS,
      box,
    })),
  );
  return [...heads, ...texts].sort((one, other) => one.timeSeconds - other.timeSeconds);
}

/** Null: outside the framing. */
function inOutput(box: Box, clip: Clip, timeSeconds: number, source: Size, output: Size): Box | null {
  const { sourceStartSeconds: start, sourceEndSeconds: end } = clip;
  const framing = framingAt(clip, end > start ? (timeSeconds - start) / (end - start) : 0, timeSeconds);
  const wide = output.width / (framing.width * source.width);
  const high = output.height / (framing.height * source.height);
  // A crop fills the output, except for rounding; other framings are centred in it.
  const scale = clip.fit === 'crop' ? Math.max(wide, high) : Math.min(wide, high);
  const place = (value: number, from: number, size: number, sourceSize: number, outputSize: number) =>
    (value - from) * sourceSize * scale + (outputSize - size * sourceSize * scale) / 2;
  const shown = {
    x: place(box.x, framing.x, framing.width, source.width, output.width),
    y: place(box.y, framing.y, framing.height, source.height, output.height),
    width: box.width * source.width * scale,
    height: box.height * source.height * scale,
  };
  const isInside = coveredShare(shown, { x: 0, y: 0, ...output }) > 0;
  return isInside ? shown : null;
}

function outputStarts(clips: readonly Clip[]): number[] {
  let before = 0;
  return clips.map(({ sourceStartSeconds, sourceEndSeconds }) => {
    const start = before;
    before += sourceEndSeconds - sourceStartSeconds;
    return start;
  });
}
