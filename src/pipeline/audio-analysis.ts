import { soundOf } from './clip-facts.ts';
import { forEachClip, mediaSecondsOf } from './each-clip.ts';
import type { Stage } from './stage-tools.ts';

/** Loudness, spectrum, onsets, tempo, beats, speech, fingerprint of each clip. */
export const audioAnalysis: Stage = (tools, work) =>
  forEachClip(work, async (video, onProgress) => {
    const mediaSeconds = await mediaSecondsOf(tools, video, work.signal);
    await soundOf(tools, video, { signal: work.signal, onProgress, mediaSeconds });
  });
