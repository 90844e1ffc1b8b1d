import {
  AV_CODEC_ID_ASS,
  AV_CODEC_ID_MOV_TEXT,
  AV_CODEC_ID_SSA,
  AV_CODEC_ID_SUBRIP,
  AV_CODEC_ID_TEXT,
  AV_CODEC_ID_WEBVTT,
  AV_DISPOSITION_COMMENT,
  AV_DISPOSITION_DEFAULT,
  AV_DISPOSITION_FORCED,
  AV_DISPOSITION_HEARING_IMPAIRED,
  AVMEDIA_TYPE_SUBTITLE,
} from 'node-av/constants';
import { Packet, type Stream } from 'node-av/lib';
import type { TextCue } from '../../domain/footage.ts';
import { discardOtherStreams, type Input } from '../av/input.ts';
import { openInput, VIDEO_DEMUXERS } from '../av/open-input.ts';
import { stampSeconds } from '../av/stamps.ts';

export interface TextTrack {
  /** Markup of the cues' text. */
  readonly markup: 'tags' | 'ass';
  /** The handler's name in MP4 and QuickTime, else the track's title; null: it has none. */
  readonly name: string | null;
  readonly cues: readonly StoredCue[];
}

/** A cue whose text includes its markup. */
interface StoredCue extends TextCue {
  /** Name of its ASS style; null: the format has none. */
  readonly styleName: string | null;
}

const TEXT_CODECS: readonly number[] = [
  AV_CODEC_ID_MOV_TEXT,
  AV_CODEC_ID_SUBRIP,
  AV_CODEC_ID_TEXT,
  AV_CODEC_ID_WEBVTT,
  AV_CODEC_ID_ASS,
  AV_CODEC_ID_SSA,
];
/** Text is the last of nine fields of an ASS packet (Matroska, "ASS/SSA subtitles"). */
const ASS_FIELDS_BEFORE_TEXT = 8;
const ASS_STYLE_FIELD = 2;
/** A cue without a length lasts until the next one, at most this long. */
const MAX_OPEN_SECONDS = 5;
/** One a second for a day; files with more are hardly real. */
const MAX_CUES = 100_000;
const MAX_CUE_BYTES = 64_000;

/**
 * The text tracks of a file, in the order in which a player would choose them: the default one, those in the language of the sound,
 * those without descriptions for the deaf. Forced tracks (foreign words only), comments and bitmap subtitles are excluded. Each track
 * is read when it is requested, without decoding. Throws `Failure` INPUT_UNSUPPORTED, INPUT_CORRUPT.
 */
export async function* textTracks(path: string): AsyncGenerator<TextTrack, void, void> {
  for (let place = 0; ; place++) {
    using input = await openInput(path, VIDEO_DEMUXERS);
    const stream = byPreference(input)[place];
    if (stream === undefined) return;
    discardOtherStreams(input, stream);
    const { codecId } = stream.codecpar;
    yield {
      markup: codecId === AV_CODEC_ID_ASS || codecId === AV_CODEC_ID_SSA ? 'ass' : 'tags',
      name: stream.metadata?.get('handler_name') ?? stream.metadata?.get('title') ?? null,
      cues: readCues(input, stream),
    };
  }
}

function byPreference({ context, audio }: Input): Stream[] {
  const language = languageOf(audio);
  const rank = (stream: Stream) =>
    (stream.hasDisposition(AV_DISPOSITION_DEFAULT) ? 4 : 0) +
    (language !== null && languageOf(stream) === language ? 2 : 0) +
    (stream.hasDisposition(AV_DISPOSITION_HEARING_IMPAIRED) ? 0 : 1);
  const fitting = (context.streams ?? []).filter(
    (stream) =>
      stream.codecpar.codecType === AVMEDIA_TYPE_SUBTITLE &&
      TEXT_CODECS.includes(stream.codecpar.codecId) &&
      !stream.hasDisposition(AV_DISPOSITION_FORCED) &&
      !stream.hasDisposition(AV_DISPOSITION_COMMENT),
  );
  return fitting.sort((one, other) => rank(other) - rank(one));
}

function languageOf(stream: Stream | null): string | null {
  const language = stream?.metadata?.get('language') ?? null;
  return language === 'und' ? null : language;
}

function readCues(input: Input, stream: Stream): StoredCue[] {
  const { timeBase } = stream;
  const read: (Pick<StoredCue, 'startSeconds' | 'text' | 'styleName'> & { lengthSeconds: number })[] = [];
  const packet = new Packet();
  packet.alloc();
  while (read.length < MAX_CUES && input.read(packet)) {
    const { data, pts, duration } = packet;
    const startSeconds = packet.streamIndex === stream.index ? stampSeconds(pts, timeBase) : null;
    if (data !== null && startSeconds !== null) {
      read.push({
        startSeconds,
        lengthSeconds: Math.max(0, stampSeconds(duration, timeBase) ?? 0),
        ...textOf(data.subarray(0, MAX_CUE_BYTES), stream.codecpar.codecId),
      });
    }
    packet.unref();
  }
  packet.free();
  read.sort((one, other) => one.startSeconds - other.startSeconds);
  return read.flatMap(({ startSeconds, lengthSeconds, text, styleName }, index) => {
    const nextSeconds = read[index + 1]?.startSeconds ?? Number.POSITIVE_INFINITY;
    const openSeconds = Math.min(MAX_OPEN_SECONDS, nextSeconds - startSeconds);
    const endSeconds = startSeconds + (lengthSeconds > 0 ? lengthSeconds : openSeconds);
    return text === '' || endSeconds <= 0
      ? []
      : [{ startSeconds: Math.max(0, startSeconds), endSeconds, text, styleName }];
  });
}

function textOf(data: Uint8Array, codecId: number): Pick<StoredCue, 'text' | 'styleName'> {
  if (codecId === AV_CODEC_ID_MOV_TEXT) return { text: timedText(data), styleName: null };
  const text = new TextDecoder().decode(data);
  if (codecId !== AV_CODEC_ID_ASS && codecId !== AV_CODEC_ID_SSA) return { text, styleName: null };
  const fields = text.split(',');
  return { text: fields.slice(ASS_FIELDS_BEFORE_TEXT).join(','), styleName: fields[ASS_STYLE_FIELD] ?? null };
}

/** 3GPP timed text (TS 26.245, section 5.17): a length, the text, then boxes with styles; an empty text is a gap. */
function timedText(data: Uint8Array): string {
  if (data.length < 2) return '';
  const text = data.subarray(2, 2 + ((data[0] << 8) | data[1]));
  const wide = text[0] === 0xfe && text[1] === 0xff;
  return new TextDecoder(wide ? 'utf-16be' : 'utf-8').decode(text);
}
