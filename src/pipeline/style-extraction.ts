import { isUnusableInput } from '../errors.ts';
import type { StageWork, VideoReference } from '../stage.ts';
import { type Style, styleSchema } from '../style/model/schema.ts';
import { clipFactsOf, soundOf } from './clip-facts.ts';
import { NO_WARNINGS, type Stage, type StageTools } from './stage-tools.ts';

/** The Style DNA of the template, or of the source where there is none. A failure costs the style, not the job. */
export const styleExtraction: Stage = async (tools, work) => {
  try {
    await styleOf(tools, work);
    return NO_WARNINGS;
  } catch (error) {
    if (work.signal.aborted || !isUnusableInput(error)) {
      throw error;
    }
    const message = `The style could not be extracted, so it is not applied: ${error.detail}`;
    return { warnings: [{ code: 'STYLE_EXTRACTION_FAILED', message }] };
  }
};

/** The Style DNA that a job reports: the client's own, the template's, or the source's. */
export async function styleOf(tools: StageTools, work: StageWork): Promise<Style> {
  if (work.style !== null) return styleSchema.parse(work.style);
  return extractedStyleOf(tools, work.template ?? work.source, work);
}

async function extractedStyleOf(tools: StageTools, video: VideoReference, work: StageWork): Promise<Style> {
  const kept = await tools.results.load<Style>('style', video.sha256);
  if (kept !== undefined) return kept;
  const facts = await clipFactsOf(tools, video, work.signal);
  const options = { signal: work.signal, onProgress: work.onProgress };
  const fingerprint = (await soundOf(tools, video, options))?.fingerprint ?? null;
  const style = await tools.engine.run('style', { facts, fingerprint, createdAt: new Date() }, options);
  await tools.results.save('style', video.sha256, style);
  return style;
}
