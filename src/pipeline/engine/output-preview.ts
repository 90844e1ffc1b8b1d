import type { Still } from '../../domain/footage.ts';
import { readEnvelope } from '../../media/read/envelope.ts';
import type { ThumbnailSelection } from '../../media/read/thumbnails.ts';
import type { Timeline } from '../../style/model/timeline.ts';
import type { OutputPreview, OutputPreviewInput } from './tasks.ts';

export function outputStills(wanted: OutputPreviewInput): ThumbnailSelection {
  return { timesSeconds: wanted.stillTimesSeconds, areaPixels: wanted.stillAreaPixels };
}

/** The stills of a rendered output with the curve of its sound. */
export async function outputPreviewOf(
  { outputPath, timeline }: { readonly outputPath: string; readonly timeline: Timeline },
  durationSeconds: number,
  stills: readonly Still[],
  { envelopeColumns: columns }: OutputPreviewInput,
): Promise<OutputPreview> {
  const request = { durationSeconds, columns, onProgress: () => {} };
  const envelope = timeline.audio === null ? null : await readEnvelope(outputPath, request);
  return { stills, envelope };
}
