import { pictureOf } from './clip-facts.ts';
import { forEachClip } from './each-clip.ts';
import type { Stage } from './stage-tools.ts';

/** Decodes each clip once: shots, transitions, colour, captions, and the motion log for a later stage. */
export const videoAnalysis: Stage = (tools, work) =>
  forEachClip(work, (video, onProgress) => pictureOf(tools, video, { signal: work.signal, onProgress }));
