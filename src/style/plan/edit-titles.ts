import type { EditOptions } from '../../domain/edit-options.ts';
import type { TextCue } from '../../domain/footage.ts';
import type { Warning } from '../../domain/stage.ts';
import { titleLook } from '../captions/title-look.ts';
import { type MetricsOf, visibleText, widthEm } from '../model/caption-face.ts';
import type { Style } from '../model/schema.ts';
import type { CaptionCue, CaptionLook, Timeline } from '../model/timeline.ts';
import { type PlannedCaptions, setCues } from './captions.ts';

type Title = EditOptions['titles'][number];

/** A title of two lines. */
const TITLE_SECONDS = 3;
/** Netflix Timed Text Style Guide, for adults. */
const CHARACTERS_PER_SECOND = 17;
/** Shortest time of a text (Netflix Timed Text Style Guide: 5/6 s). */
const MIN_TITLE_SECONDS = 5 / 6;
/** Time without a title at the output's start and end: a title on the first frame looks like a mistake. */
const MARGIN_SECONDS = 0.2;
/** A shorter shift is not reported: a frame lasts up to .042 s. */
const MIN_SHIFT_SECONDS = 0.05;

/** With the title that it shows. */
interface TitleCue extends TextCue {
  readonly title: Title;
}

interface TitleTimes {
  readonly cues: readonly TitleCue[];
  /** Reports of titles at other times than requested. */
  readonly moved: string[];
  /** Reports of titles that are not shown. */
  readonly leftOut: string[];
}

/** Titles as whole lines, each in its style and place. Each is shown, or a warning says why not. */
export function planTitles(
  titles: EditOptions['titles'],
  request: {
    readonly style: Style;
    readonly output: Pick<Timeline, 'width' | 'height'>;
    readonly totalSeconds: number;
    readonly metricsOf: MetricsOf;
  },
  warnings: Warning[],
): PlannedCaptions {
  const { style, output, totalSeconds, metricsOf } = request;
  const { cues, moved, leftOut } = titleCues(titles, totalSeconds);
  const lookOf = (title: Title) => titleLook(title, style, output, metricsOf);
  if (cues.length === 0) {
    warnings.push(...reported(moved, leftOut));
    return { captions: [] };
  }
  const set = setCues(({ title }) => lookOf(title), cues, { ...output, metricsOf }, warnings);
  const captions = set.map(({ cue: { title }, ...caption }) =>
    placed({ ...caption, look: lookOf(title) }, title.place?.x, output.width, metricsOf),
  );
  for (const { startSeconds, endSeconds, text } of cues) {
    const isShown = captions.some((cue) => cue.startSeconds >= startSeconds && cue.startSeconds < endSeconds);
    if (!isShown) leftOut.push(`${JSON.stringify(text)}: none of its characters can be drawn`);
  }
  warnings.push(...reported(moved, leftOut));
  return captions.length === 0 ? { captions } : { captions, captionLook: captions[0]!.look };
}

/** EBU R 95: graphics within 90 % of the width. */
const SIDE_MARGIN = 0.05;

/** The cue at a place from the left, 0..1, as far as its longest line stays inside the margins. */
function placed<Cue extends CaptionCue & { readonly look: CaptionLook }>(
  cue: Cue,
  x: number | undefined,
  width: number,
  metricsOf: MetricsOf,
): Cue {
  if (x === undefined) return cue;
  const metrics = metricsOf(cue.face);
  const half = (Math.max(...cue.lines.map((line) => widthEm(line, metrics))) * cue.look.sizePixels) / 2;
  const least = Math.min(width / 2, SIDE_MARGIN * width + half);
  return { ...cue, centerX: Math.round(Math.min(width - least, Math.max(least, x * width))) };
}

/**
 * When each title is shown, in order and without overlaps. Titles at one time follow each other, and one just before the
 * end starts earlier.
 */
export function titleCues(titles: EditOptions['titles'], totalSeconds: number): TitleTimes {
  const [moved, leftOut]: [string[], string[]] = [[], []];
  const within = titles.filter(({ at, text }) => {
    const isAfterEnd = typeof at === 'number' && at >= totalSeconds;
    if (isAfterEnd)
      leftOut.push(`${JSON.stringify(text)} at ${at} s: the edit ends at ${totalSeconds.toFixed(2)} s`);
    return !isAfterEnd;
  });
  const margin = totalSeconds < MIN_TITLE_SECONDS + 2 * MARGIN_SECONDS ? 0 : MARGIN_SECONDS;
  const [first, last] = [margin, totalSeconds - margin];
  // A sum of fractions can be below its whole number.
  const most = Math.max(1, Math.floor((last - first) / MIN_TITLE_SECONDS + 1e-6));
  for (const { text } of within.slice(most))
    leftOut.push(
      `${JSON.stringify(text)}: an edit of ${totalSeconds.toFixed(2)} s has time for ${most} of ${within.length}`,
    );
  const ordered = within
    .slice(0, most)
    .map((title) => ({ ...title, title, startSeconds: wantedStart(title, first, last) }))
    .sort((one, other) => rank(one) - rank(other) || one.startSeconds - other.startSeconds);
  const starts = spacedStarts(
    ordered.map(({ startSeconds }) => startSeconds),
    first,
    last,
  );
  const cues = ordered.map(({ at, text, title }, index) => {
    const startSeconds = starts[index];
    if (typeof at === 'number' && Math.abs(startSeconds - at) >= MIN_SHIFT_SECONDS)
      moved.push(`${JSON.stringify(text)} is shown at ${startSeconds.toFixed(2)} s instead of ${at} s`);
    const endSeconds = Math.min(startSeconds + readingSeconds(text), starts[index + 1] ?? last);
    return { startSeconds, endSeconds, text, title };
  });
  return { cues, moved, leftOut };
}

/** Titles at the start are first, those at the end last, whatever else is shown. */
function rank({ at }: Pick<Title, 'at'>): number {
  return at === 'start' ? 0 : at === 'end' ? 2 : 1;
}

function wantedStart({ at, text }: Title, first: number, last: number): number {
  if (at === 'start') return first;
  return at === 'end' ? Math.max(first, last - readingSeconds(text)) : at;
}

function readingSeconds(text: string): number {
  return Math.max(TITLE_SECONDS, visibleText(text).length / CHARACTERS_PER_SECOND);
}

/** The nearest starts with the shortest time between them and before `last`. */
function spacedStarts(wanted: readonly number[], first: number, last: number): readonly number[] {
  const starts: number[] = [];
  for (const start of wanted)
    starts.push(Math.max(start, starts.length === 0 ? 0 : starts.at(-1)! + MIN_TITLE_SECONDS));
  let latest = last;
  for (let index = starts.length - 1; index >= 0; index--) {
    latest = Math.max(Math.min(first, starts[index]), Math.min(starts[index], latest - MIN_TITLE_SECONDS));
    starts[index] = latest;
  }
  return starts;
}

/** One warning of each kind, because a plan has one warning of each code. */
function reported(moved: readonly string[], leftOut: readonly string[]): Warning[] {
  const rows = [
    ['TITLE_MOVED', 'Titles were moved, so that there is time to read them', moved],
    ['TITLE_LEFT_OUT', 'Titles are not shown', leftOut],
  ] as const;
  return rows.flatMap(([code, what, which]) =>
    which.length === 0 ? [] : [{ code, message: `${what}: ${which.join('; ')}` }],
  );
}
