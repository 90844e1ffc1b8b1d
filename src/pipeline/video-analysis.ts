import { Failure } from '../errors.ts';
import { jobConfigSchema } from '../job-config.ts';
import type { StageWork } from '../stage.ts';
import { pictureOf } from './clip-facts.ts';
import { forEachClip } from './each-clip.ts';
import type { Stage, StageTools } from './stage-tools.ts';

/** Decodes each clip once: shots, transitions, colour, captions, and the motion log for a later stage. */
export const videoAnalysis: Stage = async (tools, work) => {
  assertMemory(tools, work);
  return forEachClip(work, (video, onProgress) =>
    pictureOf(tools, video, { signal: work.signal, onProgress }),
  );
};

/** Before minutes of work: what created the job may have had another machine, or none to compare with. */
function assertMemory({ engine }: StageTools, { source, template, style, config }: StageWork): void {
  const refusal = engine.memoryRefusal({
    source,
    template,
    config: jobConfigSchema.parse(config),
    styled: template !== null || style !== null,
  });
  if (refusal !== null) throw new Failure('INPUT_LIMIT_EXCEEDED', refusal);
}
