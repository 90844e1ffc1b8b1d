/** Findings for a person: a heading for each kind, a line for each finding. */

const HEADINGS: Readonly<Record<string, readonly string[]>> = {
  Picture: ['aspect_ratio', 'frame_rate', 'duration_seconds', 'frame_count'],
  Cut: [
    'cuts',
    'transitions',
    'cut_frequency',
    'primary_transition',
    'transition_mix',
    'shot_lengths',
    'cuts_on_beat',
  ],
  Camera: ['camera', 'motion_intensity', 'zoom_usage'],
  Colour: ['color_grade', 'palette'],
  Captions: ['use_subtitles', 'captions', 'subtitle_style'],
  Sound: [
    'tempo_bpm',
    'tempo_confidence',
    'tempo_alternatives',
    'beats',
    'integrated_lufs',
    'loudness_range_lu',
    'true_peak_dbtp',
    'speech_share',
    'music_genre',
    'audio_style',
  ],
  Confidence: ['extraction_confidence', 'confidence'],
};

const MAX_ITEMS = 10;
const NAME_WIDTH = 22;

/** Leaves out what was not found, and what only machines read. */
export function findingsText(findings: Readonly<Record<string, unknown>>): string {
  return Object.entries(HEADINGS)
    .map(([heading, names]) => {
      const found = names.filter((name) => isFinding(findings[name]));
      const lines = found.map(
        (name) => `  ${name.replaceAll('_', ' ').padEnd(NAME_WIDTH)}${inWords(findings[name])}`,
      );
      return lines.length === 0 ? '' : `${heading}\n${lines.join('\n')}\n`;
    })
    .filter((part) => part !== '')
    .join('\n')
    .trimEnd();
}

function isFinding(value: unknown): boolean {
  return value !== undefined && value !== null && !(Array.isArray(value) && value.length === 0);
}

function inWords(value: unknown): string {
  if (typeof value === 'number') return String(Math.round(value * 1000) / 1000);
  if (typeof value === 'boolean') return value ? 'yes' : 'no';
  if (Array.isArray(value)) return list(value);
  if (typeof value === 'object' && value !== null) return record(value as Record<string, unknown>);
  return String(value);
}

function list(values: readonly unknown[]): string {
  const shown = values.slice(0, MAX_ITEMS).map(inWords);
  const separator = typeof values[0] === 'object' ? '; ' : ', ';
  const more = values.length > MAX_ITEMS ? `${separator}… ${values.length} in all` : '';
  return shown.join(separator) + more;
}

/** What has a beginning and an end reads as a stretch of time; a colour with its weight as a share. */
function record(value: Record<string, unknown>): string {
  const { start, end, startSeconds, endSeconds, hex, weight, ...rest } = value;
  if (typeof hex === 'string') return `${hex} ${Math.round(Number(weight) * 100)} %`;
  const [from, to] = [start ?? startSeconds, end ?? endSeconds];
  const when = from === undefined ? [] : [`${inWords(from)}–${inWords(to)} s`];
  const parts = Object.entries(rest)
    .filter(([name]) => name !== 'box')
    .map(([name, part]) =>
      name === 'type' || name === 'label' ? inWords(part) : `${name.replaceAll('_', ' ')} ${inWords(part)}`,
    );
  return [...when, ...parts].join(', ');
}
