/** Uploads over a database and a storage of a test's own, without a server in front. */
import assert from 'node:assert/strict';
import { readConfig } from '../../src/settings/config.ts';
import type { BlobStore } from '../../src/storage/blob-store.ts';
import type { PartialBlobs } from '../../src/storage/partial-blobs.ts';
import { type Piece, ResumableUploads } from '../../src/uploads/resumable-uploads.ts';
import { temporaryFolder } from './clips.ts';
import type { JobsService } from './jobs.ts';

/** None of the uploads may become whole. Stop them at the end. */
export async function openUploads(
  service: JobsService,
  place: { readonly blobs: BlobStore; readonly partials: PartialBlobs },
): Promise<ResumableUploads> {
  const uploads = new ResumableUploads(
    {
      ...place,
      config: readConfig({ DATA_DIR: temporaryFolder() }),
      database: service.database,
      metrics: service.metrics,
      videos: service.jobs.videos,
      probe: () => assert.fail('nothing is whole'),
      checkMediaEngine: async () => {},
    },
    new AbortController().signal,
  );
  await uploads.start();
  return uploads;
}

/** A first piece with a declared length, sent in these chunks. */
export function pieceOf(chunks: readonly Buffer[], interrupt: () => void = () => {}): Piece {
  return {
    offsetBytes: 0,
    announcedBytes: chunks.reduce((sum, { length }) => sum + length, 0),
    checksum: null,
    bytes: (async function* () {
      yield* chunks;
    })(),
    interrupt,
  };
}
