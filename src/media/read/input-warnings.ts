import { lengthOf, type Span, totalSeconds } from '../../domain/spans.ts';
import type { Warning } from '../../domain/stage.ts';
import { type FrameRate, framesPerSecond } from '../../domain/time.ts';
import { codecNameOf } from '../av/codec-name.ts';
import type { DecodeLosses } from '../av/decode-losses.ts';
import type { FileClock } from '../av/file-clock.ts';
import type { Input } from '../av/input.ts';
import { openInput } from '../av/open-input.ts';
import { decodesToSound } from '../av/sound-trial.ts';

/** Further moments are counted, not listed. */
const MAX_LISTED = 5;
/** Above the leading pictures of an open first group: 6 at 24 frames/s. 47 intact clips lose nothing. */
const MIN_LOST_SECONDS = 0.3;
/** Chosen, not measured: encoders round the ends of tracks to whole blocks. */
const MIN_UNPLAYED_SECONDS = 0.5;
/**
 * Shortest gaps that are reported: twice the longest of 80 intact clips. Those were .083 s of picture at an
 * even rate, and below .05 s of sound (decision 0115).
 */
const MIN_GAP_SECONDS = { picture: 0.2, sound: 0.1 } as const;
/** A gap this far inside silence is not heard. */
const SILENT_MARGIN_SECONDS = 0.05;
/** Smaller jumps forward are rounding and priming. */
const MIN_CLOSED_SECONDS = 0.1;
const ACCEPTED_SOUND = 'send the sound as AAC, MP3, Opus, Vorbis, FLAC, AC-3 or PCM';

/** Warnings about parts of a file that are not played, or at another time than stored. */
export function inputWarnings({ clock, startSeconds, audio, undecodableAudio, video }: Input): Warning[] {
  const warnings: Warning[] = [];
  const jumps = (clock?.jumpsSeconds ?? []).map((seconds) => Math.max(0, seconds - startSeconds));
  if (jumps.length > 0) {
    const listed = jumps.slice(0, MAX_LISTED).map((seconds) => seconds.toFixed(1));
    const more = jumps.length > MAX_LISTED ? ` and ${jumps.length - MAX_LISTED} times more` : '';
    const closed = clock?.closedSeconds ?? 0;
    const gaps = closed < MIN_CLOSED_SECONDS ? 'gaps' : `the gaps of ${closed.toFixed(1)} s between them`;
    warnings.push({
      code: 'CLOCK_JUMPS',
      message: `The file's time stamps jump at ${listed.join(', ')} s${more}, as in joined recordings. Its parts are played one after the other, without ${gaps}.`,
    });
  }
  if (clock !== null) {
    warnings.push(...unplayedWarnings('picture', clock, startSeconds, video?.index ?? null));
    if (undecodableAudio.length === 0)
      warnings.push(...unplayedWarnings('sound', clock, startSeconds, audio?.index ?? null));
  }
  if (undecodableAudio.length > 0) {
    const codecs = undecodableAudio.map(({ codecpar }) => codecNameOf(codecpar));
    const tracks = `${codecs.length === 1 ? 'A sound track' : `${codecs.length} sound tracks`} cannot be decoded (codec: ${codecs.join(', ')})`;
    warnings.push(
      audio === null
        ? {
            code: 'SOUND_NOT_DECODABLE',
            message: `${tracks}: the video is used without sound. To keep it, ${ACCEPTED_SOUND}`,
          }
        : { code: 'SOUND_TRACK_SKIPPED', message: `${tracks}: sound track ${audio.index} is used instead` },
    );
  }
  return warnings;
}

/** Warnings about time without a decodable picture or sound. Call it after decoding the stream. */
export function lossWarnings(kind: 'picture' | 'sound', losses: DecodeLosses): Warning[] {
  const lostSeconds = totalSeconds(losses.spans);
  if (lostSeconds < MIN_LOST_SECONDS) return [];
  const [name, code, filling] =
    kind === 'picture'
      ? ['picture', 'PICTURE_NOT_DECODED', 'the nearest picture is shown instead']
      : ['sound', 'SOUND_NOT_DECODED', 'silence is played instead'];
  return [
    {
      code,
      message: `${lostSeconds.toFixed(1)} s of the ${name} cannot be decoded (${listOf(losses.spans)}), because the file is damaged there or starts in the middle; ${filling}`,
    },
  ];
}

/** Warns of samples that are no numbers, which damaged programs write into floating-point sound. */
export function invalidSampleWarnings({ invalid }: DecodeLosses): Warning[] {
  if (invalid.length === 0) return [];
  const seconds = invalid.reduce((sum, one) => sum + one.seconds, 0);
  const moments = [...new Set(invalid.map(({ atSeconds }) => atSeconds.toFixed(1)))];
  const more = moments.length > MAX_LISTED ? ` and ${moments.length - MAX_LISTED} moments more` : '';
  return [
    {
      code: 'SOUND_SAMPLES_INVALID',
      message: `${seconds.toFixed(3)} s of the sound, at ${moments.slice(0, MAX_LISTED).join(', ')} s${more}, have samples that are not numbers, or infinite; silence is played instead`,
    },
  ];
}

/** Warns of times without a picture in a clip of an even frame rate. In others, such as screen recordings, a still picture has no packets. */
export function pictureGapWarnings(
  { gaps }: DecodeLosses,
  clip: { readonly frameRate: FrameRate; readonly variableFrameRate: boolean },
): Warning[] {
  const frameSeconds = 1 / framesPerSecond(clip.frameRate);
  const held = gaps.map(({ startSeconds, endSeconds }) => ({
    startSeconds: startSeconds + frameSeconds,
    endSeconds,
  }));
  return clip.variableFrameRate ? [] : gapWarnings('picture', held);
}

/** Warns of times without sound, except within silence. `silenceStart`: where the clock of the silences begins in the file. */
export function soundGapWarnings(
  { gaps }: DecodeLosses,
  silences: readonly Span[],
  silenceStart = 0,
): Warning[] {
  const isSilent = ({ startSeconds, endSeconds }: Span) =>
    silences.some(
      (silence) =>
        silence.startSeconds + silenceStart <= startSeconds - SILENT_MARGIN_SECONDS &&
        silence.endSeconds + silenceStart >= endSeconds + SILENT_MARGIN_SECONDS,
    );
  return gapWarnings(
    'sound',
    gaps.filter((gap) => !isSilent(gap)),
  );
}

function gapWarnings(kind: 'picture' | 'sound', gaps: readonly Span[]): Warning[] {
  const long = gaps.filter((gap) => lengthOf(gap) >= MIN_GAP_SECONDS[kind]);
  if (long.length === 0) return [];
  const [code, filling] =
    kind === 'picture'
      ? ['PICTURE_GAP', 'the last picture is repeated']
      : ['SOUND_GAP', 'silence is played instead'];
  return [
    {
      code,
      message: `The file has no ${kind} for ${totalSeconds(long).toFixed(1)} s (${listOf(long)}): ${filling}`,
    },
  ];
}

function listOf(spans: readonly Span[]): string {
  const listed = spans
    .slice(0, MAX_LISTED)
    .map(({ startSeconds, endSeconds }) => `${startSeconds.toFixed(1)}–${endSeconds.toFixed(1)} s`);
  const more = spans.length > MAX_LISTED ? ` and ${spans.length - MAX_LISTED} spans more` : '';
  return `${listed.join(', ')}${more}`;
}

/** Warns if a file's only sound track decodes to no samples. */
export async function silentTrackWarnings(path: string): Promise<Warning[]> {
  using input = await openInput(path);
  if (input.audio === null || (await decodesToSound(input.context, input.audio))) return [];
  const codec = codecNameOf(input.audio.codecpar);
  const message = `The sound track has no decodable samples (codec: ${codec}): the video is used without sound. To keep it, ${ACCEPTED_SOUND}`;
  return [{ code: 'SOUND_NOT_DECODABLE', message }];
}

/** Warnings about tracks with picture or sound at times when the chosen track has none, as in a broadcast that changes its stream. */
function unplayedWarnings(
  kind: 'picture' | 'sound',
  clock: FileClock,
  startSeconds: number,
  chosen: number | null,
): Warning[] {
  const played = chosen === null ? null : clock.spanOf(chosen);
  return clock.streamsOf(kind).flatMap((index) => {
    const span = index === chosen ? null : clock.spanOf(index);
    if (span === null) return [];
    const before = Math.min(span.endSeconds, played?.startSeconds ?? span.endSeconds) - span.startSeconds;
    const after = played === null ? 0 : span.endSeconds - Math.max(span.startSeconds, played.endSeconds);
    const seconds = Math.max(0, before) + Math.max(0, after);
    if (seconds < MIN_UNPLAYED_SECONDS) return [];
    const [from, to] = [span.startSeconds - startSeconds, span.endSeconds - startSeconds];
    const message = `Another ${kind} track (${index}) runs from ${from.toFixed(1)} to ${to.toFixed(1)} s of the file: ${seconds.toFixed(1)} s of it, where the chosen track has none, are left out`;
    return [{ code: kind === 'sound' ? 'SOUND_TRACK_LEFT_OUT' : 'PICTURE_TRACK_LEFT_OUT', message }];
  });
}
