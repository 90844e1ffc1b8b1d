/** Hostile values in every path parameter, query parameter and header of every operation: refused or served, never a 500. */
import assert from 'node:assert/strict';
import { request } from 'node:http';
import { after, test } from 'node:test';
import { OPERATIONS } from '../../src/http/contract/operations.ts';
import { assertForm } from '../support/client.ts';
import { IS_FULL } from '../support/figures.ts';
import { openHttp } from '../support/http.ts';

const ADMIN_TOKEN = 'of-these-tests-and-long-enough-0123456789';
const service = await openHttp({ ADMIN_TOKEN });
after(() => service[Symbol.asyncDispose]());

const UNKNOWN_ID = '0197f3a0-0000-7000-8000-000000000000';
const cursor = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url');
const HOSTILE = [
  ...['', ' ', '0', '-1', '1.5', '1e400', '-1e400', 'NaN', 'Infinity', '9'.repeat(400), '0x10', '2147483648'],
  ...[
    '9007199254740993',
    'null',
    'true',
    '[]',
    '{}',
    '__proto__',
    'constructor',
    '../../etc/passwd',
    '%',
    '%00',
  ],
  ...[
    '\0',
    'a\0b',
    '\ud800',
    '\u202e\u0000',
    'Ünïcödé 视频 🎬',
    "' or 1=1 --",
    '\\',
    '%5',
    '*',
    'x'.repeat(3_000),
  ],
  ...['+275760-09-13T00:00:00.000Z', '-271821-04-20T00:00:00.000Z', '10000-01-01T00:00:00Z', '0000-01-01'],
  ...[cursor(['+010000-01-01T00:00:00.000Z', UNKNOWN_ID]), cursor(['0000-01-01T00:00:00.000Z', UNKNOWN_ID])],
  ...[cursor([]), cursor(null), cursor({}), cursor([Number.MAX_VALUE, '\0']), cursor('\ud800'), UNKNOWN_ID],
];
/** What Node lets a client send in a header. */
const headerValue = (value: string) => value.replaceAll(/[^\t\x20-\x7e\x80-\xff]/g, '\x80');
/** Read by the server, the same for every operation. */
const GENERAL_HEADERS = [
  ...['Host', 'X-Forwarded-For', 'X-Forwarded-Host', 'X-Forwarded-Proto', 'Origin', 'Prefer'],
  ...['X-Request-Id', 'Traceparent', 'Accept-Encoding', 'Content-Type', 'X-HTTP-Method-Override'],
];
/** Where many operations read a value in one place, each of them gets one of so many shares of the values. */
const SHARES = IS_FULL ? 1 : 8;

interface Sent {
  readonly method: string;
  readonly path: string;
  readonly headers?: Readonly<Record<string, string | string[]>>;
}

async function assertAnswered({ method, path, headers = {} }: Sent): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<{ status: number; response: Response }>();
  const { hostname, port } = new URL(service.baseUrl);
  const all = { authorization: `Bearer ${ADMIN_TOKEN}`, ...headers };
  const sent = request({ hostname, port, method, path, headers: all, agent: false }, (answer) => {
    const chunks: Buffer[] = [];
    answer.on('data', (chunk: Buffer) => chunks.push(chunk));
    answer.once('error', reject).once('end', () => {
      const status = answer.statusCode ?? 0;
      const fields = new Headers();
      for (const [name, value] of Object.entries(answer.headers)) fields.set(name, [value].flat().join(', '));
      const body = status === 204 || status === 304 ? null : Buffer.concat(chunks);
      resolve({ status, response: new Response(body, { status, headers: fields }) });
    });
  });
  sent.once('error', reject).end();
  const what = `${method} ${path.slice(0, 200)} ${JSON.stringify(headers).slice(0, 300)}`;
  const { status, response } = await promise;
  assert.ok(status < 500, `${what}: ${status} ${await response.clone().text()}`);
  if (status < 400) return;
  const body = (await response.json().catch(() => assert.fail(`${what}: no JSON`))) as Record<
    string,
    unknown
  >;
  assertForm(response, body);
}

/** How many operations have this parameter in their path. */
const operationsWith = (parameter: string) =>
  OPERATIONS.filter(({ path }) => path.includes(parameter)).length;
const withIds = (path: string) => path.replaceAll(/\{\w+\}/g, UNKNOWN_ID);

function* requestsOf(
  { method, path, query, headers = {} }: (typeof OPERATIONS)[number],
  share: number,
): Generator<Sent> {
  const names = Object.keys((query as { shape?: object }).shape ?? {});
  for (const [index, value] of HOSTILE.entries()) {
    const encoded = encodeURIComponent(value.toWellFormed());
    const isMany = index % SHARES === share;
    for (const [parameter] of path.matchAll(/\{\w+\}/g)) {
      if (!isMany && operationsWith(parameter) > SHARES) continue;
      for (const text of [encoded, value.replaceAll(/[^\x21-\x7e]|[/?#]/g, '%ff')])
        yield { method, path: withIds(path.replace(parameter, text)) };
    }
    for (const name of names) {
      const at = withIds(path);
      yield { method, path: `${at}?${name}=${encoded}` };
      // Lists are read in one place.
      if (isMany) yield { method, path: `${at}?${name}=${encoded}&${name}=${encoded}&${name}[]=${encoded}` };
    }
    const general = isMany ? GENERAL_HEADERS : [];
    for (const name of [...Object.keys(headers), ...general])
      yield { method, path: withIds(path), headers: { [name]: headerValue(value) } };
  }
}

/** Their states are stopped for all other tests. */
const isSteering = (id: string) => id === 'pauseQueue';

for (const [index, operation] of OPERATIONS.entries()) {
  if (isSteering(operation.id)) continue;
  test(operation.id, async () => {
    for (const sent of requestsOf(operation, index % SHARES)) await assertAnswered(sent);
  });
}
