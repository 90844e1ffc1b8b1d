import type { VideoFacts } from '../../analysis/facts.ts';
import type { TimeRange } from '../../domain/time-range.ts';

/** Facts of a video with box and animation of its largest title, which other frames show than those that all detectors read. */
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
  const blends = facts.transitions.filter(({ type }) => type !== 'cut');
  const meter = new TitleMeter(sample, blends);
  const ranges = titleRanges(sample).map(
    ([from, to]): TimeRange => [from + startSeconds, Math.min(to, facts.durationSeconds) + startSeconds],
  );
  for await (const { timeSeconds, picture } of titlePictures(path, ranges, titleLines(sample, facts)))
    meter.push(timeSeconds - startSeconds, picture);
  return {
    ...facts,
    captions: { ...facts.captions, titleStyle: { ...titleStyle, ...meter.finish() } },
  };
}
