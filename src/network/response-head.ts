import http, { type IncomingMessage } from 'node:http';
import https from 'node:https';
import { guardResponse } from './guarded-http.ts';
import { type Address, pinnedTo } from './vetted-address.ts';

export interface OutgoingRequest {
  readonly url: URL;
  /** The vetted addresses of the host: the connection uses one of them. */
  readonly addresses: readonly Address[];
  readonly headers: Readonly<Record<string, string | number>>;
  /** The body of a POST; left out: a GET without a body. */
  readonly body?: Buffer;
}

export interface ResponseLimits {
  /** Ends the wait for the head. */
  readonly head: AbortSignal;
  /** Ends the whole request, also while its body is read. */
  readonly whole: AbortSignal;
}

/**
 * Sends a request to an untrusted server and resolves with the head of the answer, which the caller destroys.
 * It always settles, also if the server misbehaves. Throws `BadResponse`, the reason of the signal that ended
 * it, and the errors of Node's client.
 */
export function responseHead(
  { url, addresses, headers, body }: OutgoingRequest,
  { head, whole }: ResponseLimits,
): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    const request = (url.protocol === 'https:' ? https : http).request(url, {
      method: body === undefined ? 'GET' : 'POST',
      headers,
      lookup: pinnedTo(addresses),
      // A shared agent could use the process's proxy settings or an idle connection.
      agent: false,
      signal: whole,
    });
    guardResponse(request);
    const onDeadline = () => {
      reject(head.reason);
      request.destroy();
    };
    head.addEventListener('abort', onDeadline, { once: true });
    request
      .on('response', (response) => {
        head.removeEventListener('abort', onDeadline);
        resolve(response);
      })
      .on('error', (error) => {
        head.removeEventListener('abort', onDeadline);
        reject(error);
      });
    if (head.aborted) onDeadline();
    request.end(body);
  });
}
