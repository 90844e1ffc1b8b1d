import {
  AV_CODEC_ID_BMP,
  AV_CODEC_ID_MJPEG,
  AV_CODEC_ID_PNG,
  AV_DISPOSITION_ATTACHED_PIC,
  AV_DISPOSITION_DEFAULT,
  AVMEDIA_TYPE_AUDIO,
  AVMEDIA_TYPE_VIDEO,
} from 'node-av/constants';
import { Codec, type FormatContext, type Stream } from 'node-av/lib';
import type { FileClock } from './file-clock.ts';

/** Codecs of thumbnails. Motion JPEG of a camera has the same codec, but as many pictures as any film. */
const STILL_CODECS: readonly number[] = [AV_CODEC_ID_MJPEG, AV_CODEC_ID_PNG, AV_CODEC_ID_BMP];
/** A stream of stills has less than this share of the pictures of the longest stream. */
const STILLS_SHARE = 0.1;

export interface ChosenStreams {
  readonly video: Stream | null;
  readonly audio: Stream | null;
  /** Number of sound tracks, with or without a decoder. */
  readonly soundTracks: number;
  /** Sound tracks without a decoder, or whose decoder returns no samples. */
  readonly undecodable: readonly Stream[];
}

/**
 * The streams that a player would play: of each type the first one marked as default, else the first one. Excluded are covers,
 * thumbnails beside a film, sound tracks without a decoder, and streams whose index is in `silent`.
 */
export function chooseStreams(
  { streams }: FormatContext,
  clock: FileClock | null,
  silent: ReadonlySet<number> = new Set(),
): ChosenStreams {
  const all = (streams ?? []).filter((stream) => !stream.hasDisposition(AV_DISPOSITION_ATTACHED_PIC));
  const pictures = all.filter(({ codecpar }) => codecpar.codecType === AVMEDIA_TYPE_VIDEO);
  const sounds = all.filter(({ codecpar }) => codecpar.codecType === AVMEDIA_TYPE_AUDIO);
  const decodable = sounds.filter((stream) => isDecodable(stream, clock) && !silent.has(stream.index));
  return {
    video: preferred(pictures.length > 1 ? withoutStills(pictures, clock) : pictures),
    audio: preferred(decodable),
    soundTracks: sounds.length,
    undecodable: sounds.filter((stream) => !decodable.includes(stream)),
  };
}

function preferred(streams: readonly Stream[]): Stream | null {
  return streams.find((stream) => stream.hasDisposition(AV_DISPOSITION_DEFAULT)) ?? streams[0] ?? null;
}

/** FFmpeg analyzes the first seconds only: a stream that begins later has packets, but no sample rate yet. */
function isDecodable({ codecpar, index }: Stream, clock: FileClock | null): boolean {
  const hasSound = codecpar.sampleRate > 0 || (clock?.packets(index) ?? 0) > 0;
  return Codec.findDecoder(codecpar.codecId) !== null && hasSound;
}

/** The streams that are not stills; all streams if there are only stills. */
function withoutStills(streams: readonly Stream[], clock: FileClock | null): readonly Stream[] {
  const known = streams.filter(({ codecpar }) => Codec.findDecoder(codecpar.codecId) !== null);
  const candidates = known.length > 0 ? known : streams;
  const picturesOf = ({ index, nbFrames }: Stream) => clock?.packets(index) ?? Number(nbFrames);
  const most = Math.max(...candidates.map(picturesOf));
  const films = candidates.filter((stream) => {
    const pictures = picturesOf(stream);
    const isStills = STILL_CODECS.includes(stream.codecpar.codecId) && pictures < STILLS_SHARE * most;
    return !isStills && (pictures > 1 || most <= 1);
  });
  return films.length > 0 ? films : candidates;
}
