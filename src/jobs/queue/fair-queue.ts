import type { Queryable } from '../../database/database.ts';

/** Whose job it is, for taking turns, and its priority. */
export interface TurnRequest {
  readonly client: string;
  readonly priority: number;
}

const keyOf = ({ client, priority }: TurnRequest) => `${priority}/${client}`;

/** When each of these jobs has its turn, as `turnsFor` says. */
export async function nextTurns(db: Queryable, jobs: readonly TurnRequest[]): Promise<number[]> {
  return jobs.map(await turnsFor(db, jobs));
}

/**
 * Gives turns to these jobs, in the order in which it is asked: when each is done among those of its priority. It is start-time fair
 * queueing (Goyal, Vin and Cheng 1996) with equal shares. A client's first waiting job has its turn now, each further one a turn later, so that a thousand
 * jobs of one client let those of another between them. Numbers grow while jobs wait, and begin anew when none does.
 */
export async function turnsFor(
  db: Queryable,
  jobs: readonly TurnRequest[],
): Promise<(job: TurnRequest) => number> {
  const asked = [...new Map(jobs.map((job) => [keyOf(job), job])).values()];
  const rows = await db.query<{ client: string; priority: number; turn: number }>(
    `select client, priority, greatest(
       coalesce((select min(turn) from jobs where status = 'queued' and jobs.priority = asked.priority), 0),
       coalesce((select max(turn) + 1 from jobs where status in ('queued', 'processing')
         and jobs.client = asked.client and jobs.priority = asked.priority), 0)) as turn
     from unnest($1::text[], $2::text[]::integer[]) as asked (client, priority)`,
    [asked.map(({ client }) => client), asked.map(({ priority }) => String(priority))],
  );
  const next = new Map(rows.map((row) => [keyOf(row), row.turn]));
  return (job) => {
    const turn = next.get(keyOf(job))!;
    next.set(keyOf(job), turn + 1);
    return turn;
  };
}
