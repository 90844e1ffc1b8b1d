import { AVMEDIA_TYPE_DATA } from 'node-av/constants';
import type { Stream } from 'node-av/lib';
import type { RecordingMarks } from '../../domain/footage.ts';
import { canDropFrames, type FrameRate, snapFrameRate } from '../../domain/time.ts';
import type { Input } from '../av/input.ts';
import { xmpMarks } from './xmp.ts';

const TIMECODE = /^\d{2}:[0-5]\d:[0-5]\d[:;.]\d{2,3}$/;
/** `reel_name` of a timecode track; `com.apple.proapps.reel` and the like of cameras. */
const REEL_KEY = /(?:^|[._:-])(?:reel(?:[_-]?name)?|tape(?:[_-]?name)?)$/i;
/** Longest that editing programs show: EDL has 8 characters, QuickTime 255 bytes. */
const MAX_REEL_LENGTH = 255;
/** QuickTime's tag of timecode tracks, "tmcd", little-endian. */
const TIMECODE_TAG = 0x64_63_6d_74;

/**
 * Start timecode and reel of a file. FFmpeg reports the timecode as a tag of the timecode track (QuickTime, MP4) and of the streams that
 * refer to it, or of the file (Matroska). What these lack is read from the file's XMP packet (Adobe XMP specification, part 2, Dynamic
 * Media).
 */
export function recordingMarks(input: Input, xmp: string | null = null): RecordingMarks {
  const { context, video } = input;
  const streams = context.streams ?? [];
  const track = streams.find(isTimecodeTrack) ?? null;
  const tags = [video?.metadata, track?.metadata, context.metadata].flatMap((one) => [
    ...Object.entries(one?.getAll() ?? {}),
  ]);
  const marks = xmp === null ? null : xmpMarks(xmp);
  const texts = tags.filter(([key]) => key.toLowerCase() === 'timecode').map(([, value]) => value);
  const text = [...texts, marks?.timecode].find((value) => value !== undefined && TIMECODE.test(value));
  const reels = tags.filter(([key]) => REEL_KEY.test(key)).map(([, value]) => value);
  const reel = [...reels, marks?.tapeName].find((value) => value !== undefined && value.trim() !== '');
  const rate = rateOf(track) ?? rateOf(video);
  return {
    ...(text !== undefined && rate !== null && { startTimecode: { text: written(text, rate), rate } }),
    ...(reel !== undefined && { reelName: reel.trim().toWellFormed().slice(0, MAX_REEL_LENGTH) }),
  };
}

/** FFmpeg writes a period before the frames of a second field; some cameras mark drop-frame at rates that have none. */
function written(text: string, rate: FrameRate): string {
  return text.replace(canDropFrames(rate) ? '.' : /[.;]/, ':');
}

function isTimecodeTrack({ codecpar, metadata }: Stream): boolean {
  return (
    codecpar.codecType === AVMEDIA_TYPE_DATA &&
    (Number(codecpar.codecTag) === TIMECODE_TAG || metadata?.get('timecode') != null)
  );
}

/** Frames per second, snapped to a rate of cameras: average rates of real files are off by some millionths. */
function rateOf(stream: Stream | null): FrameRate | null {
  const { num, den } = stream?.avgFrameRate ?? { num: 0, den: 1 };
  return num > 0 && den > 0 ? snapFrameRate(num / den) : null;
}
