/** Files that are sent to the service, as a form or resumably: a small clip of any size. */
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { type OutgoingHttpHeaders, request } from 'node:http';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { writeDrawnClip } from '../../test/support/drawn-clip.ts';

export const MIB = 1 << 20;
/** One page, repeated: a compressing file system stores more of it than its size. */
const BLOCK = Buffer.alloc(MIB, randomBytes(4096));

/** A file as a few blocks: some bytes, then one block over and over. */
export interface Body {
  readonly head: Buffer;
  readonly blocks: number;
}

export const bytesOf = ({ head, blocks }: Body) => head.length + blocks * MIB;

export function* piecesOf({ head, blocks }: Body): Generator<Buffer> {
  yield head;
  for (let block = 0; block < blocks; block++) yield BLOCK;
}

/** A clip enlarged by a box that readers skip (ISO/IEC 14496-12, `free` with a 64-bit size). */
export async function bodyOf(folder: string, mebibytes: number): Promise<Body> {
  const path = join(folder, 'clip.mp4');
  await writeDrawnClip(path, {
    width: 320,
    height: 180,
    frameRate: { numerator: 25, denominator: 1 },
    durationSeconds: 2,
    draw: (rgb, seconds) => void rgb.fill(Math.round(100 * seconds)),
  });
  const box = Buffer.alloc(16);
  box.writeUInt32BE(1);
  box.write('free', 4, 'latin1');
  box.writeBigUInt64BE(BigInt(16 + mebibytes * MIB), 8);
  return { head: Buffer.concat([readFileSync(path), box]), blocks: mebibytes };
}

export async function send(
  method: string,
  url: string,
  headers: OutgoingHttpHeaders,
  pieces: Iterable<Buffer>,
): Promise<{ headers: NodeJS.Dict<string | string[]>; body: string }> {
  const sending = request(url, { method, headers });
  const answered = once(sending, 'response');
  for (const piece of pieces) if (!sending.write(piece)) await once(sending, 'drain');
  sending.end();
  const [answer] = await answered;
  const body = await text(answer);
  if (answer.statusCode >= 300) throw new Error(`${method} ${url}: ${answer.statusCode} ${body}`);
  return { headers: answer.headers, body };
}

/** Returns the video's id. */
export async function sendForm(baseUrl: string, body: Body): Promise<string> {
  const boundary = 'bench-of-the-upload';
  const before = Buffer.from(
    `--${boundary}\r\nContent-Disposition: form-data; name="file"; filename="a.mp4"\r\n\r\n`,
  );
  const after = Buffer.from(`\r\n--${boundary}--\r\n`);
  const headers = {
    'content-type': `multipart/form-data; boundary=${boundary}`,
    'content-length': before.length + bytesOf(body) + after.length,
  };
  const pieces = [before, ...piecesOf(body), after];
  const answer = await send('POST', `${baseUrl}/api/v1/videos/upload`, headers, pieces);
  return JSON.parse(answer.body).data.video_id;
}

export async function sendResumably(baseUrl: string, body: Body): Promise<string> {
  const tus = { 'tus-resumable': '1.0.0' };
  const uploads = `${baseUrl}/api/v1/uploads`;
  const created = await send('POST', uploads, { ...tus, 'upload-length': bytesOf(body) }, []);
  const piece = {
    ...tus,
    'content-type': 'application/offset+octet-stream',
    'content-length': bytesOf(body),
    'upload-offset': 0,
  };
  const { headers } = await send('PATCH', `${baseUrl}${created.headers['location']}`, piece, piecesOf(body));
  return String(headers['x-video-id']);
}
