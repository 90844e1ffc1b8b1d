import type { EditOptions } from '../../domain/edit-options.ts';
import type { TextCue } from '../../domain/footage.ts';
import type { Warning } from '../../domain/stage.ts';
import { captionLook } from '../captions/look.ts';
import type { MetricsOf } from '../model/caption-face.ts';
import type { Style } from '../model/schema.ts';
import type { Timeline } from '../model/timeline.ts';
import { type PlannedCaptions, setCues } from './captions.ts';

/** Reading time of a title of two lines (Netflix Timed Text Style Guide: 17 characters a second). */
const TITLE_SECONDS = 3;
/** Time without a title at the output's start and end: a title on the first frame looks like a mistake. */
const MARGIN_SECONDS = 0.2;

/** Titles in the style's caption design, as whole lines. */
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
  const cues = titles
    .map(({ at, text }) => cueOf(at, text, totalSeconds))
    .filter(({ startSeconds, endSeconds }) => endSeconds > startSeconds)
    .sort((one, other) => one.startSeconds - other.startSeconds);
  if (cues.length === 0) return { captions: [] };
  const look = { ...captionLook(style, output, metricsOf), timing: 'lines' as const };
  const parted = cues.map((cue, index) => {
    const next = cues[index + 1]?.startSeconds ?? Number.POSITIVE_INFINITY;
    return { ...cue, endSeconds: Math.min(cue.endSeconds, next) };
  });
  return { captions: setCues(look, parted, { ...output, metricsOf }, warnings), captionLook: look };
}

function cueOf(at: EditOptions['titles'][number]['at'], text: string, totalSeconds: number): TextCue {
  const last = totalSeconds - MARGIN_SECONDS;
  const startSeconds =
    at === 'start' ? MARGIN_SECONDS : at === 'end' ? Math.max(MARGIN_SECONDS, last - TITLE_SECONDS) : at;
  return { startSeconds, endSeconds: Math.min(last, startSeconds + TITLE_SECONDS), text };
}
