import type { FrameRate } from './time.ts';

/** Bytes of a pixel of a color picture. */
export const RGB = 3;

export interface Size {
  readonly width: number;
  readonly height: number;
}

/** A small picture: rows from top to bottom, `channels` bytes per pixel (1 grey, 3 RGB), no padding. */
export interface Picture {
  readonly width: number;
  readonly height: number;
  readonly channels: 1 | 3;
  readonly data: Uint8Array;
}

/**
 * One frame of a clip as the detectors see it: upright, square pixels, SDR, full range; RGB of BT.709, grey
 * as the clip's own matrix weighs luma. The grids keep the display ratio. The figures in brackets are those
 * of a 16:9 clip.
 */
export interface Frame {
  /** 0, 1, 2 … in presentation order, skipped ones counted. */
  readonly index: number;
  /** Presentation time in seconds from the container's start. Steps vary: variable frame rate is normal. */
  readonly timeSeconds: number;
  /** Times of the skipped frames between the previous one and this one; undefined: none. */
  readonly skippedSeconds?: readonly number[];
  /** RGB, about 1,300 pixels (48×27). */
  readonly color: Picture;
  /** Grey (luma), about 14,400 pixels (160×90). */
  readonly grey: Picture;
  /** Grey, about 230,000 pixels (640×360), on about three frames a second; null on the others. */
  readonly detail: Picture | null;
}

/** Number of frames from the last one that was not skipped to this one. */
export function stepFrames({ skippedSeconds }: Pick<Frame, 'skippedSeconds'>): number {
  return 1 + (skippedSeconds?.length ?? 0);
}

/** A run of sound: one array per channel, all of one length, samples in -1..1 (peaks may exceed it). */
export interface SampleBlock {
  readonly startSeconds: number;
  readonly sampleRate: number;
  readonly channels: readonly Float32Array[];
}

/** A frame of a clip as a small JPEG: upright, square pixels, SDR. */
export interface Still {
  readonly timeSeconds: number;
  readonly width: number;
  readonly height: number;
  readonly jpeg: Uint8Array;
}

/** Least, greatest and root mean square sample of each of a number of equal stretches of time. */
export interface Envelope {
  readonly durationSeconds: number;
  readonly min: readonly number[];
  readonly max: readonly number[];
  readonly rms: readonly number[];
}

/** Format of a file's streams, from the headers. */
export interface StreamFormat {
  /** Name of the demuxer, such as `mov,mp4,m4a,3gp,3g2,mj2`. */
  readonly container: string;
  /** FFmpeg's name of the codec; null: no video. */
  readonly videoCodec: string | null;
  readonly audio: {
    readonly codec: string;
    readonly sampleRate: number;
    readonly channels: number;
  } | null;
}

/** What a camera writes so that editing programs find the recording again. */
export interface RecordingMarks {
  readonly startTimecode?: StartTimecode;
  /** Name of the card or tape. */
  readonly reelName?: string;
}

/** Timecode of a recording's first frame (SMPTE ST 12-1). */
export interface StartTimecode {
  /** hh:mm:ss:ff; a semicolon before the frames: drop-frame. */
  readonly text: string;
  /** Rate at which it counts. High-speed recordings have a lower one than their pictures. */
  readonly rate: FrameRate;
}

/** A text with its time: plain, lines separated by `\n`. Seconds from the start of its file or clip. */
export interface TextCue {
  readonly startSeconds: number;
  readonly endSeconds: number;
  readonly text: string;
  /** Each word of the text with its time; undefined: not known. */
  readonly words?: readonly TextCue[];
}

/** A table of colors that somebody made elsewhere, used as it is; the style's strength is already in it. */
export interface CubeGrade {
  /** Entries along each axis. */
  readonly size: number;
  /** `size`³ triples of gamma-encoded RGB, red fastest. */
  readonly rgb: Float32Array;
  /**
   * Curves before the table: triples of its coordinates 0..1, evenly from 0 to 1 of the color's red, green and blue. Left out:
   * the color itself. They follow steep shadows, which a table of few entries does not.
   */
  readonly curves?: Float32Array;
}

/** The recommended minimum length of a template (interface specification): a shorter one shows little of its pace. */
export const RECOMMENDED_TEMPLATE_SECONDS = 30;
