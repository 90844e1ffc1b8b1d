import { type FileHandle, open } from 'node:fs/promises';
import type { ServerResponse } from 'node:http';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { BlobMissingError } from '../../storage/blob-key.ts';
import type { BlobStore } from '../../storage/blob-store.ts';
import type { Metrics } from '../../telemetry/metrics.ts';
import type { ByteRange } from './byte-range.ts';
import { OpenResponseLimit } from './open-responses.ts';

/** With a block each they use 64 MiB; each has two file descriptors. */
const MAX_DOWNLOADS = 1000;
const BLOCK_BYTES = 1 << 16;
/** Free blocks cached for later downloads: 4 MiB. */
const MAX_FREE_BLOCKS = 64;

/** A file that is open until it is sent or disposed. */
export interface OpenFile extends AsyncDisposable {
  readonly handle: FileHandle;
}

/**
 * Sends stored files. A download uses one block of memory: the next block is read after the system has sent
 * the last one. Blocks are reused, so memory is bounded by the largest number of concurrent downloads. After
 * a burst most are freed. Streams return their blocks late or never: 750 unread downloads used 430 MB until
 * the process ended.
 */
export class FileSender {
  readonly #blobs: BlobStore;
  readonly #metrics: Metrics;
  readonly #limit = new OpenResponseLimit('downloads', MAX_DOWNLOADS);
  readonly #freeBlocks: Buffer[] = [];

  constructor(blobs: BlobStore, metrics: Metrics) {
    this.#blobs = blobs;
    this.#metrics = metrics;
  }

  /** Opens a blob for `send`; null when it does not exist. Throws RATE_LIMITED. */
  async open(key: string, request: FastifyRequest, reply: FastifyReply): Promise<OpenFile | null> {
    this.#limit.add(request, reply);
    await using stack = new AsyncDisposableStack();
    try {
      const { path } = stack.use(await this.#blobs.localPath(key));
      const handle = stack.use(await open(path, 'r'));
      const opened = stack.move();
      return { handle, [Symbol.asyncDispose]: () => opened.disposeAsync() };
    } catch (error) {
      if (error instanceof BlobMissingError || (error as NodeJS.ErrnoException).code === 'ENOENT')
        return null;
      throw error;
    }
  }

  /**
   * Sends status and headers of `reply`, then the bytes of `range` (none for HEAD). Returns before the bytes
   * are sent: a later error closes the connection. Disposes the file at the end.
   */
  send(file: OpenFile, range: ByteRange, request: FastifyRequest, reply: FastifyReply): void {
    reply.hijack();
    const response = reply.raw;
    response.writeHead(reply.statusCode, definedHeaders(reply));
    const sent =
      request.method === 'HEAD' ? Promise.resolve(response.end()) : this.#sendBytes(file, range, response);
    void sent
      .catch((error: unknown) => {
        request.log.error({ err: error }, 'a file could not be sent');
        response.destroy();
      })
      .finally(() => file[Symbol.asyncDispose]());
  }

  async #sendBytes({ handle }: OpenFile, { start, end }: ByteRange, response: ServerResponse): Promise<void> {
    const block = this.#freeBlocks.pop() ?? newBlock();
    try {
      for (let position = start; position <= end; ) {
        const { bytesRead } = await handle.read(
          block,
          0,
          Math.min(BLOCK_BYTES, end + 1 - position),
          position,
        );
        if (bytesRead === 0) throw new Error(`The file ends at byte ${position}, before byte ${end}`);
        position += bytesRead;
        this.#metrics.storageBytes.inc({ direction: 'read' }, bytesRead);
        if (!(await isWritten(response, block.subarray(0, bytesRead)))) return;
      }
      response.end();
    } finally {
      if (this.#freeBlocks.length < MAX_FREE_BLOCKS) this.#freeBlocks.push(block);
    }
  }
}

/** V8 maps resizable memory in pages of its own, which the system gets back; the allocator keeps the 64 MB of a burst of others. */
function newBlock(): Buffer {
  return Buffer.from(new ArrayBuffer(BLOCK_BYTES, { maxByteLength: BLOCK_BYTES }));
}

/**
 * Resolves when the system has sent the bytes (true) or the connection is closed (false). Their memory can
 * then be reused.
 */
function isWritten(response: ServerResponse, bytes: Uint8Array): Promise<boolean> {
  if (response.closed) return Promise.resolve(false);
  const { promise, resolve } = Promise.withResolvers<boolean>();
  const onClose = () => resolve(false);
  response.once('close', onClose);
  response.write(bytes, (error) => {
    response.off('close', onClose);
    resolve(error == null);
  });
  return promise;
}

/** Node does not accept undefined headers. */
function definedHeaders(reply: FastifyReply): Record<string, number | string | string[]> {
  const headers: Record<string, number | string | string[]> = {};
  for (const [name, value] of Object.entries(reply.getHeaders()))
    if (value !== undefined) headers[name] = value;
  return headers;
}
