/** Sound files, which are the songs of edits. */
import { Failure } from '../../domain/errors.ts';
import type { VideoProbe } from '../../domain/stage.ts';
import type { Input } from '../av/input.ts';
import { openInput } from '../av/open-input.ts';
import { decodesToSound } from '../av/sound-trial.ts';
import { inputWarnings } from './input-warnings.ts';
import { checkDuration, checkScan, checkStreamCount, codecName, scanPackets } from './packet-scan.ts';
import { unreadFileWarnings } from './unread-files.ts';

export const SONGS_ACCEPTED = 'as a song MP3, M4A, AAC, FLAC, WAV or Ogg';

/** ID3v2 tags precede MP3, and rarely AAC and FLAC. */
const ID3_DEMUXERS = 'mp3,aac,flac';
/** The eleven set bits of an MPEG audio header (ISO/IEC 11172-3, 2.4.2.3); ADTS has them too. */
const MPEG_SYNC = 0xffe0;
/** Brands of MPEG-4 files that are sound alone: a file of another brand without a picture is a damaged video. */
const SOUND_BRANDS = ['M4A ', 'M4B ', 'F4A '];

const CONTENT_TYPES: Readonly<Record<string, string>> = {
  mp3: 'audio/mpeg',
  m4a: 'audio/mp4',
  aac: 'audio/aac',
  flac: 'audio/flac',
  wav: 'audio/wav',
  ogg: 'audio/ogg',
};

/** Demuxers for a file with these first bytes, in FFmpeg's list form; null: it does not begin as a sound file. */
export function soundDemuxersOf(head: Buffer): string | null {
  if (head.toString('latin1', 0, 3) === 'ID3') return ID3_DEMUXERS;
  if (head.toString('latin1', 0, 4) === 'fLaC') return 'flac';
  const isWave = ['RIFF', 'RF64'].includes(head.toString('latin1', 0, 4));
  if (isWave && head.toString('latin1', 8, 12) === 'WAVE') return 'wav';
  return head.length >= 2 && (head.readUInt16BE(0) & MPEG_SYNC) === MPEG_SYNC ? 'mp3,aac' : null;
}

/**
 * Checks a file without a picture: reads all its packets and decodes its first samples. Throws `Failure` INVALID_VIDEO,
 * VIDEO_LIMIT_EXCEEDED.
 */
export async function probeSound(
  path: string,
  input: Input,
  head: Buffer,
  { maxDurationSeconds }: { readonly maxDurationSeconds: number },
): Promise<VideoProbe> {
  const container = soundContainerOf(input, head);
  if (container === null)
    throw new Failure('INVALID_VIDEO', `The file has no video stream; send ${SONGS_ACCEPTED}`);
  checkStreamCount(input.streamCount);
  const { audio } = input;
  if (audio === null) throw undecodable(input.undecodableAudio.map(codecName));
  const scan = scanPackets(input, audio);
  checkScan(scan, Number(audio.nbFrames), 'packets');
  checkDuration('The sound', scan.durationSeconds, maxDurationSeconds);
  using again = await openInput(path, soundDemuxersOf(head) ?? undefined);
  if (again.audio === null || !(await decodesToSound(again.context, again.audio)))
    throw undecodable([codecName(audio)]);
  return {
    contentType: CONTENT_TYPES[container],
    container,
    durationSeconds: scan.durationSeconds,
    ...{ width: 0, height: 0, rotation: 0, frameRate: 0, videoCodec: '' },
    audioCodec: codecName(audio),
    warnings: [...inputWarnings(input), ...(await unreadFileWarnings(path))],
  };
}

/** Null: its container is one of videos. */
function soundContainerOf({ formatName }: Input, head: Buffer): string | null {
  const name = formatName.split(',')[0];
  if (name === 'mov') return brandsOf(head).some((brand) => SOUND_BRANDS.includes(brand)) ? 'm4a' : null;
  return Object.hasOwn(CONTENT_TYPES, name) ? name : null;
}

/** Major and compatible brands in a file's first box (ISO/IEC 14496-12, 4.3), as far as `head` holds them. */
function brandsOf(head: Buffer): string[] {
  if (head.toString('latin1', 4, 8) !== 'ftyp') return [];
  const brands = head.toString('latin1', 8, Math.min(head.length, head.readUInt32BE(0)));
  return brands.match(/.{4}/gs) ?? [];
}

function undecodable(codecs: readonly string[]): Failure {
  const codec = codecs.length === 0 ? 'none' : codecs.join(', ');
  return new Failure(
    'INVALID_VIDEO',
    `The sound cannot be decoded (codec: ${codec}); send it as MP3, AAC, Opus, Vorbis, FLAC or PCM`,
  );
}
