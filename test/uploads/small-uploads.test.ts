/** Uploads of a few bytes: a client cannot hold many places for a day with them. */
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { openFileStore } from '../../src/storage/file-store.ts';
import { PartialFiles } from '../../src/storage/partial-files.ts';
import type { ResumableUploads } from '../../src/uploads/resumable-uploads.ts';
import { MAX_SMALL_PER_CLIENT, SMALL_BYTES } from '../../src/uploads/upload-store.ts';
import { temporaryFolder } from '../support/clips.ts';
import { type JobsService, openService } from '../support/jobs.ts';
import { openUploads, pieceOf } from '../support/uploads.ts';

const MINUTE_MS = 60_000;
const DAY_MS = 1440 * MINUTE_MS;

let service: JobsService;
let uploads: ResumableUploads;
before(async () => {
  service = await openService();
  const folder = temporaryFolder();
  const blobs = await openFileStore(join(folder, 'blobs'));
  uploads = await openUploads(service, { blobs, partials: new PartialFiles(join(folder, 'uploads'), blobs) });
});
after(async () => {
  await uploads?.stop();
  await service?.[Symbol.asyncDispose]();
});

const started = async (client: string, sent: number) => {
  const { uploadId } = await uploads.create({
    ...{ lengthBytes: 2 * SMALL_BYTES, fileName: 'clip.mp4', metadata: null, client },
  });
  if (sent > 0) await uploads.append(uploadId, pieceOf([Buffer.alloc(sent)]));
  return uploadId;
};
const more = (uploadId: string, offsetBytes: number, bytes: number) =>
  uploads.append(uploadId, { ...pieceOf([Buffer.alloc(bytes)]), offsetBytes });
const keptMs = async (uploadId: string) => {
  const { info } = await uploads.get(uploadId);
  return info.expiresAt.getTime() - info.createdAt.getTime();
};
const isKeptForADay = async (uploadId: string) => Math.abs((await keptMs(uploadId)) - DAY_MS) < MINUTE_MS;

test('the first small uploads of a client are stored for a day, its others for minutes', async () => {
  const ids: string[] = [];
  for (let count = 0; count < MAX_SMALL_PER_CLIENT + 2; count++) ids.push(await started('a', 1));
  for (const [index, id] of ids.entries())
    assert.equal(await isKeptForADay(id), index < MAX_SMALL_PER_CLIENT, `${index}`);
  assert.ok(await isKeptForADay(await started('b', 1)), 'of another client');
  assert.ok(await isKeptForADay(await started('a', SMALL_BYTES)), 'a large one');

  const last = ids.at(-1)!;
  const answered = await more(last, 1, SMALL_BYTES - 2);
  assert.ok(!(await isKeptForADay(last)), 'still small');
  assert.equal(answered.info.expiresAt.getTime(), (await uploads.get(last)).info.expiresAt.getTime());
  await more(last, SMALL_BYTES - 1, 1);
  assert.ok(await isKeptForADay(last), 'large by now');

  // A slot released by a small upload is for the next one that continues.
  const waiting = ids.at(-2)!;
  await uploads.remove(ids[0]);
  await more(waiting, 1, 1);
  assert.ok(await isKeptForADay(waiting));
});

test('small uploads beyond the share do not hold places after their minutes', async () => {
  for (let count = 0; count < MAX_SMALL_PER_CLIENT + 5; count++) await started('c', 1);
  await service.database.query(
    `update uploads set expires_at = expires_at - interval '11 minutes' where client = 'c'`,
  );
  const [row] = await service.database.query<{ open: number }>(
    `select count(*) as open from uploads where client = 'c' and expires_at > now()`,
  );
  assert.equal(row!.open, MAX_SMALL_PER_CLIENT);
});

test('a growing upload is stored for minutes after its last byte', async () => {
  for (let count = 0; count < MAX_SMALL_PER_CLIENT; count++) await started('d', 1);
  const id = await started('d', 1);
  await service.database.query(
    `update uploads set expires_at = now() + interval '1 minute' where upload_id = $1`,
    [id],
  );
  const { info } = await more(id, 1, 1);
  assert.ok(info.expiresAt.getTime() - Date.now() > 9 * MINUTE_MS);
});
