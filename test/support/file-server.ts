import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';

/** A server with configured answers for each path, which records the requested paths. */
export interface FileServer extends AsyncDisposable {
  /** As `http://127.0.0.1:PORT`. */
  readonly url: string;
  /** Requested paths in order. */
  readonly asked: readonly string[];
}

export type Reply = (answer: ServerResponse, request: IncomingMessage) => void;

export async function startFileServer(replies: Readonly<Record<string, Reply>>): Promise<FileServer> {
  const asked: string[] = [];
  const server = createServer((request, answer) => {
    const path = request.url!;
    asked.push(path);
    const reply = replies[path];
    if (reply === undefined) answer.writeHead(404).end();
    else reply(answer, request);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as { port: number }).port}`,
    asked,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

export const file =
  (bytes: Uint8Array, headers: Record<string, string> = {}): Reply =>
  (answer) =>
    void answer.writeHead(200, { 'content-length': bytes.length, ...headers }).end(bytes);

export const redirect =
  (location: string): Reply =>
  (answer) =>
    void answer.writeHead(302, { location }).end();

/** The same in pieces, so many bytes a second, as long as somebody reads. */
export const slowly =
  (bytes: Uint8Array, bytesPerSecond: number): Reply =>
  (answer) => {
    answer.writeHead(200, { 'content-length': bytes.length });
    const step = Math.ceil(bytesPerSecond / 10);
    let at = 0;
    const timer = setInterval(() => {
      answer.write(bytes.subarray(at, at + step));
      at += step;
      if (at < bytes.length) return;
      clearInterval(timer);
      answer.end();
    }, 100);
    answer.on('close', () => clearInterval(timer));
  };
