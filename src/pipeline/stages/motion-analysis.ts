import { picturedTemplate } from '../../domain/stage.ts';
import { motionOf } from './clip-facts.ts';
import { forEachClip } from './each-clip.ts';
import type { Stage } from './stage-tools.ts';

/** Camera, subjects and pace of each clip, from the motion log of the first stage. */
export const motionAnalysis: Stage = (tools, work) =>
  forEachClip(tools, { ...work, template: picturedTemplate(work) }, (video, onProgress) =>
    motionOf(tools, video, { signal: work.signal, onProgress }),
  );
