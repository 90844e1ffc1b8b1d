import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface Delivered {
  readonly webhookId: string;
  readonly event: string;
  // biome-ignore lint/suspicious/noExplicitAny: tests look at the fields they know
  readonly body: any;
}

/** A webhook receiver on this machine that accepts everything. */
export interface Receiver extends AsyncDisposable {
  readonly url: string;
  readonly calls: readonly Delivered[];
}

export async function openReceiver(): Promise<Receiver> {
  const calls: Delivered[] = [];
  const server = createServer(async (request, response) => {
    const parts: Buffer[] = [];
    for await (const part of request) parts.push(part as Buffer);
    calls.push({
      webhookId: String(request.headers['webhook-id']),
      event: String(request.headers['webhook-event']),
      body: JSON.parse(Buffer.concat(parts).toString()),
    });
    response.writeHead(204).end();
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}/hook`,
    calls,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}
