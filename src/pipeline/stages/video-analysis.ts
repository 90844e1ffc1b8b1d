import type { Style } from '../../style/model/schema.ts';
import { videoOf } from './clip-facts.ts';
import { forEachClip, takesOf } from './each-clip.ts';
import type { Stage } from './stage-tools.ts';

/** Decodes each clip once: shots, transitions, colour, captions, and the motion log for a later stage. */
export const videoAnalysis: Stage = async (tools, work) => {
  const { template, style } = work;
  // Before minutes of work: the process that created the job may run on a machine with more memory.
  for (const source of takesOf(work))
    tools.engine.assertMemory({ source, template, config: work.config, style: style as Style | null });
  return forEachClip(work, (video, onProgress) => videoOf(tools, video, { signal: work.signal, onProgress }));
};
