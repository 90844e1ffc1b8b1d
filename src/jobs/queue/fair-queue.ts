import type { Queryable } from '../../database/database.ts';

/** The client and priority of a job that needs a turn. */
export interface TurnRequest {
  readonly client: string;
  readonly priority: number;
}

const keyOf = ({ client, priority }: TurnRequest) => `${priority}/${client}`;

/** Reads the current turns and returns the turn of each of these jobs, as `turnsFor` does. */
export async function nextTurns(db: Queryable, jobs: readonly TurnRequest[]): Promise<number[]> {
  return jobs.map(await turnsFor(db, jobs));
}

/**
 * Assigns turns in the order of the requests: a job's place among those of its priority. This is start-time
 * fair queueing (Goyal, Vin and Cheng 1996) with equal shares. A client's first waiting job gets the current
 * turn, each further one the next. Jobs of other clients thus run between a thousand jobs of one client.
 * Numbers grow while jobs wait, and restart when none waits.
 */
export async function turnsFor(
  db: Queryable,
  jobs: readonly TurnRequest[],
): Promise<(job: TurnRequest) => number> {
  const requests = [...new Map(jobs.map((job) => [keyOf(job), job])).values()];
  const rows = await db.query<{ client: string; priority: number; turn: number }>(
    `select client, priority, greatest(
       coalesce((select min(turn) from jobs where status = 'queued' and jobs.priority = requests.priority), 0),
       coalesce((select max(turn) + 1 from jobs where status in ('queued', 'processing')
         and jobs.client = requests.client and jobs.priority = requests.priority), 0)) as turn
     from unnest($1::text[], $2::text[]::integer[]) as requests (client, priority)`,
    [requests.map(({ client }) => client), requests.map(({ priority }) => String(priority))],
  );
  const next = new Map(rows.map((row) => [keyOf(row), row.turn]));
  return (job) => {
    const turn = next.get(keyOf(job))!;
    next.set(keyOf(job), turn + 1);
    return turn;
  };
}
