/** Responses of tools, and inputs that several tools share. */
import type { CallToolResult, ServerContext } from '@modelcontextprotocol/server';
import { z } from 'zod';
import { isStyleDnaError, type StyleDnaClient } from '../client/client.ts';
import { receivedBytes } from '../received/received-file.ts';

/** Agents abandon a request after a minute: longer work is polled. */
const LONGEST_WAIT_SECONDS = 50;
/** A preview is one JPEG of some hundred kB. */
const MAX_PICTURE_BYTES = 1 << 24;

export const wait = z
  .int()
  .min(0)
  .max(LONGEST_WAIT_SECONDS)
  .describe('How many seconds to wait for the job to end before answering');

export type Answering = <Input>(
  work: (input: Input, signal: AbortSignal) => Promise<CallToolResult>,
) => (input: Input, context: ServerContext) => Promise<CallToolResult>;

/** Errors are returned as responses, because an agent can react to most of them. */
export function answeringAt(baseUrl: string): Answering {
  return (work) => async (input, context) => {
    try {
      return await work(input, context.mcpReq.signal);
    } catch (error) {
      return { isError: true, content: [{ type: 'text', text: errorText(error, baseUrl) }] };
    }
  };
}

export function text(value: unknown): { content: { type: 'text'; text: string }[] } {
  return { content: [{ type: 'text', text: JSON.stringify(value, null, 1) }] };
}

/** The picture of a preview, followed by `value`. */
export async function pictureResponse(
  client: StyleDnaClient,
  previewId: string,
  value: unknown,
  signal: AbortSignal,
): Promise<CallToolResult> {
  const picture = await client.getPreviewFile(previewId, { signal });
  const data = (await receivedBytes(picture, MAX_PICTURE_BYTES)).toString('base64');
  return { content: [{ type: 'image', data, mimeType: 'image/jpeg' }, ...text(value).content] };
}

/** The job when it has ended, or its state after `waitSeconds`. */
export async function jobAfter(
  client: StyleDnaClient,
  jobId: string,
  waitSeconds: number,
  signal: AbortSignal,
) {
  try {
    return await client.getJobResult(jobId, { wait: waitSeconds }, { signal });
  } catch (error) {
    if (!isStyleDnaError(error, 'JOB_NOT_COMPLETED')) throw error;
    return client.getJob(jobId, { signal });
  }
}

/** The error's message, with a hint for errors that an agent can resolve. */
function errorText(error: unknown, baseUrl: string): string {
  if (isStyleDnaError(error, 'CONNECTION_FAILED')) {
    return `No service responds at ${baseUrl} (${error.detail}). Start one with "styledna serve", or name its address: styledna mcp --server URL`;
  }
  if (isStyleDnaError(error)) return `${error.code}: ${error.message}`;
  return error instanceof Error ? error.message : String(error);
}
