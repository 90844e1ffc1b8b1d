import { validate as isUuid, v7 as newId } from 'uuid';
import type { Database } from '../database/database.ts';
import type { Listing, ListRequest } from '../database/listing.ts';
import { Failure } from '../domain/errors.ts';
import type { StoredResponses } from '../idempotency/idempotency-service.ts';
import { stylePictureBlobKey } from '../storage/blob-names.ts';
import type { BlobStore } from '../storage/blob-store.ts';
import type { NewStyle, SavedStyle, SavedStyleService, StyleFilter } from './saved-style.ts';
import {
  deleteStyle,
  insertStyle,
  listStyles,
  selectStyle,
  selectStyleNamed,
  updateName,
} from './style-store.ts';

export interface SavedStyleParts {
  readonly database: Database;
  readonly blobs: BlobStore;
  readonly responses: StoredResponses;
  readonly clock?: () => Date;
}

/** SQLSTATE of a violated unique index. */
const UNIQUE_VIOLATION = '23505';

export class DatabaseSavedStyles implements SavedStyleService {
  readonly #parts: Required<SavedStyleParts>;

  constructor(parts: SavedStyleParts) {
    this.#parts = { clock: () => new Date(), ...parts };
  }

  /** The picture is stored first: a crash in between leaves an orphaned file, which a sweep removes. */
  async create(
    { name, style, origin, pictureKey }: NewStyle,
    idempotency: Parameters<SavedStyleService['create']>[1],
  ): Promise<SavedStyle> {
    const { database, blobs, responses, clock } = this.#parts;
    const styleId = newId();
    const key = stylePictureBlobKey(styleId);
    const hasPicture = pictureKey !== null;
    if (hasPicture) await blobs.put(key, await blobs.get(pictureKey));
    const createdAt = clock();
    const saved = { styleId, name, style, origin, hasPicture, createdAt, updatedAt: createdAt, useCount: 0 };
    try {
      await database.transaction(async (transaction) => {
        if (!(await insertStyle(transaction, saved))) throw nameTaken(name);
        if (idempotency === null) return;
        await responses.store(transaction, idempotency.key, idempotency.response(saved));
      });
    } catch (error) {
      // With an unknown outcome the row may be there: the sweep of orphans decides.
      if (hasPicture && error instanceof Failure && error.code === 'STYLE_NAME_TAKEN')
        await blobs.remove(key);
      throw error;
    }
    if (idempotency !== null) responses.committed(idempotency.key);
    return saved;
  }

  async get(styleId: string): Promise<SavedStyle> {
    const style = isUuid(styleId) ? await selectStyle(this.#parts.database, styleId) : null;
    if (style === null) throw notFound(styleId);
    return style;
  }

  list(request: ListRequest<StyleFilter>): Promise<Listing<SavedStyle>> {
    return listStyles(this.#parts.database, request);
  }

  async rename(styleId: string, name: string): Promise<SavedStyle> {
    const { database, clock } = this.#parts;
    const isRenamed =
      isUuid(styleId) &&
      (await updateName(database, styleId, name, clock()).catch((error: unknown) => {
        throw (error as { readonly code?: unknown }).code === UNIQUE_VIOLATION ? nameTaken(name) : error;
      }));
    if (!isRenamed) throw notFound(styleId);
    return this.get(styleId);
  }

  /** Deletes the row first: a crash in between leaves an orphaned file. */
  async remove(styleId: string): Promise<void> {
    const { database, blobs } = this.#parts;
    if (!isUuid(styleId) || !(await deleteStyle(database, styleId))) throw notFound(styleId);
    await blobs.remove(stylePictureBlobKey(styleId.toLowerCase()));
  }

  async assertNameFree(name: string): Promise<void> {
    if ((await selectStyleNamed(this.#parts.database, name)) !== null) throw nameTaken(name);
  }
}

function notFound(styleId: string): Failure {
  return new Failure('STYLE_NOT_FOUND', `There is no saved style ${JSON.stringify(styleId)}`);
}

function nameTaken(name: string): Failure {
  const message = `another saved style has the name ${JSON.stringify(name)}; choose another one`;
  return new Failure('STYLE_NAME_TAKEN', `name: ${message}`, { fields: [{ path: 'name', message }] });
}
