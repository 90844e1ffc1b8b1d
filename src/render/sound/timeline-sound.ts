import type { Timeline } from '../../style/model/timeline.ts';
import { AssembledSound } from './assembled-sound.ts';
import { MixedSound } from './mixed-sound.ts';
import type { OutputSound, SoundFiles } from './output-sound.ts';

/** The sound of the only take, cut like its picture, or the mix of an edit. */
export function timelineSound(timeline: Timeline, { takePaths, musicPath }: SoundFiles): OutputSound {
  return timeline.sound === undefined
    ? new AssembledSound(takePaths[0], timeline)
    : new MixedSound(timeline, timeline.sound, takePaths, musicPath);
}
