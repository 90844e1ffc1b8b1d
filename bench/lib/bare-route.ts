/** Reference for a job's creation: a bare Fastify route that inserts one row into the same kind of database. */
import { randomUUID } from 'node:crypto';
import fastify from 'fastify';
import { openPglite } from '../../src/database/pglite.ts';

const database = await openPglite(process.argv[2]);
await database.query(
  'create table rows (id uuid primary key, body json not null, created_at timestamptz not null)',
);
const app = fastify();
app.post('/rows', async (request, reply) => {
  const id = randomUUID();
  await database.query('insert into rows values ($1, $2, now())', [id, request.body]);
  return reply.code(201).send({ id });
});
const address = await app.listen({ port: 0 });
console.log(JSON.stringify({ msg: 'listening', address }));
process.once('SIGTERM', async () => {
  await app.close();
  await database.close();
});
