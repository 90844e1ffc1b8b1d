/** The sound of an edit in an OpenTimelineIO file. */
import { type FrameRate, framesPerSecond } from '../../domain/time.ts';
import type { SoundMix, Timeline } from '../model/timeline.ts';
import {
  clipObject,
  frameRange,
  gapObject,
  type OtioObject,
  type OtioReference,
  roundedFrames,
  timeRange,
  trackObject,
  transitionObject,
} from './otio-objects.ts';
import { type PlacedSpan, soundTracks } from './sound-tracks.ts';
import { mediaFrames, mediaUrl, type TimelineMedia } from './source-media.ts';
import { startFrame } from './timecode.ts';

/** A fade of fewer frames is under metadata alone. */
const MIN_FADE_FRAMES = 2;

/**
 * Tracks of takes and of the song, with gaps between their clips. The format has no gain: it is under `metadata.styledna`, in dB, with the
 * song's ducking. A fade is a transition from or to a gap, as the format defines it.
 */
export function otioSound(timeline: Timeline, sound: SoundMix, media: TimelineMedia): OtioObject[] {
  return soundTracks(timeline, sound, media).map(({ kind, spans }, index) => {
    const children: OtioObject[] = [];
    let end = 0;
    for (const placed of spans) {
      const { before, after } = fadesOf(placed, timeline.frameRate);
      if (placed.start > end || before !== null)
        children.push(gapObject(placed.start - end, timeline.frameRate));
      if (before !== null) children.push(before);
      children.push(soundClip(placed, timeline, sound, media));
      // The gap after it is that before the next clip: spans of one track do not touch.
      if (after !== null) children.push(after);
      end = placed.end;
    }
    if (children.at(-1)!['OTIO_SCHEMA'] === 'Transition.1') children.push(gapObject(0, timeline.frameRate));
    return trackObject(kind === 'music' ? 'Music' : `A${index + 1}`, 'Audio', children);
  });
}

/** The file of a take with its whole range, which begins at its start timecode, and its reel as EDLs name it. */
export function mediaReference(media: TimelineMedia, take: number): OtioReference {
  const file = media.takes[take];
  const { frameRate, startTimecode, reelName } = file;
  return {
    url: mediaUrl(media, take),
    availableRange: frameRange(roundedFrames(startFrame(file, frameRate)), mediaFrames(file), frameRate),
    metadata: {
      ...(startTimecode !== undefined && { styledna: { startTimecode: startTimecode.text } }),
      ...(reelName !== undefined && { cmx_3600: { reel: reelName } }),
    },
  };
}

function soundClip(
  { span, start, end, sourceStartSeconds }: PlacedSpan,
  { frameRate }: Timeline,
  { musicGain }: SoundMix,
  media: TimelineMedia,
): OtioObject {
  const { source, gainDb, fadeInSeconds, fadeOutSeconds } = span;
  const { fileName } = source === 'music' ? media.music! : media.takes[source];
  const first = source === 'music' ? 0 : startFrame(media.takes[source], frameRate);
  const from = roundedFrames(first + sourceStartSeconds * framesPerSecond(frameRate));
  return clipObject(
    fileName,
    frameRange(from, end - start, frameRate),
    source === 'music'
      ? {
          url: mediaUrl(media, source),
          availableRange: timeRange(0, media.music!.durationSeconds, frameRate),
        }
      : mediaReference(media, source),
    { gainDb, fadeInSeconds, fadeOutSeconds, ...(source === 'music' ? { musicGain } : {}) },
  );
}

function fadesOf({ span, start, end }: PlacedSpan, rate: FrameRate) {
  const framesOf = (seconds: number) =>
    Math.min((end - start) >> 1, Math.round(seconds * framesPerSecond(rate)));
  const [into, out] = [framesOf(span.fadeInSeconds), framesOf(span.fadeOutSeconds)];
  const fade = (name: string, reach: { readonly before: number; readonly after: number }) =>
    transitionObject(name, 'SMPTE_Dissolve', reach, rate, { type: name });
  return {
    before: into < MIN_FADE_FRAMES ? null : fade('fade_in', { before: 0, after: into }),
    after: out < MIN_FADE_FRAMES ? null : fade('fade_out', { before: out, after: 0 }),
  };
}
