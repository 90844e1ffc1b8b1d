/** Objects that all parts of an OpenTimelineIO file have. */
import { type FrameRate, framesPerSecond } from '../../domain/time.ts';

export type OtioObject = Record<string, unknown>;

export function trackObject(
  name: string,
  kind: 'Video' | 'Audio',
  children: readonly OtioObject[],
): OtioObject {
  return {
    OTIO_SCHEMA: 'Track.1',
    name,
    kind,
    metadata: {},
    source_range: null,
    effects: [],
    markers: [],
    enabled: true,
    children,
  };
}

/** A file of a clip. */
export interface OtioReference {
  readonly url: string;
  readonly availableRange: OtioObject;
  readonly metadata?: OtioObject;
}

export function clipObject(
  name: string,
  sourceRange: OtioObject,
  { url, availableRange, metadata: fileMetadata = {} }: OtioReference,
  metadata: OtioObject,
): OtioObject {
  return {
    OTIO_SCHEMA: 'Clip.2',
    name,
    metadata: { styledna: metadata },
    source_range: sourceRange,
    effects: [],
    markers: [],
    enabled: true,
    active_media_reference_key: 'DEFAULT_MEDIA',
    media_references: {
      DEFAULT_MEDIA: {
        OTIO_SCHEMA: 'ExternalReference.1',
        name,
        metadata: fileMetadata,
        target_url: url,
        available_range: availableRange,
        available_image_bounds: null,
      },
    },
  };
}

export function gapObject(frames: number, rate: FrameRate): OtioObject {
  return {
    OTIO_SCHEMA: 'Gap.1',
    name: '',
    metadata: {},
    source_range: frameRange(0, frames, rate),
    effects: [],
    markers: [],
    enabled: true,
  };
}

export function transitionObject(
  name: string,
  type: 'SMPTE_Dissolve' | 'Custom_Transition',
  { before, after }: { readonly before: number; readonly after: number },
  rate: FrameRate,
  metadata: OtioObject,
): OtioObject {
  return {
    OTIO_SCHEMA: 'Transition.1',
    name,
    transition_type: type,
    in_offset: rationalTime(before, rate),
    out_offset: rationalTime(after, rate),
    metadata: { styledna: metadata },
  };
}

export function timeRange(startSeconds: number, endSeconds: number, rate: FrameRate): OtioObject {
  const fps = framesPerSecond(rate);
  const start = Math.round(startSeconds * fps);
  return frameRange(start, Math.round(endSeconds * fps) - start, rate);
}

/** Frames may be fractions, for sound and for files of another rate. */
export function frameRange(start: number, duration: number, rate: FrameRate): OtioObject {
  return {
    OTIO_SCHEMA: 'TimeRange.1',
    start_time: rationalTime(start, rate),
    duration: rationalTime(duration, rate),
  };
}

/** Digits of a fraction of a frame: a millionth is less than a sample. */
const FRACTION_DIGITS = 6;

export function roundedFrames(frames: number): number {
  return Number(frames.toFixed(FRACTION_DIGITS));
}

export function rationalTime(frames: number, rate: FrameRate): OtioObject {
  return { OTIO_SCHEMA: 'RationalTime.1', value: frames, rate: framesPerSecond(rate) };
}
