import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

import { presetNamed } from '../../src/presets/presets.ts';

type Answering = (answer: ServerResponse, request: IncomingMessage) => void;

/** Answers of a hostile service, by the end of the path. */
export type Lies = Readonly<Record<string, Answering | object>>;

export interface LyingService extends AsyncDisposable {
  readonly url: string;
  /** Methods and paths, in their order. */
  readonly requests: readonly string[];
}

const ID = '019aa3f2-4c1e-7d0a-9b51-0c6f6f1f2e11';
const UPLOAD = { upload_id: ID, offset_bytes: 0, video_id: null, error: null };
const JOB = {
  job_id: ID,
  status: 'completed',
  progress_percent: 100,
  current_stage: null,
  created_at: 'now',
};

/** A service that reports success, with configured false answers. */
export async function startLyingService(lies: Lies): Promise<LyingService> {
  const requests: string[] = [];
  const server = createServer((request, answer) => {
    const path = request.url!.split('?', 1)[0];
    requests.push(`${request.method} ${path}`);
    request.resume().on('end', () => {
      const lie = Object.entries(lies).find(([end]) => path.endsWith(end))?.[1];
      if (typeof lie === 'function') lie(answer, request);
      else sendHonestly(answer, request, path, lie);
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

function sendHonestly(answer: ServerResponse, request: IncomingMessage, path: string, lie?: object): void {
  if (request.method === 'PATCH') {
    const length = Number(request.headers['content-length']);
    answer.writeHead(204, { 'upload-offset': length, 'x-video-id': ID }).end();
  } else if (path.endsWith('/events')) {
    const job = JSON.stringify({ ...result(), ...lie });
    answer
      .writeHead(200, { 'content-type': 'text/event-stream' })
      .end(`id: 1\nevent: done\ndata: ${job}\n\n`);
  } else if (/\/(output|file)$|\/artifacts\//.test(path)) {
    answer.writeHead(200, { 'content-length': 5 }).end('bytes');
  } else if (path.includes('/uploads')) {
    answer.writeHead(201).end(envelope({ ...UPLOAD, ...lie }));
  } else answer.writeHead(200).end(envelope({ ...result(), video_id: ID, ...lie }));
}

export const envelope = (data: unknown) => JSON.stringify({ success: true, message: '', data });
export const artifact = (name: string, size_bytes = 5) => ({
  name,
  content_type: 'text/html',
  size_bytes,
  url: 'x:',
});

export function result() {
  return { ...JOB, artifacts: [], warnings: [], summary: null, error: null, output_video_url: 'http://x/' };
}

/** All fields that commands read from answers about jobs, previews, analyses, videos and queues. */
export function honestFields() {
  const time = '2026-01-01T00:00:00.000Z';
  const job = { job_id: ID, priority: 50, created_at: time };
  return {
    ...result(),
    warnings: [{ code: 'LOOK_REDUCED', message: 'The look was reduced' }],
    ...{ preview_id: ID, picture: { width: 4, height: 2, moments: [{ at_seconds: 1 }] } },
    style_json: presetNamed('noir').style,
    ...{ priority: 50, retry_of: null, queue_position: 1, processing_time_seconds: 1 },
    ...{ paused: false, paused_at: null, queued: 1, processing: 1, oldest_queued_seconds: 1 },
    workers: [
      { worker_id: ID, host: 'h', pid: 1, concurrency: 1, running: 1, state: 'working', seen_at: time },
    ],
    running: [{ ...job, current_stage: 'rendering', progress_percent: 5, attempt: 1, started_at: time }],
    next: [job],
  };
}

/** A body without end. */
export const endlessly =
  (headers: Readonly<Record<string, string>> = {}): Answering =>
  (answer) => {
    answer.writeHead(200, headers);
    const chunk = Buffer.alloc(1 << 20, ' ');
    const more = () => {
      while (!answer.destroyed && answer.write(chunk));
    };
    answer.on('drain', more);
    more();
  };
