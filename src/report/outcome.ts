import type { Warning } from '../domain/stage.ts';
import type { EditSummary } from '../style/model/edit-summary.ts';
import type { Style } from '../style/model/schema.ts';
import { colorWords, secondsText, styleSentence } from '../style/model/style-sentence.ts';
import { transitionWord } from '../style/model/transition-words.ts';
import type { ReportView } from './view.ts';
import { capital, count, decimal, lengthText, percent, signed } from './wording.ts';

/** A job's request and its result. */
export interface OutcomeInput {
  /** Null: the style was passed directly, or there is none. */
  readonly template: ReportView | null;
  readonly source: ReportView;
  /** The requested style; null: a clean re-encode. */
  readonly requested: Partial<Style> | null;
  readonly sourceStyle: Partial<Style>;
  readonly summary: EditSummary;
  readonly truePeakDbtp: number | null;
  readonly warnings: readonly Warning[];
  /** A JPEG of frames in a row, evenly spaced over the output. */
  readonly filmstrip: {
    readonly jpeg: Uint8Array;
    readonly tiles: number;
    readonly width: number;
    readonly height: number;
  };
  /** Address of the output for playing; null: none. */
  readonly outputAddress: string | null;
}

/** A figure of template, source and output; null: not applicable. */
export interface OutcomeRow {
  readonly label: string;
  readonly requested: string | null;
  readonly source: string | null;
  readonly output: string | null;
}

/** Requested, source and output values side by side. Without a request or a change, the row shows the value alone. */
export function outcomeRows(input: OutcomeInput): OutcomeRow[] {
  const { requested, sourceStyle, summary, truePeakDbtp } = input;
  const { source, output } = summary;
  const ofRequest = <Value>(words: (style: Partial<Style>) => Value | null) =>
    requested === null ? null : words(requested);
  const isWhole = (style: Partial<Style>) => style.source_kind !== 'image';
  return [
    {
      label: 'Color',
      requested: ofRequest(colorText),
      source: colorText(sourceStyle),
      output:
        summary.color_strength === null
          ? 'as it was'
          : `followed at strength ${percent(summary.color_strength)}`,
    },
    {
      label: 'Pace',
      requested: ofRequest((style) => (isWhole(style) ? paceText(style) : null)),
      source: paceText(sourceStyle),
      output: outputPace(summary),
    },
    ...pauseRows(input),
    {
      label: 'Transitions',
      requested: ofRequest((style) => mixText(style)),
      source: mixText(sourceStyle),
      output: madeTransitions(summary),
    },
    {
      label: 'Shape',
      requested: ofRequest((style) => style.aspect_ratio ?? null),
      source: `${source.width} × ${source.height} pixels`,
      output: `${output.width} × ${output.height} pixels, ${summary.framing.aspect_ratio}`,
    },
    {
      label: 'Frame rate',
      requested: ofRequest((style) => (isWhole(style) ? rateText(style.frame_rate) : null)),
      source: rateText(source.frame_rate),
      output: rateText(output.frame_rate),
    },
    {
      label: 'Loudness',
      requested: ofRequest((style) => lufsText(style.audio_style?.normalization_level ?? null)),
      source: lufsText(summary.loudness?.before_lufs ?? null),
      output: outputLoudness(summary, truePeakDbtp),
    },
    {
      label: 'Length',
      requested: ofRequest(({ source_duration_seconds: seconds = 0 }) =>
        seconds > 0 ? lengthText(seconds) : null,
      ),
      source: lengthText(source.duration_seconds),
      output: lengthText(output.duration_seconds),
    },
  ];
}

function colorText(style: Partial<Style>): string | null {
  const { color_grade: grade, look: _, ...rest } = style;
  if (grade === undefined || style.confidence?.color === 0) return null;
  const words = colorWords({ ...rest, color_grade: grade, confidence: {} });
  return words.length === 0 ? 'neutral' : words.join(', ');
}

function paceText(style: Partial<Style>): string | null {
  const { cut_frequency: rate, confidence } = style;
  if (rate === undefined || confidence?.pacing === 0) return null;
  return rate === 0 ? 'no cuts' : `a change every ${secondsText(1 / rate)}`;
}

function outputPace({ cuts, output, punch_ins }: EditSummary): string {
  const changes = cuts.of_source + cuts.added;
  if (changes === 0) return 'no cuts';
  const punches =
    punch_ins.count === 0 ? '' : `, ${count(punch_ins.count, 'punch-in')} among ${count(changes, 'change')}`;
  return `a change every ${secondsText(output.duration_seconds / changes)}${punches}`;
}

/** Only of a talk that was shortened. */
function pauseRows({ requested, summary }: OutcomeInput): OutcomeRow[] {
  const pauses = summary.talk?.median_pause_seconds ?? null;
  if (pauses === null) return [];
  const style = requested?.talk?.pauses.p50 ?? null;
  return [
    {
      label: 'Pauses',
      requested: pauseText(style),
      source: pauseText(pauses.before),
      output: pauseText(pauses.after),
    },
  ];
}

function pauseText(seconds: number | null): string | null {
  return seconds === null ? null : `${seconds.toFixed(2)} s in the middle`;
}

function mixText({ transition_mix: mix, confidence }: Partial<Style>): string | null {
  if (mix === undefined || confidence?.transitions === 0) return null;
  const shares = Object.entries(mix).sort((one, other) => other[1] - one[1]);
  // A figure and its unit share a line.
  return shares
    .map(([type, share]) => `${percent(share).replace(' ', '\u00a0')} ${transitionWord(type, 2)}`)
    .join(', ');
}

function madeTransitions({ transitions }: EditSummary): string {
  const made = Object.entries(transitions).map(([type, many]) => `${many} ${transitionWord(type, many)}`);
  return made.length === 0 ? 'none made' : made.join(', ');
}

function rateText(rate: number | undefined): string | null {
  return rate === undefined ? null : `${Number(rate.toFixed(3))} frames/s`;
}

function lufsText(lufs: number | null): string | null {
  return lufs === null ? null : `${decimal(lufs)} LUFS`;
}

function outputLoudness({ loudness }: EditSummary, truePeakDbtp: number | null): string | null {
  const level = lufsText(loudness?.after_lufs ?? null);
  if (level === null) return loudness === null ? 'no sound' : 'silence';
  return truePeakDbtp === null ? level : `${level}, peak ${signed(truePeakDbtp, 1)} dBTP`;
}

/** The request in one sentence. */
export function requestSentence({ requested }: OutcomeInput): string {
  return requested === null ? 'No style: a clean encode' : styleSentence(requested);
}

/** The changes in one sentence. */
export function changeSentence({ summary }: OutcomeInput): string {
  return capital(summary.text);
}
