import type { StoredResponses } from '../idempotency/idempotency-service.ts';
import type { Config } from '../settings/config.ts';
import { DatabaseImportService, type ImportService } from './import-service.ts';
import { Importer, type ImporterParts } from './importer.ts';

/** After 5 s, half a minute, two and ten minutes: enough for a server that restarts, or that is repaired. */
const RETRY_DELAYS_MS = [5_000, 30_000, 120_000, 600_000];

export interface ImportsParts extends Omit<ImporterParts, 'retryDelaysMs'> {
  readonly config: Config;
  readonly responses: StoredResponses;
  readonly retryDelaysMs?: readonly number[];
}

export interface Imports {
  readonly service: ImportService;
  /** Starts to run imports in this process. */
  start(): Promise<void>;
  stop(): Promise<void>;
}

export function openImports(parts: ImportsParts): Imports {
  const { database, networks, responses, config } = parts;
  const importer = new Importer({ retryDelaysMs: RETRY_DELAYS_MS, ...parts });
  return {
    service: new DatabaseImportService({ database, networks, responses, maxOpen: config.MAX_OPEN_UPLOADS }),
    start: () => importer.start(),
    stop: () => importer.stop(),
  };
}
