import type { StyleDnaClient } from '../client/client.ts';
import { Failure } from '../domain/errors.ts';
import { progressParts } from '../pipeline/stages/stage-tools.ts';
import { receivedShare } from '../received/received-progress.ts';
import { receivedStyle } from '../received/received-style.ts';
import type { MeasureOptions } from '../studio.ts';
import type { Style } from '../style/model/schema.ts';
import { sendFile } from './server-client.ts';

/** Progress weights: sending a clip, and measuring it. */
const WEIGHTS = [15, 85] as const;

export type Measuring = MeasureOptions & Required<Pick<MeasureOptions, 'signal' | 'onProgress'>>;

/** The Style DNA of a clip, measured by a service. Throws the service's error. */
export async function styleThere(
  client: StyleDnaClient,
  path: string,
  { signal, onProgress, partSeconds }: Measuring,
): Promise<{ readonly videoId: string; readonly style: Style }> {
  const [forSending, forMeasuring] = progressParts(onProgress, WEIGHTS);
  const videoId = await sendFile(client, path, { signal, onProgress: forSending });
  const analysis = await client.waitForAnalysis(videoId, {
    ...{ signal, partSeconds },
    onUpdate: ({ progress_percent }) => forMeasuring(receivedShare(progress_percent)),
  });
  const style = receivedStyle(analysis);
  if (style === null) throw new Failure('INPUT_UNSUPPORTED', `The service found no style in "${path}"`);
  return { videoId, style };
}
