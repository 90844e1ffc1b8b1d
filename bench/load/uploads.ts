/**
 * Large uploads, several at a time: memory of the node, rate, and whether each file is there as it was sent. On the disk, or with `--s3`
 * and the `TEST_S3_…` variables in a bucket. `node bench/load/uploads.ts [--mib 5120] [--at-once 1] [--s3]`. Linux only; it
 * needs space for the files, on S3 also for their copies for the probe.
 */
import { createHash } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { newBucket, s3Environment } from '../../test/support/s3.ts';
import { processCpuSeconds, residentBytes } from '../lib/process-figures.ts';
import { conditionsInWords, currentConditions, saveResult, table } from '../lib/report.ts';
import { serve, stop } from '../lib/served.ts';
import { type Body, bodyOf, bytesOf, piecesOf, sendResumably } from '../lib/upload-client.ts';

const SAMPLE_MS = 100;

const { values } = parseArgs({
  options: {
    mib: { type: 'string', default: '5120' },
    'at-once': { type: 'string', default: '1' },
    s3: { type: 'boolean', default: false },
    'no-save': { type: 'boolean', default: false },
  },
});

function sha256Of(body: Body): string {
  const hash = createHash('sha256');
  for (const piece of piecesOf(body)) hash.update(piece);
  return hash.digest('hex');
}

async function main(): Promise<void> {
  const conditions = currentConditions();
  const folder = mkdtempSync(join(tmpdir(), 'styledna-bench-'));
  await using stack = new AsyncDisposableStack();
  stack.defer(() => rmSync(folder, { recursive: true, force: true }));
  const service = await serve(join(folder, 'data'), {
    WORKER_CONCURRENCY: '0',
    MAX_UPLOAD_BYTES: String(2 ** 40),
    ...(values.s3 ? s3Environment(await newBucket()) : {}),
  });
  stack.defer(() => stop(service));
  const body = await bodyOf(folder, Number(values.mib));
  const expected = sha256Of(body);

  const before = residentBytes(service.pid);
  const memory: number[] = [];
  const sampling = setInterval(() => memory.push(residentBytes(service.pid)), SAMPLE_MS);
  const [cpuBefore, startedMs] = [processCpuSeconds(service.pid), performance.now()];
  const uploads = Array.from({ length: Number(values['at-once']) }, () =>
    sendResumably(service.baseUrl, body),
  );
  const videoIds = await Promise.all(uploads);
  const seconds = (performance.now() - startedMs) / 1000;
  clearInterval(sampling);
  for (const videoId of videoIds) {
    const { data } = (await (await fetch(`${service.baseUrl}/api/v1/videos/${videoId}`)).json()) as {
      data: { sha256: string; size_bytes: number };
    };
    if (data.sha256 !== expected || data.size_bytes !== bytesOf(body))
      throw new Error(`${videoId} is not what was sent`);
    await fetch(`${service.baseUrl}/api/v1/videos/${videoId}`, { method: 'DELETE' });
  }
  const quarter = (index: number) =>
    Math.max(...memory.slice((index * memory.length) / 4, ((index + 1) * memory.length) / 4));
  const quarters = [0, 1, 2, 3].map(quarter);
  const cpuSeconds = processCpuSeconds(service.pid) - cpuBefore;
  const megabytesPerSecond = (bytesOf(body) * videoIds.length) / 1e6 / seconds;
  const megabytes = (bytes: number) => (bytes / 1e6).toFixed(0);
  console.log(conditionsInWords(conditions));
  console.log(
    table(
      ['uploads', 'MiB each', 'on', 'MB/s', 'CPU s of the node', 'MB before', 'most MB, by quarter'],
      [
        [
          ...[String(videoIds.length), values.mib, values.s3 ? 'S3' : 'disk'],
          ...[megabytesPerSecond.toFixed(0), cpuSeconds.toFixed(1), megabytes(before)],
          quarters.map(megabytes).join(', '),
        ],
      ],
    ),
  );
  const figures = { uploads: videoIds.length, mib: Number(values.mib), s3: values.s3 };
  if (!values['no-save'])
    saveResult(`uploads-${videoIds.length}-on-${values.s3 ? 's3' : 'disk'}`, {
      conditions,
      figures: { ...figures, megabytesPerSecond, cpuSeconds, before, quarters },
    });
}

await main();
