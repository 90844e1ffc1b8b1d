/** Task `join`: an output from its rendered parts, with its pictures. */
import { framesPerSecond } from '../../domain/time.ts';
import { join } from '../../render/join.ts';
import { joinedPictures } from '../../render/previews/joined-pictures.ts';
import { sha256Of } from '../../render/verify/file-hash.ts';
import { outputPreviewOf, outputStills } from './output-preview.ts';
import type { TaskInput, TaskOutput } from './tasks.ts';

/** Share of the running time spent on the file; the rest is for its pictures. */
const FILE_SHARE = 0.7;

export async function joinParts(
  request: TaskInput<'join'>,
  onProgress: (fraction: number) => void,
): Promise<TaskOutput<'join'>> {
  const output = await join(request, (part) => onProgress(FILE_SHARE * part));
  const { timeline, segments, posterPath, filmstripPath, outputPreview: wanted } = request;
  const stills = await joinedPictures({
    ...{ segments, size: timeline, rate: framesPerSecond(timeline.frameRate), posterPath, filmstripPath },
    ...(wanted === undefined ? {} : { stills: outputStills(wanted) }),
  });
  const outputPreview =
    wanted === undefined ? null : await outputPreviewOf(request, output.durationSeconds, stills, wanted);
  onProgress(1);
  return { ...output, outputPreview, sha256: await sha256Of(request.outputPath) };
}
