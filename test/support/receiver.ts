import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface Delivered {
  readonly webhookId: string;
  readonly event: string;
  // biome-ignore lint/suspicious/noExplicitAny: tests look at the fields they know
  readonly body: any;
  /** Unchanged, for the official verifier. */
  readonly text: string;
  readonly headers: IncomingHttpHeaders;
}

/** A webhook receiver on this machine. */
export interface Receiver extends AsyncDisposable {
  readonly url: string;
  readonly calls: readonly Delivered[];
}

/** It accepts everything, unless `answer` decides otherwise; a call is in the list before `answer` is called. */
export async function openReceiver(
  answer: (response: ServerResponse, call: Delivered) => void = (response) => response.writeHead(204).end(),
): Promise<Receiver> {
  const calls: Delivered[] = [];
  const server = createServer(async (request, response) => {
    const parts: Buffer[] = [];
    for await (const part of request) parts.push(part as Buffer);
    const text = Buffer.concat(parts).toString();
    const { headers } = request;
    const webhookId = String(headers['webhook-id']);
    const call = {
      webhookId,
      event: String(headers['webhook-event']),
      body: JSON.parse(text),
      text,
      headers,
    };
    calls.push(call);
    answer(response, call);
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
