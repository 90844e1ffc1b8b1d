import { once } from 'node:events';
import { connect, createServer, type Socket } from 'node:net';

/** A connection to a server that can be cut and restored. */
export interface TcpProxy extends AsyncDisposable {
  /** As `http://127.0.0.1:PORT`. */
  readonly url: string;
  /** `closed`: connections break and new ones are refused. `silent`: they stay, new ones are accepted, and nothing passes. */
  cut(how: 'closed' | 'silent'): void;
  mend(): void;
}

export async function startTcpProxy(target: string): Promise<TcpProxy> {
  const { hostname, port } = new URL(target);
  const sockets = new Set<Socket>();
  let state: 'open' | 'closed' | 'silent' = 'open';
  const proxy = createServer((client) => {
    if (state === 'closed') {
      client.resetAndDestroy();
      return;
    }
    const server = connect(Number(port), hostname);
    for (const [one, other] of [
      [client, server],
      [server, client],
    ] as const) {
      sockets.add(one);
      one.setNoDelay(true);
      if (state === 'silent') one.pause();
      one.on('data', (bytes) => other.write(bytes));
      one.on('error', () => {});
      one.on('close', () => {
        sockets.delete(one);
        other.destroy();
      });
      if (state === 'silent') one.pause();
    }
  });
  proxy.listen(0, '127.0.0.1');
  await once(proxy, 'listening');
  return {
    url: `http://127.0.0.1:${(proxy.address() as { port: number }).port}`,
    cut(how) {
      state = how;
      for (const socket of sockets) {
        if (how === 'closed') socket.resetAndDestroy();
        else socket.pause();
      }
    },
    mend() {
      state = 'open';
      for (const socket of sockets) socket.resume();
    },
    async [Symbol.asyncDispose]() {
      for (const socket of sockets) socket.destroy();
      proxy.close();
      await once(proxy, 'close');
    },
  };
}
