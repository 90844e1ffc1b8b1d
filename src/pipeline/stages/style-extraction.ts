import { isUnusableInput } from '../../domain/errors.ts';
import { isSound, type JobWork, type VideoReference } from '../../domain/stage.ts';
import { contentKey } from '../../domain/time-range.ts';
import { type Style, styleSchema } from '../../style/model/schema.ts';
import { audioOf, clipFactsOf, soundFileOf, styleOfFacts, styleOfSound } from './clip-facts.ts';
import { NO_WARNINGS, type Stage, type WorkTools } from './stage-tools.ts';

/** The Style DNA of the template, or of the source where there is none. A failure costs the style, not the job. */
export const styleExtraction: Stage = async (tools, work) => {
  try {
    await styleOf(tools, work);
    return NO_WARNINGS;
  } catch (error) {
    if (work.signal.aborted || !isUnusableInput(error)) {
      throw error;
    }
    const message = `The style was not applied, because it could not be extracted: ${error.detail}`;
    return { warnings: [{ code: 'STYLE_EXTRACTION_FAILED', message }] };
  }
};

/** The Style DNA that a job reports: the client's own, the template's, or the source's. */
export async function styleOf(tools: WorkTools, work: JobWork): Promise<Style> {
  if (work.style !== null) return styleSchema.parse(work.style);
  return extractedStyleOf(tools, work.template ?? work.source, work);
}

async function extractedStyleOf(tools: WorkTools, video: VideoReference, work: JobWork): Promise<Style> {
  const content = contentKey(video);
  const cached = await tools.results.load<Style>('style', content);
  if (cached !== undefined) return cached;
  const options = { signal: work.signal, onProgress: work.onProgress };
  const style = await (isSound(video) ? styleOfSoundFile : styleOfClip)(tools, video, options);
  await tools.results.save('style', content, style);
  return style;
}

type StyleOptions = Pick<JobWork, 'signal' | 'onProgress'>;

async function styleOfSoundFile(
  tools: WorkTools,
  file: VideoReference,
  options: StyleOptions,
): Promise<Style> {
  return styleOfSound(tools.engine, await soundFileOf(tools, file, options), options);
}

async function styleOfClip(tools: WorkTools, video: VideoReference, options: StyleOptions): Promise<Style> {
  const facts = await clipFactsOf(tools, video, { signal: options.signal, withStyle: true });
  // One child may have measured both.
  const made = await tools.results.load<Style>('style', contentKey(video));
  if (made !== undefined) return made;
  const fingerprint = (await audioOf(tools, video, options))?.fingerprint ?? null;
  return styleOfFacts(tools.engine, { facts, fingerprint }, options);
}
