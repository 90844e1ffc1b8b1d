import { type FrameRate, framesPerSecond } from '../../domain/time.ts';
import type { CaptionCue, Clip, Timeline, TimelineTransition } from '../model/timeline.ts';
import type { TimelineMedia } from './source-media.ts';

/** The edit of the files `media` as the text of an OpenTimelineIO file. */
export function writeOtio(timeline: Timeline, media: TimelineMedia): string {
  return JSON.stringify(timelineToOtio(timeline, media), null, 2);
}

/**
 * The edit as OpenTimelineIO JSON (schemas `Timeline.1`, `Stack.1`, `Track.1`, `Clip.2`, `Transition.1`,
 * `Marker.2`): one video track, one audio track if the timeline has sound, and a marker for each caption. Data
 * without a place in the format, such as framing and grade, is under `metadata.styledna`, as in the timeline.
 */
export function timelineToOtio(timeline: Timeline, media: TimelineMedia): Record<string, unknown> {
  const { frameRate, takes, audio, width, height, captions, captionLook = null } = timeline;
  const tracks = [track('Video', timeline, media)];
  if (audio !== null) tracks.push(track('Audio', timeline, media));
  return {
    OTIO_SCHEMA: 'Timeline.1',
    name: 'StyleDNA edit',
    metadata: { styledna: { width, height, grade: takes[0]!.grade, sound: audio, captionLook } },
    global_start_time: rationalTime(0, frameRate),
    tracks: {
      OTIO_SCHEMA: 'Stack.1',
      name: 'tracks',
      metadata: {},
      source_range: null,
      effects: [],
      markers: captions.map((cue) => markerObject(cue, frameRate)),
      enabled: true,
      children: tracks,
    },
  };
}

function track(kind: 'Video' | 'Audio', timeline: Timeline, media: TimelineMedia): Record<string, unknown> {
  const { clips, transitions, frameRate } = timeline;
  const children = clips.flatMap((clip, index) => {
    const transition = transitions.find(({ clipIndex }) => clipIndex === index);
    // Sound continues through a transition of the picture.
    const before =
      transition === undefined || kind === 'Audio' ? [] : [transitionObject(transition, frameRate)];
    return [...before, clipObject(clip, timeline, media)];
  });
  return {
    OTIO_SCHEMA: 'Track.1',
    name: kind === 'Video' ? 'V1' : 'A1',
    kind,
    metadata: {},
    source_range: null,
    effects: [],
    markers: [],
    enabled: true,
    children,
  };
}

function clipObject(clip: Clip, { frameRate }: Timeline, { takes }: TimelineMedia): Record<string, unknown> {
  const media = takes[clip.take]!;
  const { from, to, easing, fit, reason, track: followed = null, steady = null } = clip;
  return {
    OTIO_SCHEMA: 'Clip.2',
    name: media.fileName,
    metadata: { styledna: { from, to, easing, fit, reason, track: followed, steady } },
    source_range: timeRange(clip.sourceStartSeconds, clip.sourceEndSeconds, frameRate),
    effects: [],
    markers: [],
    enabled: true,
    active_media_reference_key: 'DEFAULT_MEDIA',
    media_references: {
      DEFAULT_MEDIA: {
        OTIO_SCHEMA: 'ExternalReference.1',
        name: media.fileName,
        metadata: {},
        target_url: encodeURIComponent(media.fileName.toWellFormed()),
        available_range: timeRange(0, media.durationSeconds, media.frameRate),
        available_image_bounds: null,
      },
    },
  };
}

function transitionObject(transition: TimelineTransition, rate: FrameRate): Record<string, unknown> {
  const frames = Math.max(2, Math.round(transition.durationSeconds * framesPerSecond(rate)));
  const before = Math.floor(frames / 2);
  return {
    OTIO_SCHEMA: 'Transition.1',
    name: transition.type,
    // The only type that the format defines; editors show all others as custom ones.
    transition_type: transition.type === 'dissolve' ? 'SMPTE_Dissolve' : 'Custom_Transition',
    in_offset: rationalTime(before, rate),
    out_offset: rationalTime(frames - before, rate),
    metadata: {
      styledna: {
        type: transition.type,
        easing: transition.easing,
        direction: transition.direction ?? null,
        ...(transition.color === undefined ? {} : { color: transition.color }),
      },
    },
  };
}

function markerObject(cue: CaptionCue, rate: FrameRate): Record<string, unknown> {
  const text = cue.lines.join(' ');
  return {
    OTIO_SCHEMA: 'Marker.2',
    name: text,
    comment: text,
    color: 'YELLOW',
    marked_range: timeRange(cue.startSeconds, cue.endSeconds, rate),
    metadata: { styledna: cue },
  };
}

function timeRange(startSeconds: number, endSeconds: number, rate: FrameRate): Record<string, unknown> {
  const fps = framesPerSecond(rate);
  const start = Math.round(startSeconds * fps);
  return {
    OTIO_SCHEMA: 'TimeRange.1',
    start_time: rationalTime(start, rate),
    duration: rationalTime(Math.round(endSeconds * fps) - start, rate),
  };
}

function rationalTime(frames: number, rate: FrameRate): Record<string, unknown> {
  return { OTIO_SCHEMA: 'RationalTime.1', value: frames, rate: framesPerSecond(rate) };
}
