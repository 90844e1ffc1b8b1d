import { v7 as newId } from 'uuid';
import type { Database } from '../database/database.ts';
import { lock } from '../database/locks.ts';
import { assertShare } from '../database/shares.ts';
import type { IdempotencyKey, StoredResponse } from '../idempotency/idempotency.ts';
import type { StoredResponses } from '../idempotency/idempotency-service.ts';
import { vetTarget } from '../network/address-guard.ts';
import { countImporting, insertImport } from '../videos/import-store.ts';
import type { VideoImport } from '../videos/video.ts';
import type { AllowedNetworks } from '../webhooks/allowed-networks.ts';
import { urlForbidden } from './fetch-url.ts';

/** Operations on imports for HTTP. */
export interface ImportService {
  /**
   * Creates the import of a video and stores the answer for the idempotency key, in one transaction. Throws
   * IMPORT_URL_FORBIDDEN for a URL that is refused by its text, RATE_LIMITED when too many imports are
   * active.
   */
  create(
    given: { readonly url: string; readonly filename: string; readonly client: string },
    idempotency: {
      readonly key: IdempotencyKey;
      readonly response: (created: VideoImport) => StoredResponse;
    } | null,
  ): Promise<VideoImport>;
}

export interface ImportServiceParts {
  readonly database: Database;
  readonly networks: AllowedNetworks;
  readonly responses: StoredResponses;
  /** Maximum number of active imports. */
  readonly maxOpen: number;
}

export class DatabaseImportService implements ImportService {
  readonly #parts: ImportServiceParts;

  constructor(parts: ImportServiceParts) {
    this.#parts = parts;
  }

  async create(...[given, idempotency]: Parameters<ImportService['create']>): Promise<VideoImport> {
    const { database, networks, responses, maxOpen } = this.#parts;
    vetTarget(given.url, await networks.current(), urlForbidden);
    const made = await database.transaction(async (transaction) => {
      // Concurrent creations count each other.
      await lock(transaction, 'imports');
      assertShare('active imports', maxOpen, await countImporting(transaction, given.client));
      const inserted = await insertImport(transaction, { ...given, videoId: newId() });
      if (idempotency !== null)
        await responses.store(transaction, idempotency.key, idempotency.response(inserted));
      return inserted;
    });
    if (idempotency !== null) responses.committed(idempotency.key);
    return made;
  }
}
