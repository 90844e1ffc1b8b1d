import { createWriteStream } from 'node:fs';
import { mkdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { JobCreateRequest } from '../client/api-types.ts';
import type { StyleDnaClient } from '../client/client.ts';
import type { DirectOptions } from '../pipeline/direct-results.ts';
import { progressParts } from '../pipeline/stage-tools.ts';
import { placeWhole } from '../pipeline/whole-file.ts';
import type { Edit } from '../studio.ts';
import type { EditSummary } from '../style/model/edit-summary.ts';
import type { Apply } from './apply-work.ts';
import { assertAbsent } from './output-file.ts';
import { sendFile } from './server-client.ts';
import { notOverServer } from './server-option.ts';

/** Of sending template and source, the job, and fetching what it made. */
const WEIGHTS = [4, 8, 84, 4] as const;

/** The same work done by a service: what it is asked for goes there, and what it makes comes here, each file whole or not at all. */
export function applyThere(client: StyleDnaClient): Apply {
  const sent = new Map<string, string>();
  return async (work, { signal, onProgress }) => {
    const [forTemplate, forSource, forJob, forFiles] = progressParts(onProgress, WEIGHTS);
    const request = await sendEdit(client, work, { signal, onProgress: forSource! }, forTemplate!, sent);
    const config = { ...request.config, comparison: work.comparison !== undefined };
    const { job_id } = await client.createJob({ ...request, config }, { signal });
    const cancel = () => void client.cancelJob(job_id).catch(() => {});
    signal.addEventListener('abort', cancel, { once: true });
    const job = await client
      .waitForJob(job_id, { signal, onUpdate: (now) => forJob!(now.progress_percent / 100) })
      .finally(() => signal.removeEventListener('abort', cancel));
    await save(await client.getOutput(job_id, { signal }), work.output);
    const files = [work.output];
    const fetchTo = async (name: string, path: string) => {
      await save(await client.getArtifact(job_id, name, { signal }), path);
      files.push(path);
    };
    if (work.comparison !== undefined) await fetchTo('comparison.mp4', work.comparison);
    if (work.artifacts !== undefined) {
      await mkdir(work.artifacts, { recursive: true });
      for (const { name } of job.artifacts) {
        const path = join(work.artifacts, name);
        // The service may be of a later version, with other names than those that were checked before.
        if (!files.includes(path)) await assertAbsent([path], work.overwrite);
        await fetchTo(name, path);
      }
    }
    forFiles!(1);
    return { summary: job.summary as EditSummary | null, warnings: job.warnings, files, figures: {} };
  };
}

type EditRequest = Pick<
  JobCreateRequest,
  'video_id' | 'template_video_id' | 'style_json' | 'preset' | 'config'
>;

/** What a job or a preview is asked for with. `sent`: templates that are there already, by their paths. Throws `Failure`. */
export async function sendEdit(
  client: StyleDnaClient,
  { source, look, config = {}, captions }: Edit,
  options: Required<DirectOptions>,
  forTemplate: (fraction: number) => void,
  sent = new Map<string, string>(),
): Promise<EditRequest> {
  if (look !== null && 'cube' in look) throw notOverServer('--cube');
  const { signal } = options;
  let template: string | null = null;
  if (look !== null && 'template' in look) {
    const known = sent.get(look.template);
    template = known ?? (await sendFile(client, look.template, { signal, onProgress: forTemplate }));
    sent.set(look.template, template);
  }
  const video_id = await sendFile(client, source, options);
  if (captions !== undefined)
    await client.putCaptions(video_id, await readFile(captions, 'utf8'), { signal });
  return {
    video_id,
    config: config as EditRequest['config'],
    ...(template === null ? {} : { template_video_id: template }),
    ...(look !== null && 'style' in look ? { style_json: look.style as EditRequest['style_json'] } : {}),
    ...(look !== null && 'preset' in look ? { preset: look.preset as EditRequest['preset'] } : {}),
  };
}

/** Writes an answer's body. */
export function save(response: Response, file: string): Promise<void> {
  return placeWhole(file, (beside) =>
    pipeline(
      Readable.fromWeb(response.body as Parameters<typeof Readable.fromWeb>[0]),
      createWriteStream(beside),
    ),
  );
}
