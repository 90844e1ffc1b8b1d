/** Summary of the changes as text. */
import type { EditSummary } from '../model/edit-summary.ts';
import type { NotFollowed } from '../model/timeline.ts';
import { transitionWord } from '../model/transition-words.ts';

/** From this share the text says "on the beat"; with fast beats two in five cuts hit one by chance. */
const ON_BEAT_SHARE = 0.8;
/** Audible difference of loudness in a direct comparison. */
const HEARD_LU = 0.5;

/** One line, such as "14 punch-ins among 20 added cuts, 3 dissolves, cropped to 9:16, sound +6 LU". */
export function editText(summary: Omit<EditSummary, 'text' | 'entries'>): string {
  const { transitions, left_out_seconds, stabilised_seconds, captions, push_ins, color_strength } = summary;
  const parts = [
    punchInText(summary),
    push_ins === 0 ? null : counted(push_ins, 'slow push-in'),
    ...Object.entries(transitions).map(([type, count]) => `${count} ${transitionWord(type, count)}`),
    talkText(summary.talk),
    leftOutText(left_out_seconds - (summary.talk?.removed_seconds ?? 0), summary.talk),
    framingText(summary.framing),
    stabilised_seconds === 0 ? null : 'steadied',
    frameRateText(summary),
    color_strength === null ? null : `colors followed at strength ${color_strength}`,
    captions === 0 ? null : counted(captions, 'caption'),
    loudnessText(summary.loudness),
    ...(summary.not_followed ?? []).map(notFollowedText),
  ].filter((part) => part !== null);
  return parts.length === 0 ? 'encoded again, and nothing else changed' : parts.join(', ');
}

/** With the number of all added cuts: those back to the wider framing are seen too. */
function punchInText({
  punch_ins: { count, on_beat },
  cuts,
}: Pick<EditSummary, 'punch_ins' | 'cuts'>): string | null {
  if (count === 0) return null;
  const among = cuts.added > count ? ` among ${cuts.added} added cuts` : '';
  const beat = on_beat !== null && on_beat >= ON_BEAT_SHARE * count ? ' on the beat' : '';
  return `${counted(count, 'punch-in')}${beat}${among}`;
}

function talkText(talk: EditSummary['talk']): string | null {
  if (talk === undefined || talk.removals.length === 0) return null;
  const countOf = (wanted: string) => talk.removals.filter(({ reason }) => reason === wanted).length;
  const parts = TALK_WORDS.flatMap(([reason, noun, verb]) => {
    const count = countOf(reason);
    return count === 0 ? [] : [`${counted(count, noun)} ${verb}`];
  });
  return `${new Intl.ListFormat('en').format(parts)} (${talk.removed_seconds.toFixed(1)} s)`;
}

/** Seconds that are left out for another reason than the talk. */
function leftOutText(seconds: number, talk: EditSummary['talk']): string | null {
  if (seconds < 0.05) return null;
  return `${seconds.toFixed(1)} s left out${talk === undefined ? '' : ' by trimming'}`;
}

const TALK_WORDS = [
  ['pause', 'pause', 'shortened'],
  ['retake', 'first attempt', 'left out'],
  ['filler', 'filler word', 'left out'],
  ['requested', 'requested part', 'left out'],
] as const;

function framingText({ manner, aspect_ratio, follows }: EditSummary['framing']): string | null {
  const following = follows === null ? '' : ` following the ${follows}`;
  if (manner === 'kept') return follows === null ? null : `the framing${following}`;
  return manner === 'crop'
    ? `cropped to ${aspect_ratio}${following}`
    : `fitted into ${aspect_ratio} over a blurred copy of itself`;
}

/** Rates that look the same, such as 29.97 and 30, are not mentioned. */
function frameRateText({ source, output }: Pick<EditSummary, 'source' | 'output'>): string | null {
  if (Math.abs(source.frame_rate - output.frame_rate) < 0.5) return null;
  return `${shortest(source.frame_rate)} → ${shortest(output.frame_rate)} frames a second`;
}

function notFollowedText({ component, source, style }: NotFollowed): string {
  const left = component === 'aspect_ratio' ? `shape left at ${source}` : `left at ${source} frames a second`;
  return `${left} (the look has ${style})`;
}

function loudnessText(loudness: EditSummary['loudness']): string | null {
  const change = loudness?.change_lu ?? 0;
  if (Math.abs(change) < HEARD_LU) return null;
  return `sound ${change > 0 ? '+' : '−'}${Math.round(Math.abs(change))} LU`;
}

function counted(count: number, word: string): string {
  return `${count} ${word}${count === 1 ? '' : 's'}`;
}

function shortest(value: number): string {
  return String(Number(value.toFixed(2)));
}
