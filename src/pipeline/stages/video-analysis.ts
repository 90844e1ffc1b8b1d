import { picturedTemplate } from '../../domain/stage.ts';
import type { Style } from '../../style/model/schema.ts';
import { videoOf } from './clip-facts.ts';
import { forEachClip, takesOf } from './each-clip.ts';
import { progressParts, type Stage } from './stage-tools.ts';
import { analyseTakes } from './take-analysis.ts';

/** Shares of measuring the takes together and of the remaining clips, which are the template and takes from the cache. */
const TAKES_WEIGHTS = [85, 15];

/** Decodes each clip once: shots, transitions, color, captions, and the motion log for a later stage. */
export const videoAnalysis: Stage = async (tools, work) => {
  const template = picturedTemplate(work);
  const { config, style } = work;
  // Before minutes of work: the process that created the job may run on a machine with more memory.
  for (const source of takesOf(work))
    tools.engine.assertMemory({ source, template, config, style: style as Style | null });
  const [forTakes, forClips] = progressParts(
    work.onProgress,
    work.edit === undefined ? [0, 1] : TAKES_WEIGHTS,
  );
  await analyseTakes(tools, { ...work, onProgress: forTakes! });
  return forEachClip(tools, { ...work, template, onProgress: forClips! }, (video, onProgress) =>
    videoOf(tools, video, { signal: work.signal, onProgress }),
  );
};
