import { createHash } from 'node:crypto';
import { buffer } from 'node:stream/consumers';
import { isUnusableInput } from '../errors.ts';
import { type JobConfig, jobConfigSchema } from '../job-config.ts';
import type { JobWork, VideoReference } from '../stage.ts';
import { captionsBlobKey } from '../storage/blob-names.ts';
import type { Style } from '../style/model/schema.ts';
import { wantsCaptions } from '../style/plan/captions.ts';
import { clipFactsOf, localClip } from './clip-facts.ts';
import type { PlannedEdit } from './direct-results.ts';
import { contentHash } from './results.ts';
import type { Stage, WorkTools } from './stage-tools.ts';
import { styleOf } from './style-extraction.ts';

/** Maps the style onto the source: the plan as data. */
export const styleApplication: Stage = async (tools, work) => {
  const plan = await planOf(tools, work);
  return { warnings: plan.warnings };
};

/** The plan of a job, kept by all that it depends on. */
export async function planOf(tools: WorkTools, work: JobWork): Promise<PlannedEdit> {
  const config = jobConfigSchema.parse(work.config);
  const style = await appliedStyleOf(tools, work);
  const { quality, resolution, framing, style_strength, components, pacing, seed } = config;
  const deciding = { quality, resolution, framing, style_strength, components, pacing, seed };
  const template = style === null || work.template === null ? null : work.template;
  const captions = await captionsOf(tools, work.source, style, config);
  const content = `${work.source.sha256}-${contentHash(template?.sha256 ?? null, style, deciding, captions?.sha256)}`;
  const kept = await tools.results.load<PlannedEdit>('plan', content);
  if (kept !== undefined) return kept;
  const source = await clipFactsOf(tools, work.source, { signal: work.signal });
  const templateFacts =
    template === null ? null : await clipFactsOf(tools, template, { signal: work.signal });
  await using file = captions === null ? null : await localClip(tools, captions, work.signal);
  const input = captions === null || file === null ? null : { origin: captions.origin, path: file.path };
  const plan = await tools.engine.run(
    'plan',
    { source, style, template: templateFacts, config, captions: input },
    { signal: work.signal, onProgress: work.onProgress },
  );
  await tools.results.save('plan', content, plan);
  return plan;
}

/** Where the words are that the plan may show: in the file that was sent for the video, else in its own text track. */
async function captionsOf(
  { blobs, patiently }: WorkTools,
  { videoId, blobKey, sha256 }: VideoReference,
  style: Style | null,
  config: JobConfig,
) {
  const fileKey = captionsBlobKey(videoId);
  if (wantsCaptions(style, config, 'file')) {
    const bytes = await patiently(async () =>
      (await blobs.head(fileKey)) === null ? null : buffer(await blobs.get(fileKey)),
    );
    if (bytes !== null) {
      const hash = createHash('sha256').update(bytes);
      return { origin: 'file', blobKey: fileKey, sha256: hash.digest('hex') } as const;
    }
  }
  return wantsCaptions(style, config, 'track') ? ({ origin: 'track', blobKey, sha256 } as const) : null;
}

/** Null: nothing to apply. Without a template the reported style is the source's own, which is not applied to it. */
async function appliedStyleOf(tools: WorkTools, work: JobWork): Promise<Style | null> {
  if (work.style === null && work.template === null) return null;
  return reportedStyleOf(tools, work);
}

/** The style of a job's result; null where the extraction failed, of which a warning was given then. */
export async function reportedStyleOf(tools: WorkTools, work: JobWork): Promise<Style | null> {
  try {
    return await styleOf(tools, work);
  } catch (error) {
    if (isUnusableInput(error)) return null;
    throw error;
  }
}
