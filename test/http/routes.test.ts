/** The OpenAPI document contains all existing paths, methods and codes, and no others. */
import assert from 'node:assert/strict';
import { globSync } from 'node:fs';
import { after, describe, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { JOB_ERRORS, REQUEST_ERRORS } from '../../src/domain/errors.ts';
import { OPERATIONS } from '../../src/http/contract/operations.ts';
import { openApiDocument } from '../../src/http/routes/openapi.ts';
import { call } from '../support/client.ts';
import { openHttp } from '../support/http.ts';

const ROOT = new URL('../../', import.meta.url);
const ADMIN_TOKEN = 'of-these-tests-and-long-enough-0123456789';
const service = await openHttp({ ADMIN_TOKEN });
after(() => service[Symbol.asyncDispose]());
const headers = { authorization: `Bearer ${ADMIN_TOKEN}` };

// biome-ignore lint/suspicious/noExplicitAny: a JSON document
const document = JSON.parse(JSON.stringify(openApiDocument('1.2.3', 'http://x'))) as any;
const PATHS = Object.entries(document.paths as Record<string, Record<string, unknown>>);
const METHODS = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'];

const patternOf = (path: string) => new RegExp(`^${path.replaceAll(/\{\w+\}/g, '[^/]+')}$`);

test('every operation that is written is one of the list', async () => {
  const files = globSync('src/http/contract/*operations.ts', { cwd: fileURLToPath(ROOT) });
  const modules = await Promise.all(files.map((file) => import(new URL(file, ROOT).href)));
  const written = modules
    .flatMap((module) => Object.values(module) as object[])
    .filter((value) => 'id' in value && 'method' in value && 'path' in value)
    .map((value) => (value as { id: string }).id);
  assert.deepEqual([...new Set(written)].sort(), OPERATIONS.map(({ id }) => id).toSorted());
});

describe('the service accepts for each path what the document contains, and no more', () => {
  for (const [path] of PATHS) {
    test(path, async () => {
      const at = path.replaceAll(/\{\w+\}/g, 'none');
      // `/videos/upload` is a video's path as well.
      const reported = PATHS.filter(([other]) => patternOf(other).test(at))
        .flatMap(([, methods]) => Object.keys(methods))
        .map((method) => method.toUpperCase());
      const other = METHODS.find((method) => !reported.includes(method))!;
      const reply = await call(service.baseUrl, other, at, { headers });
      assert.equal(reply.body.error.code, 'METHOD_NOT_ALLOWED', `${other} ${at}`);
      const claimed = reply.headers.get('allow')!.split(', ');
      // HEAD goes with GET, but for streams of events.
      assert.deepEqual(
        claimed.filter((method) => method !== 'HEAD').sort(),
        [...new Set(reported), 'OPTIONS'].sort(),
      );
    });
  }
});

test('the document names every code of requests and of jobs', () => {
  const { schemas } = document.components;
  const codes = (name: string) => schemas[name].properties.error.properties.code.enum;
  assert.deepEqual(codes('Error').toSorted(), Object.keys(REQUEST_ERRORS).sort());
  const ofJobs = new Set(Object.keys(JOB_ERRORS));
  const enums = [...JSON.stringify(schemas).matchAll(/"enum":(\[[^\]]*\])/g)].map(([, list]) =>
    JSON.parse(list!),
  );
  assert.ok(
    enums.some((list: string[]) => ofJobs.symmetricDifference(new Set(list)).size === 0),
    'the codes of jobs are listed somewhere, all of them',
  );
});
