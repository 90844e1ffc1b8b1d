import { type FrameRate, framesPerSecond } from '../../domain/time.ts';
import type { CaptionCue, Timeline, TimelineTransition } from '../model/timeline.ts';
import {
  clipObject,
  frameRange,
  type OtioObject,
  rationalTime,
  roundedFrames,
  timeRange,
  trackObject,
  transitionObject,
} from './otio-objects.ts';
import { mediaReference, otioSound } from './otio-sound.ts';
import { isEdit, type PlacedClip, type PlacedEdit, photoFrames, placedEdit } from './placed-clips.ts';
import { isPhoto, mediaFrames, mediaUrl, type TimelineMedia, withinFile } from './source-media.ts';
import { startFrame } from './timecode.ts';

/** The edit of the files `media` as the text of an OpenTimelineIO file. */
export function writeOtio(timeline: Timeline, media: TimelineMedia): string {
  return JSON.stringify(timelineToOtio(timeline, media), null, 2);
}

/**
 * The edit as OpenTimelineIO JSON (schemas `Timeline.1`, `Stack.1`, `Track.1`, `Clip.2`, `Gap.1`,
 * `Transition.1`, `Marker.2`). It has one video track, audio tracks if the timeline has sound, and a marker
 * for each caption. Data without a place in the format, such as framing and grade, is under
 * `metadata.styledna`, as in the timeline.
 */
export function timelineToOtio(timeline: Timeline, media: TimelineMedia): OtioObject {
  const { frameRate, takes, audio, width, height, captions, captionLook = null } = timeline;
  const metadata = { width, height, grade: takes[0].grade, sound: audio, captionLook };
  return {
    OTIO_SCHEMA: 'Timeline.1',
    name: 'StyleDNA edit',
    metadata: { styledna: isEdit(timeline) ? { ...metadata, takes } : metadata },
    global_start_time: rationalTime(0, frameRate),
    tracks: {
      OTIO_SCHEMA: 'Stack.1',
      name: 'tracks',
      metadata: {},
      source_range: null,
      effects: [],
      markers: captions.map((cue) => markerObject(cue, frameRate)),
      enabled: true,
      children: tracksOf(timeline, media),
    },
  };
}

function tracksOf(timeline: Timeline, media: TimelineMedia): OtioObject[] {
  const { audio, sound, frameRate } = timeline;
  const edit = placedEdit(timeline, media, (transition) => reachOf(transition, frameRate));
  const clips = edit.clips.map((placed) => clipOf(placed, edit));
  const video = clips.flatMap((clip, index) => {
    const transition = transitionInto(index, edit);
    return transition === null ? [clip] : [transition, clip];
  });
  const tracks = [trackObject('V1', 'Video', video)];
  if (audio === null) return tracks;
  // Sound of the only take is cut like its picture, and continues through a transition of the picture.
  return [
    ...tracks,
    ...(sound === undefined ? [trackObject('A1', 'Audio', clips)] : otioSound(timeline, sound, media)),
  ];
}

function clipOf(placed: PlacedClip, edit: PlacedEdit): OtioObject {
  const { timeline, media } = edit;
  const { clip } = placed;
  const file = media.takes[clip.take];
  const { from, to, easing, fit, reason, track = null, steady = null } = clip;
  return clipObject(
    file.fileName,
    isPhoto(file)
      ? frameRange(placed.sourceIn, placed.end - placed.start, timeline.frameRate)
      : sourceRange(placed, edit),
    isPhoto(file) ? photoReference(edit, clip.take) : mediaReference(media, clip.take),
    { from, to, easing, fit, reason, track, steady, ...(isEdit(timeline) ? { take: clip.take } : {}) },
  );
}

/** The clip's range in its file, in frames of the timeline, which count from the file's start timecode. */
function sourceRange({ clip, start, end }: PlacedClip, { timeline, media }: PlacedEdit): OtioObject {
  const { frameRate } = timeline;
  const fps = framesPerSecond(frameRate);
  const file = media.takes[clip.take];
  const from = Math.round(clip.sourceStartSeconds * fps);
  const frames = isEdit(timeline) ? end - start : Math.round(clip.sourceEndSeconds * fps) - from;
  const range = withinFile({ from, frames }, mediaFrames(file) * (fps / framesPerSecond(file.frameRate)));
  return frameRange(roundedFrames(startFrame(file, frameRate) + range.from), range.frames, frameRate);
}

function photoReference(edit: PlacedEdit, take: number) {
  const { media, timeline } = edit;
  return {
    url: mediaUrl(media, take),
    availableRange: frameRange(0, photoFrames(edit, take), timeline.frameRate),
  };
}

function reachOf({ durationSeconds }: TimelineTransition, rate: FrameRate) {
  const frames = Math.max(2, Math.round(durationSeconds * framesPerSecond(rate)));
  const before = Math.floor(frames / 2);
  return { before, after: frames - before };
}

/** Null: a cut. Takes of an edit may have no frames beyond it; one source continues. */
function transitionInto(index: number, { timeline, transitions }: PlacedEdit): OtioObject | null {
  const planned = timeline.transitions.find(({ clipIndex }) => clipIndex === index);
  if (planned === undefined) return null;
  const placed = transitions.get(index);
  if (isEdit(timeline) && placed === undefined) return null;
  const reach = isEdit(timeline) ? placed! : reachOf(planned, timeline.frameRate);
  const { type, easing, direction = null, color } = planned;
  return transitionObject(
    type,
    // The only type that the format defines; editors show all others as custom ones.
    type === 'dissolve' ? 'SMPTE_Dissolve' : 'Custom_Transition',
    reach,
    timeline.frameRate,
    { type, easing, direction, ...(color === undefined ? {} : { color }) },
  );
}

function markerObject(cue: CaptionCue, rate: FrameRate): OtioObject {
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
