import type { ClipFacts } from '../../analysis/facts.ts';
import type { TextCue } from '../../domain/footage.ts';
import { strengthOf } from '../../domain/job-choices.ts';
import type { JobConfig } from '../../domain/job-config.ts';
import type { Warning } from '../../domain/stage.ts';
import type { OmittedWords } from '../../domain/transcription.ts';
import { type DecodedText, guessedEncodingMessage } from '../captions/encoding.ts';
import { breakText, breakWords, type LineRules } from '../captions/lines.ts';
import { captionLook, firstBaseline } from '../captions/look.ts';
import { signsLeftOutMessage } from '../captions/signs.ts';
import { CAPTIONS_SEEM_TELEMETRY, TELEMETRY_LEFT_OUT } from '../captions/telemetry.ts';
import { type ShownRun, toOutputTime, withoutOverlaps, withReadingTime } from '../captions/timing.ts';
import {
  drawable,
  facesFor,
  fontPackage,
  type MetricsOf,
  OPTIONAL_SCRIPTS,
  type OptionalScript,
  optionalScriptsIn,
  widthEm,
} from '../model/caption-face.ts';
import type { Style } from '../model/schema.ts';
import type { CaptionCue, CaptionLook, Clip, Timeline } from '../model/timeline.ts';
import { clearOfSubjects } from './caption-places.ts';
import { type FrameGrid, type Piece, secondsAt, spanOf } from './segments.ts';

/** The text to show, in the source's time, with data for warnings. */
export interface SourceCaptions {
  /** The client's file, the source's own text track, or its speech. */
  readonly origin: 'file' | 'track' | 'speech';
  /** Sorted by start; may overlap. */
  readonly cues: readonly TextCue[];
  /** Number of texts positioned in the picture, which are not among the cues. */
  readonly signCount: number;
  /** Of a file: its cues seem to be readings of a camera. Of the text track: such a track was left out. */
  readonly isTelemetry: boolean;
  /** The guessed encoding of a file that does not declare one; else null. */
  readonly guessedEncoding: DecodedText['encoding'] | null;
  /** Of speech. */
  readonly omitted?: OmittedWords;
  readonly metricsOf: MetricsOf;
}

export interface CaptionRequest {
  readonly source: ClipFacts;
  /** Null: no style with captions to follow. */
  readonly style: Style | null;
  /** Captions are shown in any case: plain if the style has none. */
  readonly isRequested: boolean;
  readonly captions: SourceCaptions | null;
  readonly pieces: readonly Piece[];
  readonly grid: FrameGrid;
  /** The pieces with their framings. */
  readonly clips: readonly Clip[];
  readonly output: Pick<Timeline, 'width' | 'height'>;
}

export type PlannedCaptions = Pick<Timeline, 'captions' | 'captionLook'>;

/** Whether an edit uses captions of this origin. A file is shown in any style. */
export function wantsCaptions(
  style: Style | null,
  config: JobConfig,
  origin: SourceCaptions['origin'],
): boolean {
  if (config.captions === 'transcribe') return origin !== 'track';
  if (origin === 'speech') return false;
  if (style === null || strengthOf(config, 'subtitles') === 0) return false;
  return origin === 'file' || style.use_subtitles;
}

/** Shortest time of a single word. */
const MIN_WORD_SECONDS = 0.18;
/** Tolerance for sums of shares. */
const ROUNDING = 1e-6;
/** Most characters and captions that a warning lists. */
const MAX_NAMED = 8;

/** Warns about uncertain and skipped parts of the caption file. */
export function warnOfReading(
  { origin, guessedEncoding, signCount, isTelemetry }: SourceCaptions,
  warn: (code: string, message: string) => void,
): void {
  if (isTelemetry && origin === 'file') warn('CAPTIONS_SEEM_TELEMETRY', CAPTIONS_SEEM_TELEMETRY);
  if (isTelemetry && origin === 'track') warn('TELEMETRY_LEFT_OUT', TELEMETRY_LEFT_OUT);
  if (guessedEncoding !== null) warn('CAPTIONS_ENCODING_GUESSED', guessedEncodingMessage(guessedEncoding));
  if (signCount > 0) warn('CAPTION_SIGNS_LEFT_OUT', signsLeftOutMessage(signCount));
}

/** Warns about words that the transcription engine invented. */
export function warnOfOmitted(
  { looped, afterEnd }: OmittedWords = { looped: 0, afterEnd: 0 },
  warn: (code: string, message: string) => void,
): void {
  const reasons = [
    ...(looped > 0 ? [`${looped} repeat a phrase ten times or more in a row`] : []),
    ...(afterEnd > 0 ? [`${afterEnd} begin after the end of the sound`] : []),
  ];
  if (reasons.length === 0) return;
  const message = `${looped + afterEnd} words of the transcription were left out: ${reasons.join(', ')}. Correct speech.srt if they were spoken`;
  warn('SPEECH_WORDS_LEFT_OUT', message);
}

/**
 * The source's words in the output's time, in the style's caption design or a plain one; none if neither the style has captions nor
 * the config or a caption file requests them.
 */
export function planCaptions(request: CaptionRequest, warnings: Warning[]): PlannedCaptions {
  const { source, captions, output, isRequested } = request;
  const style = request.style?.use_subtitles === true ? request.style : null;
  const none: PlannedCaptions = { captions: [] };
  const warn = (code: string, message: string) => {
    warnings.push({ code, message });
    return none;
  };
  // Who adds a file wants its captions: plain where the style has none.
  if (style === null && !isRequested && captions?.origin !== 'file') return none;
  // Words that are already in the picture would be shown twice. Only a client's own file overrides this.
  if (source.video.captions.style !== null && captions?.origin !== 'file') {
    return isRequested
      ? warn(
          'CAPTIONS_IN_PICTURE',
          'The source seems to have captions in its picture already, so none are made from its speech; a caption file is shown all the same',
        )
      : none;
  }
  warnOfOmitted(captions?.omitted, warn);
  if (captions === null || captions.cues.length === 0) {
    if (isRequested)
      return warn(
        'NO_SPEECH_FOUND',
        'No words were found in the sound of the source, so no captions are added',
      );
    if (captions?.isTelemetry === true) return warn('TELEMETRY_LEFT_OUT', TELEMETRY_LEFT_OUT);
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
  const look = captionLook(request.style ?? {}, output, captions.metricsOf);
  const set = setCues(
    () => look,
    timedCues(request, captions.cues),
    { ...output, metricsOf: captions.metricsOf },
    warnings,
  );
  if (set.length === 0) return none;
  const cues = set.map(({ cue: _, ...caption }) => caption);
  return { captions: clearOfSubjects(cues, look, captions.metricsOf, request), captionLook: look };
}

function timedCues({ pieces, grid }: CaptionRequest, cues: readonly TextCue[]): TextCue[] {
  const runs = shownRuns(pieces, grid);
  const last = runs.at(-1);
  const totalSeconds = last === undefined ? 0 : last.outputSeconds + last.endSeconds - last.startSeconds;
  return withReadingTime(toOutputTime(withoutOverlaps(cues), runs), totalSeconds);
}

/** Framings that change within a run of the source do not split it. */
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
    ...spanOf(grid, run),
    outputSeconds: secondsAt(grid, run.outputFrame),
  }));
}

/** Lines of each cue, typeset in its look; captions that cannot be drawn are left out with a warning. */
export function setCues<Cue extends TextCue>(
  lookOf: (cue: Cue) => CaptionLook,
  cues: readonly Cue[],
  { metricsOf, height }: { readonly metricsOf: MetricsOf; readonly height: number },
  warnings: Warning[],
): (CaptionCue & { readonly cue: Cue })[] {
  const missing = new Set<string>();
  const foreign: string[] = [];
  const texts = cues.map(({ text }) => text);
  const set = cues.flatMap((cue) => {
    const look = lookOf(cue);
    const shown = drawable(cue.text, facesFor(look.face, texts), metricsOf);
    for (const character of shown?.missing ?? []) missing.add(character);
    if (shown === null) foreign.push(cue.text);
    if (shown === null || shown.text === '') return [];
    const metrics = metricsOf(shown.face);
    const rules: LineRules = {
      widthOf: (text) => widthEm(text, metrics),
      lineWidth: look.lineEm,
      maxLines: look.timing === 'words' ? 1 : 2,
    };
    const timeAt = clockOf(cue);
    const screens =
      look.timing === 'words'
        ? spokenWords(breakWords(shown.text, rules), timeAt, rules)
        : breakText(shown.text, rules);
    return overTime(screens, cue, timeAt).map(({ lines, ...times }) => ({
      cue,
      ...times,
      lines,
      face: shown.face,
      baselineY: firstBaseline(look, lines.length, metrics.capHeightEm, height),
    }));
  });
  warnings.push(...leftOut(missing, foreign, cues.length, metricsOf));
  return set;
}

/** Time in seconds at which a share of a cue's letters is spoken. */
type Clock = (share: number) => number;

/** Exact at word starts if the words' times are known; else the time is distributed evenly over the letters. */
function clockOf({ startSeconds, endSeconds, words = [] }: TextCue): Clock {
  const total = words.reduce((sum, { text }) => sum + lettersOf(text), 0);
  if (total === 0) return (share) => startSeconds + share * (endSeconds - startSeconds);
  return (share) => {
    let letter = share * total;
    for (const word of words) {
      const length = lettersOf(word.text);
      // A boundary between two words belongs to the later one.
      if (letter < length - ROUNDING)
        return word.startSeconds + (Math.max(0, letter) / length) * (word.endSeconds - word.startSeconds);
      letter -= length;
    }
    return endSeconds;
  };
}

function lettersOf(text: string): number {
  return text.replace(/\s/g, '').length;
}

/** When each text begins, and when the last one ends. */
function boundaries(texts: readonly string[], timeAt: Clock): number[] {
  const lengths = texts.map(lettersOf);
  const total = lengths.reduce((sum, length) => sum + length, 0);
  let before = 0;
  return [0, ...lengths].map((length) => {
    before += length;
    return timeAt(before / total);
  });
}

/** One word at a time; words too short to read are joined with the next. */
function spokenWords(words: readonly string[], timeAt: Clock, { widthOf, lineWidth }: LineRules): string[][] {
  const times = boundaries(words, timeAt);
  const groups: string[] = [];
  let startSeconds = 0;
  let open = false;
  for (const [index, word] of words.entries()) {
    const longer = open ? `${groups.at(-1)} ${word}` : word;
    if (open && widthOf(longer) <= lineWidth) groups[groups.length - 1] = longer;
    else {
      groups.push(word);
      startSeconds = times[index];
    }
    open = times[index + 1] - startSeconds < MIN_WORD_SECONDS;
  }
  return groups.map((group) => [group]);
}

/** Distributes a cue's screens over its time. */
function overTime(
  screens: readonly (readonly string[])[],
  { startSeconds, endSeconds }: TextCue,
  timeAt: Clock,
): Pick<CaptionCue, 'startSeconds' | 'endSeconds' | 'lines'>[] {
  const times = boundaries(
    screens.map((lines) => lines.join(' ')),
    timeAt,
  );
  return screens.map((lines, index) => ({
    startSeconds: index === 0 ? startSeconds : times[index],
    endSeconds: index === screens.length - 1 ? endSeconds : times[index + 1],
    lines,
  }));
}

function leftOut(
  missing: ReadonlySet<string>,
  foreign: readonly string[],
  total: number,
  metricsOf: MetricsOf,
): Warning[] {
  const warnings: Warning[] = [];
  if (foreign.length > 0) {
    warnings.push({
      code: 'CAPTIONS_LEFT_OUT',
      message: `${foreign.length} of ${total} captions were left out, because no available typeface has their script. ${adviceOf(foreign, metricsOf)}`,
    });
  }
  // Code points without a glyph of their own, about half of an emoji's, are not listed.
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

/** Names the packages of the missing typefaces. */
function adviceOf(foreign: readonly string[], metricsOf: MetricsOf): string {
  const isInstalled = (script: OptionalScript) =>
    metricsOf(`noto-${script}-semibold`).advanceEm(OPTIONAL_SCRIPTS[script].sample.codePointAt(0)!) !== null;
  const scripts = optionalScriptsIn(foreign.join('')).filter((script) => !isInstalled(script));
  if (scripts.length === 0)
    return 'Available: Latin, Greek, Cyrillic and Japanese; with optional packages Arabic, Hebrew, Devanagari, Chinese and Korean.';
  const names = scripts.map((script) => OPTIONAL_SCRIPTS[script].name).join(', ');
  return `Missing: ${names}. To add: npm install ${scripts.map(fontPackage).join(' ')}`;
}
