/**
 * Uploads a video, applies a preset or a template's style, follows the job, verifies the webhook that it ends with, and downloads
 * the result. Node 24 runs it as it is:
 *
 *   npm install styledna
 *   node main.ts holiday.mp4 noir output.mp4
 *
 * STYLEDNA_URL: where the service is. It may call this machine when it runs with WEBHOOK_ALLOWED_NETWORKS=127.0.0.0/8.
 */
import { createWriteStream, existsSync, openAsBlob } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { basename } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { isStyleDnaError, type JobCreateRequest, StyleDnaClient, verifyWebhook } from 'styledna/client';

const [source, look, output] = process.argv.slice(2);
if (source === undefined || look === undefined || output === undefined) {
  console.error('Usage: node main.ts SOURCE PRESET_OR_TEMPLATE OUTPUT');
  process.exit(2);
}
const client = new StyleDnaClient({ baseUrl: process.env['STYLEDNA_URL'] ?? 'http://127.0.0.1:8080' });

/** Resumes after a broken connection. */
async function uploaded(path: string): Promise<string> {
  const upload = client.upload(await openAsBlob(path), {
    filename: basename(path),
    onProgress: ({ sentBytes, totalBytes }) => console.log(`${path}: ${sentBytes} of ${totalBytes} bytes`),
  });
  return (await upload.done).video_id;
}

const { secrets } = await client.getWebhookSecret();
const receiver = createServer(async (request, response) => {
  const parts: Buffer[] = [];
  for await (const part of request) parts.push(part as Buffer);
  try {
    // As it came, byte for byte.
    const event = await verifyWebhook(Buffer.concat(parts), request.headers, secrets);
    console.log(`webhook: ${event.type} of ${event.data.job_id}`);
    response.writeHead(204).end();
  } catch (error) {
    console.error(String(error));
    response.writeHead(400).end();
  }
  receiver.close();
});
await new Promise<void>((resolve) => receiver.listen(0, '127.0.0.1', resolve));
const { port } = receiver.address() as AddressInfo;

try {
  const style = existsSync(look)
    ? { template_video_id: await uploaded(look) }
    : { preset: look as NonNullable<JobCreateRequest['preset']> };
  const job = await client.createJob({
    video_id: await uploaded(source),
    ...style,
    config: { quality: 'medium' },
    webhook_url: `http://127.0.0.1:${port}/`,
  });
  const result = await client.waitForJob(job.job_id, {
    onUpdate: ({ current_stage, progress_percent }) => console.log(current_stage, `${progress_percent} %`),
  });
  const { body } = await client.getOutput(result.job_id);
  await pipeline(Readable.fromWeb(body as Parameters<typeof Readable.fromWeb>[0]), createWriteStream(output));
  console.log(`${output} is there, after ${result.processing_time_seconds} s`);
} catch (error) {
  receiver.close();
  if (!isStyleDnaError(error)) throw error;
  console.error(`${error.code}: ${error.message}`);
  process.exitCode = 1;
}
