import { mkdir, readFile } from 'node:fs/promises';
import type { JobCreateRequest } from '../client/api-types.ts';
import type { StyleDnaClient } from '../client/client.ts';
import type { DirectOptions } from '../pipeline/engine/direct-results.ts';
import { progressParts } from '../pipeline/stages/stage-tools.ts';
import { receiveFile } from '../received/received-file.ts';
import { type ReceivedJob, receivedJob } from '../received/received-job.ts';
import { receivedPath } from '../received/received-name.ts';
import { receivedShare } from '../received/received-progress.ts';
import type { Edit } from '../studio.ts';
import type { Apply, ApplyWork } from './apply-work.ts';
import { assertAbsent, assertOther } from './output-file.ts';
import { sendFile } from './server-client.ts';
import { notOverServer } from './server-option.ts';

/** Progress weights: sending template and source, the job, and fetching its files. */
const WEIGHTS = [4, 8, 84, 4] as const;

/** Lets a service do the work of `apply`: sends the videos, and fetches the results; each file appears when it is complete. */
export function applyThere(client: StyleDnaClient): Apply {
  const sent = new Map<string, string>();
  return async (work, { signal, onProgress }) => {
    const [forTemplate, forSource, forJob, forFiles] = progressParts(onProgress, WEIGHTS);
    const request = await sendEdit(client, work, { signal, onProgress: forSource }, forTemplate, sent);
    const config = { ...request.config, comparison: work.comparison !== undefined };
    const { job_id } = await client.createJob({ ...request, config }, { signal });
    const cancel = () => void client.cancelJob(job_id).catch(() => {});
    signal.addEventListener('abort', cancel, { once: true });
    const job = await client
      .waitForJob(job_id, { signal, onUpdate: (now) => forJob(receivedShare(now.progress_percent)) })
      .finally(() => signal.removeEventListener('abort', cancel));
    const { artifacts, warnings, summary } = receivedJob(job);
    const places = artifactPlaces(artifacts, work);
    for (const { path } of places) await assertOther(path, [work.output, ...filesRead(work)]);
    // A service of a later version can return other names than those that were checked before.
    await assertAbsent(
      places.map(({ path }) => path),
      work.overwrite,
    );
    await receiveFile(await client.getOutput(job_id, { signal }), work.output, { signal });
    if (work.artifacts !== undefined) await mkdir(work.artifacts, { recursive: true });
    for (const { name, path, sizeBytes } of places)
      await receiveFile(await client.getArtifact(job_id, name, { signal }), path, { sizeBytes, signal });
    forFiles(1);
    return { summary, warnings, files: [work.output, ...places.map(({ path }) => path)], figures: {} };
  };
}

interface ArtifactPlace {
  readonly name: string;
  readonly path: string;
  readonly sizeBytes: number | null;
}

/**
 * Paths of the files beside the output; all names are checked before the first file is written. Throws `StyleDnaError`.
 */
function artifactPlaces(
  artifacts: ReceivedJob['artifacts'],
  { comparison, artifacts: folder }: ApplyWork,
): readonly ArtifactPlace[] {
  const side = { name: 'comparison.mp4', sizeBytes: null };
  return [
    ...(comparison === undefined ? [] : [{ ...side, path: comparison }]),
    ...(folder === undefined ? [] : artifacts).map(({ name, size_bytes: sizeBytes }) => ({
      ...{ name, sizeBytes },
      path: receivedPath(folder!, name),
    })),
  ];
}

/** The input files, which no file of a service may replace. */
function filesRead({ source, look, captions }: ApplyWork): readonly string[] {
  const template = look !== null && 'template' in look ? [look.template] : [];
  return [source, ...template, ...(captions === undefined ? [] : [captions])];
}

type EditRequest = Pick<
  JobCreateRequest,
  'video_id' | 'template_video_id' | 'style_json' | 'preset' | 'config'
>;

/** The request of a job or a preview. `sent`: templates that the service already has, by their paths. Throws `Failure`. */
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
