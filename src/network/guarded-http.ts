import http, { type Agent, type AgentOptions, type ClientRequest } from 'node:http';
import https from 'node:https';

/** RFC 9110, 15.2: a 100, or a 102 every some seconds, are usual before an answer. */
const MAX_INTERIM_ANSWERS = 20;

/** A server that answers against the protocol. It will do so again. */
export class BadResponse extends Error {
  override readonly name = 'BadAnswer';
  readonly statusCode: number | null;

  constructor(message: string, statusCode: number | null = null) {
    super(message);
    this.statusCode = statusCode;
  }
}

/**
 * Makes a request emit either `response` or `error`, whatever the server does in place of an answer. Without it a switch of protocols
 * ends a request without both, and interim answers without end prolong each limit on silence. Silence itself is the caller's to limit.
 * `wholeMs`: destroys the request when its answer has not ended by then, whatever of it arrives meanwhile.
 */
export function guardResponse(request: ClientRequest, wholeMs?: number): void {
  if (wholeMs !== undefined) {
    const late = new BadResponse(`did not end its answer within ${wholeMs / 1000} s`);
    const timer = setTimeout(() => request.destroy(late), wholeMs).unref();
    request.on('close', () => clearTimeout(timer));
  }
  let isSettled = false;
  const settle = () => {
    isSettled = true;
  };
  let interimAnswers = 0;
  request
    .on('response', settle)
    .on('error', settle)
    .on('information', () => {
      interimAnswers++;
      if (interimAnswers === MAX_INTERIM_ANSWERS)
        request.destroy(new BadResponse(`answered ${interimAnswers} times that an answer would follow`));
    })
    .on('upgrade', ({ statusCode = 101 }, socket) => {
      socket.destroy();
      const message = `answered ${statusCode}, a switch of protocols that was not requested`;
      request.emit('error', new BadResponse(message, statusCode));
    })
    .on('close', () => {
      if (!isSettled) request.emit('error', closedEarly());
    });
}

/** As Node's client reports most connections that are closed early. */
function closedEarly(): Error {
  return Object.assign(new Error('The connection was closed before an answer'), { code: 'ECONNRESET' });
}

/** For clients that make their requests themselves: an agent whose requests are guarded as by `guardAnswer`. */
export function guardedAgent(protocol: string, options: AgentOptions, wholeMs?: number): Agent {
  const agent = protocol === 'https:' ? new https.Agent(options) : new http.Agent(options);
  // Node calls it with each request, as agents of its ecosystem rely on; its types leave it out.
  const queue = agent as unknown as { addRequest(request: ClientRequest, ...rest: unknown[]): void };
  const addRequest = queue.addRequest.bind(agent);
  queue.addRequest = (request, ...rest) => {
    guardResponse(request, wholeMs);
    addRequest(request, ...rest);
  };
  return agent;
}
