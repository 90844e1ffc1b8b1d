import type { Queryable } from '../database/database.ts';
import { Failure } from '../domain/errors.ts';

/** Throws `Failure` while a worker uses the installation. An embedded database has one process, so it has no other worker. */
export async function assertNoWorkers(db: Queryable): Promise<void> {
  const rows = await db.query<{ host: string; pid: number }>(
    `select host, pid from workers where seen_at > now() - interval '30 seconds' order by host, pid`,
  );
  if (rows.length === 0) return;
  const workers = rows.map(({ host, pid }) => `${host} (process ${pid})`).join(', ');
  throw new Failure(
    'SERVICE_UNAVAILABLE',
    `Workers were active within the last 30 s: ${workers}. Stop every process of the installation first; after a crash, wait for half a minute`,
  );
}
