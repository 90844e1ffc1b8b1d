import type { StyleDnaClient } from '../client/client.ts';
import { Failure } from '../domain/errors.ts';
import { progressParts } from '../pipeline/stages/stage-tools.ts';
import type { MeasureOptions } from '../studio.ts';
import { type Style, styleSchema } from '../style/model/schema.ts';
import { check } from '../untrusted/check.ts';
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
  const { style_json } = await client.waitForAnalysis(videoId, {
    ...{ signal, partSeconds },
    onUpdate: ({ progress_percent }) => forMeasuring(progress_percent / 100),
  });
  const style = check(styleSchema, style_json);
  if (!style.success) throw new Failure('INPUT_UNSUPPORTED', `The service found no style in "${path}"`);
  return { videoId, style: style.data };
}
