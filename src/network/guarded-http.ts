import http, { type Agent, type AgentOptions, type ClientRequest } from 'node:http';
import https from 'node:https';

/** RFC 9110, 15.2: a 100, or a 102 every some seconds, are usual before an answer. */
const MAX_INTERIM_RESPONSES = 20;

/** A server violated the protocol; it will do so again. */
export class BadResponse extends Error {
  override readonly name = 'BadAnswer';
  readonly statusCode: number | null;

  constructor(message: string, statusCode: number | null = null) {
    super(message);
    this.statusCode = statusCode;
  }
}

/**
 * Makes a request always emit either `response` or `error`. Without it a protocol switch ends a request with
 * neither, and endless interim answers extend each limit on silence. The caller limits silence itself.
 * `timeoutMs`: destroys the request when its answer has not ended by then.
 */
export function guardResponse(request: ClientRequest, timeoutMs?: number): void {
  if (timeoutMs !== undefined) {
    const late = new BadResponse(`did not end its answer within ${timeoutMs / 1000} s`);
    const timer = setTimeout(() => request.destroy(late), timeoutMs).unref();
    request.on('close', () => clearTimeout(timer));
  }
  let isSettled = false;
  const settle = () => {
    isSettled = true;
  };
  let interimResponses = 0;
  request
    .on('response', settle)
    .on('error', settle)
    .on('information', () => {
      interimResponses++;
      if (interimResponses === MAX_INTERIM_RESPONSES)
        request.destroy(new BadResponse(`sent ${interimResponses} interim answers without a final one`));
    })
    .on('upgrade', ({ statusCode = 101 }, socket) => {
      socket.destroy();
      const message = `answered ${statusCode}, a protocol switch that was not requested`;
      request.emit('error', new BadResponse(message, statusCode));
    })
    .on('close', () => {
      if (!isSettled) request.emit('error', closedEarly());
    });
}

/** The error of Node's client for most connections that are closed early. */
function closedEarly(): Error {
  return Object.assign(new Error('The connection was closed before an answer'), { code: 'ECONNRESET' });
}

/** An agent for clients that make their requests themselves: it applies `guardResponse` to each request. */
export function guardedAgent(protocol: string, options: AgentOptions, timeoutMs?: number): Agent {
  const agent = protocol === 'https:' ? new https.Agent(options) : new http.Agent(options);
  // Node and agents of its ecosystem call it for each request; its types leave it out.
  const queue = agent as unknown as { addRequest(request: ClientRequest, ...rest: unknown[]): void };
  const addRequest = queue.addRequest.bind(agent);
  queue.addRequest = (request, ...rest) => {
    guardResponse(request, timeoutMs);
    addRequest(request, ...rest);
  };
  return agent;
}
