import { v7 as newId } from 'uuid';
import type { Database } from '../database/database.ts';
import { lock } from '../database/locks.ts';
import { assertShare } from '../database/shares.ts';
import type { IdempotencyKey, StoredAnswer } from '../idempotency/idempotency.ts';
import type { IdempotencyAnswers } from '../idempotency/idempotency-service.ts';
import { countImporting, insertImport } from '../videos/import-store.ts';
import type { VideoImport } from '../videos/video.ts';
import { vetTarget } from '../webhooks/address-guard.ts';
import type { AllowedNetworks } from '../webhooks/allowed-networks.ts';
import { urlForbidden } from './fetch-url.ts';

/** The front desk of imports: what HTTP may ask. */
export interface ImportService {
  /**
   * A video that is fetched from an address, from now on; with the key's answer, in one transaction. Throws IMPORT_URL_FORBIDDEN for what can
   * be told from the address alone, RATE_LIMITED when too many are under way.
   */
  create(
    given: { readonly url: string; readonly filename: string; readonly client: string },
    idempotency: {
      readonly key: IdempotencyKey;
      readonly answer: (made: VideoImport) => StoredAnswer;
    } | null,
  ): Promise<VideoImport>;
}

export interface ImportServiceParts {
  readonly database: Database;
  readonly networks: AllowedNetworks;
  readonly answers: IdempotencyAnswers;
  /** So many at once. */
  readonly maxOpen: number;
}

export class DatabaseImportService implements ImportService {
  readonly #parts: ImportServiceParts;

  constructor(parts: ImportServiceParts) {
    this.#parts = parts;
  }

  async create(...[given, idempotency]: Parameters<ImportService['create']>): Promise<VideoImport> {
    const { database, networks, answers, maxOpen } = this.#parts;
    vetTarget(given.url, await networks.current(), urlForbidden);
    const made = await database.transaction(async (transaction) => {
      // Creations at the same moment count each other.
      await lock(transaction, 'imports');
      assertShare('imports are under way', maxOpen, await countImporting(transaction, given.client));
      const inserted = await insertImport(transaction, { ...given, videoId: newId() });
      if (idempotency !== null)
        await answers.store(transaction, idempotency.key, idempotency.answer(inserted));
      return inserted;
    });
    if (idempotency !== null) answers.committed(idempotency.key);
    return made;
  }
}
