import type { VideoFacts } from '../../analysis/facts.ts';
import { Failure } from '../../domain/errors.ts';
import type { TimeRange } from '../../domain/time-range.ts';

/**
 * Facts of a video with box and animation of its largest title: of more frames than those that the detectors read. `startSeconds`: of the
 * measured part in the file. Without what cannot be read again: the detectors have reported damage.
 */
export async function withTitleDetails(
  path: string,
  facts: VideoFacts,
  startSeconds: number,
): Promise<VideoFacts> {
  const { titleStyle } = facts.captions;
  if (titleStyle === undefined || facts.isStill) return facts;
  const { TitleMeter, titleLines, titleRanges } = await import('../../analysis/captions/title-meter.ts');
  const { titlePictures } = await import('../../media/read/title-pictures.ts');
  const { sample } = titleStyle;
  const meter = new TitleMeter(
    sample,
    facts.transitions.filter(({ type }) => type !== 'cut'),
  );
  const ranges = titleRanges(sample).map(
    ([from, to]): TimeRange => [from + startSeconds, Math.min(to, facts.durationSeconds) + startSeconds],
  );
  try {
    for await (const { timeSeconds, picture } of titlePictures(path, ranges, titleLines(sample, facts)))
      meter.push(timeSeconds - startSeconds, picture);
  } catch (error) {
    if (error instanceof Failure) return facts;
    throw error;
  }
  return {
    ...facts,
    captions: { ...facts.captions, titleStyle: { ...titleStyle, ...meter.finish() } },
  };
}
