import { type AudioPlan, timelineDurationSeconds, wholeClip } from '../../../src/style/model/timeline.ts';
import type { PlayedFiles } from './playback-plan.ts';

/** Of a rendered output: the sound that is heard. */
export type SoundSide = 'before' | 'after';

const UNCHANGED: AudioPlan = { equalizer: [], compressor: null, targetLufs: null, truePeakDbtp: null };

/** The files and positions of the sound: those of the plan; next to a rendered output its own sound, or that of the takes in their places. */
export function soundOf(files: PlayedFiles, side: SoundSide): PlayedFiles {
  const { timeline, takes, output } = files;
  if (output === undefined) return files;
  const { sound: _, ...plain } = { ...timeline, audio: UNCHANGED };
  if (side === 'after') {
    const clips = [wholeClip(0, timelineDurationSeconds(timeline))];
    return { timeline: { ...plain, clips, transitions: [] }, takes: [output], music: null };
  }
  if (takes.length === 1) return { timeline: plain, takes, music: null };
  let end = 0;
  const spans = timeline.clips.map(({ take, sourceStartSeconds, sourceEndSeconds }) => {
    const startSeconds = end;
    end += sourceEndSeconds - sourceStartSeconds;
    const span = { source: take, sourceStartSeconds, startSeconds, endSeconds: end };
    return { ...span, gainDb: 0, fadeInSeconds: 0, fadeOutSeconds: 0 };
  });
  return { timeline: { ...plain, sound: { spans, musicGain: [] } }, takes, music: null };
}
