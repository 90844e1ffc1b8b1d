import { audioOf } from './clip-facts.ts';
import { forEachClip } from './each-clip.ts';
import type { Stage } from './stage-tools.ts';

/** Loudness, spectrum, onsets, tempo, beats, speech, fingerprint of each clip. */
export const audioAnalysis: Stage = (tools, work) =>
  forEachClip(
    tools,
    work,
    (video, onProgress) => audioOf(tools, video, { signal: work.signal, onProgress }),
    work.edit?.music == null ? [] : [work.edit.music],
  );
