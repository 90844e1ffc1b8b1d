import { once } from 'node:events';
import { createServer, type Socket } from 'node:net';

/** A server that breaks the protocol. */
export interface HostileServer extends AsyncDisposable {
  /** As `127.0.0.1:PORT`. */
  readonly host: string;
  /** Connections that were opened. */
  readonly connections: number;
}

const OK = 'HTTP/1.1 200 OK\r\n';

/** Each repeats a text until the socket closes. */
const repeating =
  (first: string, text: string, everyMs: number) =>
  (socket: Socket): void => {
    socket.write(first);
    const timer = setInterval(() => socket.write(text), everyMs);
    socket.on('close', () => clearInterval(timer));
  };

/** How a server can answer a request so that a careless client waits for ever, or believes what is false. */
export const HOSTILE_ANSWERS = {
  'a switch of protocols': (socket) =>
    void socket.write('HTTP/1.1 101 Switching Protocols\r\nupgrade: x\r\nconnection: upgrade\r\n\r\n'),
  'a switch of protocols without a protocol': (socket) =>
    void socket.write('HTTP/1.1 101 Switching Protocols\r\n\r\n'),
  'a switch of protocols, then an end': (socket) =>
    void socket.end('HTTP/1.1 101 Switching Protocols\r\nupgrade: x\r\nconnection: upgrade\r\n\r\n'),
  'interim answers without end': repeating('', 'HTTP/1.1 102 Processing\r\n\r\n', 5),
  'continue without end': repeating('', 'HTTP/1.1 100 Continue\r\n\r\n', 5),
  'headers without end': repeating(OK, 'x: y\r\n', 20),
  'one header without end': repeating(`${OK}x: `, 'y', 20),
  silence: () => {},
  'an end at once': (socket) => void socket.end(),
  'an end within the head': (socket) => void socket.end(`${OK}content-le`),
  'an end after the head': (socket) => void socket.end(`${OK}content-length: 1000\r\n\r\n`),
  'a reset after the head': (socket) =>
    void socket.write(`${OK}content-length: 1000\r\n\r\n`, () => socket.resetAndDestroy()),
  'silence after the head': (socket) => void socket.write(`${OK}content-length: 1000\r\n\r\n`),
  'a body that trickles': repeating(`${OK}content-length: 1000000\r\n\r\n`, 'x', 100),
  'chunks without end': repeating(`${OK}transfer-encoding: chunked\r\n\r\n`, '1\r\nx\r\n', 100),
  'a length that is too large': (socket) => void socket.end(`${OK}content-length: 1000\r\n\r\nx`),
  'a length that is too small': (socket) => void socket.end(`${OK}content-length: 1\r\n\r\nxxxxxxxx`),
  'two lengths': (socket) => void socket.end(`${OK}content-length: 1\r\ncontent-length: 2\r\n\r\nxx`),
  garbage: (socket) => void socket.end('\0\x01\x02 no protocol that is known\r\n\r\n'),
} satisfies Readonly<Record<string, (socket: Socket) => void>>;

export type HostileAnswer = keyof typeof HOSTILE_ANSWERS;

/** Sockets stay half open: a client's end ends nothing here. */
export async function startHostileServer(answer: HostileAnswer): Promise<HostileServer> {
  const sockets = new Set<Socket>();
  let connections = 0;
  const server = createServer({ allowHalfOpen: true }, (socket) => {
    connections++;
    sockets.add(socket.on('error', () => {}).on('close', () => sockets.delete(socket)));
    socket.once('data', () => HOSTILE_ANSWERS[answer](socket));
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    host: `127.0.0.1:${(server.address() as { port: number }).port}`,
    get connections() {
      return connections;
    },
    async [Symbol.asyncDispose]() {
      for (const socket of sockets) socket.destroy();
      server.close();
      await once(server, 'close');
    },
  };
}
