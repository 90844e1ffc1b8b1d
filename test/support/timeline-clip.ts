import { type Clip, type Timeline, wholeClip } from '../../src/style/model/timeline.ts';

/** A clip with the whole picture and a fixed framing; `change` overrides its fields. */
export function timelineClip(
  sourceStartSeconds: number,
  sourceEndSeconds: number,
  change: Partial<Clip> = {},
): Clip {
  return { ...wholeClip(sourceStartSeconds, sourceEndSeconds), ...change };
}

/** Sixteen pixels square, ten frames a second, of the clips alone. */
export function timelineOf(clips: readonly Clip[], transitions: Timeline['transitions'] = []): Timeline {
  return {
    version: 2,
    frameRate: { numerator: 10, denominator: 1 },
    width: 16,
    height: 16,
    clips,
    transitions,
    takes: [{ grade: null }],
    audio: null,
    captions: [],
  };
}
