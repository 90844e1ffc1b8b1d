import type { ClipFacts } from '../../analysis/facts.ts';
import type { TextCue } from '../../domain/footage.ts';
import { strengthOf } from '../../domain/job-choices.ts';
import type { JobConfig } from '../../domain/job-config.ts';
import type { Warning } from '../../domain/stage.ts';
import { type DecodedText, guessedEncodingMessage } from '../captions/encoding.ts';
import { breakText, breakWords, type LineRules } from '../captions/lines.ts';
import { captionLook, firstBaseline } from '../captions/look.ts';
import { signsLeftOutMessage } from '../captions/signs.ts';
import { type ShownRun, toOutputTime, withoutOverlaps, withReadingTime } from '../captions/timing.ts';
import { type CaptionFace, drawable, type MetricsOf, widthEm } from '../model/caption-face.ts';
import type { Style } from '../model/schema.ts';
import type { CaptionCue, CaptionLook, Timeline } from '../model/timeline.ts';
import { type FrameGrid, type Piece, secondsAt } from './segments.ts';

/** Text to show, in the source's time, and what measures it. */
export interface SourceCaptions {
  /** A file of the client's, or the source's own text track. */
  readonly origin: 'file' | 'track';
  /** By their start; may overlap. */
  readonly cues: readonly TextCue[];
  /** Texts placed in the picture, which are not among the cues. */
  readonly signCount: number;
  /** Of a file whose encoding nothing states; else null. */
  readonly guessedEncoding: DecodedText['encoding'] | null;
  readonly metricsOf: MetricsOf;
}

export interface CaptionRequest {
  readonly source: ClipFacts;
  readonly style: Style;
  readonly captions: SourceCaptions | null;
  readonly pieces: readonly Piece[];
  readonly grid: FrameGrid;
  readonly output: Pick<Timeline, 'width' | 'height'>;
}

export type PlannedCaptions = Pick<Timeline, 'captions' | 'captionLook'>;

/** Whether an edit has a use for captions at all: for those of a file, if only to say that they are not shown. */
export function wantsCaptions(
  style: Style | null,
  config: JobConfig,
  origin: SourceCaptions['origin'],
): boolean {
  if (style === null || strengthOf(config, 'subtitles') === 0) return false;
  return origin === 'file' || style.use_subtitles;
}

/** Single words follow each other no faster. */
const MIN_WORD_SECONDS = 0.18;
/** Characters and captions that a warning names. */
const MAX_NAMED = 8;

/** What was not certain, and what was left out, when the captions were read. */
function warnOfReading(
  { guessedEncoding, signCount }: SourceCaptions,
  warn: (code: string, message: string) => void,
): void {
  if (guessedEncoding !== null) warn('CAPTIONS_ENCODING_GUESSED', guessedEncodingMessage(guessedEncoding));
  if (signCount > 0) warn('CAPTION_SIGNS_LEFT_OUT', signsLeftOutMessage(signCount));
}

/** The source's words in the output's time, in the style's look; none where the style shows none. */
export function planCaptions(request: CaptionRequest, warnings: Warning[]): PlannedCaptions {
  const { source, style, captions, output } = request;
  const none: PlannedCaptions = { captions: [] };
  const warn = (code: string, message: string) => {
    warnings.push({ code, message });
    return none;
  };
  if (!style.use_subtitles) {
    return captions?.origin === 'file'
      ? warn('CAPTIONS_NOT_IN_STYLE', 'The style shows no captions, so those of the file are not shown')
      : none;
  }
  // Words in the picture cannot be removed, and would show twice. Only a client who sends a file wants that.
  if (source.video.captions.style !== null && captions?.origin !== 'file') return none;
  if (captions === null || captions.cues.length === 0) {
    return warn(
      'NO_CAPTION_TRACK',
      'The style shows captions; none are added, because the source has no text track to show',
    );
  }
  warnOfReading(captions, warn);
  if (source.video.captions.style !== null) {
    warn(
      'CAPTIONS_TWICE',
      'The source seems to have captions in its picture already; those of the file are shown as well',
    );
  }
  const look = captionLook(style, output, captions.metricsOf);
  const cues = setCues(
    look,
    timedCues(request, captions.cues),
    { ...output, metricsOf: captions.metricsOf },
    warnings,
  );
  return cues.length === 0 ? none : { captions: cues, captionLook: look };
}

function timedCues({ pieces, grid }: CaptionRequest, cues: readonly TextCue[]): TextCue[] {
  const runs = shownRuns(pieces, grid);
  const last = runs.at(-1);
  const totalSeconds = last === undefined ? 0 : last.outputSeconds + last.endSeconds - last.startSeconds;
  return withReadingTime(toOutputTime(withoutOverlaps(cues), runs), totalSeconds);
}

/** Framings that change within a run of the source do not part it. */
function shownRuns(pieces: readonly Piece[], grid: FrameGrid): ShownRun[] {
  const runs: { startFrame: number; endFrame: number; outputFrame: number }[] = [];
  let outputFrame = 0;
  for (const { startFrame, endFrame } of pieces) {
    const last = runs.at(-1);
    if (last?.endFrame === startFrame) last.endFrame = endFrame;
    else runs.push({ startFrame, endFrame, outputFrame });
    outputFrame += endFrame - startFrame;
  }
  return runs.map((run) => ({
    startSeconds: secondsAt(grid, run.startFrame),
    endSeconds: secondsAt(grid, run.endFrame),
    outputSeconds: secondsAt(grid, run.outputFrame),
  }));
}

/** Lines of each cue, set in the look; what cannot be drawn is left out with a warning. */
export function setCues(
  look: CaptionLook,
  cues: readonly TextCue[],
  { metricsOf, height }: { readonly metricsOf: MetricsOf; readonly height: number },
  warnings: Warning[],
): CaptionCue[] {
  const faces: readonly CaptionFace[] = [look.face, 'dela-gothic'];
  const missing = new Set<string>();
  let foreign = 0;
  const set = cues.flatMap((cue) => {
    const shown = drawable(cue.text, faces, metricsOf);
    for (const character of shown?.missing ?? []) missing.add(character);
    if (shown === null) foreign++;
    if (shown === null || shown.text === '') return [];
    const metrics = metricsOf(shown.face);
    const rules: LineRules = {
      widthOf: (text) => widthEm(text, metrics),
      lineWidth: look.lineEm,
      maxLines: look.timing === 'words' ? 1 : 2,
    };
    const screens =
      look.timing === 'words'
        ? spokenWords(breakWords(shown.text, rules), cue, rules)
        : breakText(shown.text, rules);
    return overTime(screens, cue).map(({ lines, ...times }) => ({
      ...times,
      lines,
      face: shown.face,
      baselineY: firstBaseline(look, lines.length, metrics.capHeightEm, height),
    }));
  });
  warnings.push(...leftOut(missing, foreign, cues.length));
  return set;
}

/** Word by word; those too short to be seen go with the next. */
function spokenWords(words: readonly string[], cue: TextCue, { widthOf, lineWidth }: LineRules): string[][] {
  const perCharacter =
    (cue.endSeconds - cue.startSeconds) / words.reduce((sum, word) => sum + word.length, 0);
  const groups: string[] = [];
  let open = false;
  for (const word of words) {
    const longer = open ? `${groups.at(-1)} ${word}` : word;
    if (open && widthOf(longer) <= lineWidth) groups[groups.length - 1] = longer;
    else groups.push(word);
    open = groups.at(-1)!.length * perCharacter < MIN_WORD_SECONDS;
  }
  return groups.map((group) => [group]);
}

/** A cue's time over its screens, by their characters. */
function overTime(
  screens: readonly (readonly string[])[],
  { startSeconds, endSeconds }: TextCue,
): Pick<CaptionCue, 'startSeconds' | 'endSeconds' | 'lines'>[] {
  const lengths = screens.map((lines) => lines.join(' ').length);
  const perCharacter = (endSeconds - startSeconds) / lengths.reduce((sum, length) => sum + length, 0);
  let at = startSeconds;
  return screens.map((lines, index) => {
    const start = at;
    at += lengths[index] * perCharacter;
    return { startSeconds: start, endSeconds: index === screens.length - 1 ? endSeconds : at, lines };
  });
}

function leftOut(missing: ReadonlySet<string>, foreign: number, total: number): Warning[] {
  const warnings: Warning[] = [];
  if (foreign > 0) {
    warnings.push({
      code: 'CAPTIONS_LEFT_OUT',
      message: `${foreign} of ${total} captions were left out, because no available typeface has their script. Available: Latin, Greek, Cyrillic and Japanese.`,
    });
  }
  // Half of an emoji's code points are not seen.
  const named = [...missing].filter((character) => /[^\p{C}\p{M}\p{Sk}]/u.test(character));
  if (named.length > 0) {
    const more = named.length > MAX_NAMED ? ' and others' : '';
    warnings.push({
      code: 'CAPTION_CHARACTERS_LEFT_OUT',
      message: `Captions were drawn without ${named.slice(0, MAX_NAMED).join(' ')}${more}, because no available typeface has these characters.`,
    });
  }
  return warnings;
}
