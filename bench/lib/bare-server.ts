/**
 * Least cost of an upload: a bare `node:http` server that reads a body and drops it (`read`), hashes it (`hash`), writes it to
 * a file as it arrives and syncs it (`write`), or all of it. Arguments: the file, and what it does. For `bench/upload.ts`.
 */
import { createHash } from 'node:crypto';
import { open } from 'node:fs/promises';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';

const [path, ...does] = process.argv.slice(2) as [string, ...string[]];

async function receive(request: IncomingMessage): Promise<void> {
  const hash = does.includes('hash') ? createHash('sha256') : null;
  await using file = does.includes('write') ? await open(path, 'w') : null;
  for await (const chunk of request) {
    hash?.update(chunk);
    await file?.write(chunk);
  }
  await file?.sync();
  hash?.digest();
}

const server = createServer((request, response) => {
  void receive(request).then(() => response.end('ok'));
});
server.listen(0, '127.0.0.1', () => {
  const { port } = server.address() as AddressInfo;
  console.log(JSON.stringify({ msg: 'listening', address: `http://127.0.0.1:${port}` }));
});
