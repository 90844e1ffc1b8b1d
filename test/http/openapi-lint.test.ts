import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { openApiDocument } from '../../src/http/routes/openapi.ts';
import { temporaryFolder } from '../support/clips.ts';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const run = promisify(execFile);

test('the document passes the linter: redocly.yaml', async () => {
  const file = join(temporaryFolder(), 'openapi.json');
  const lint = (document: object) => {
    writeFileSync(file, JSON.stringify(document));
    const words = ['lint', file, '--config', join(ROOT, 'redocly.yaml'), '--format=json'];
    const env = { ...process.env, REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true' };
    return run(join(ROOT, 'node_modules', '.bin', 'redocly'), words, { env, maxBuffer: 1e8 }).catch(
      (error: { stdout: string }) => error,
    );
  };
  const problems = async (document: object) => {
    const { stdout } = await lint(document);
    const found = JSON.parse(stdout) as {
      problems: { ruleId: string; message: string; location: unknown }[];
    };
    return found.problems.map(({ ruleId, message, location }) => [ruleId, message, JSON.stringify(location)]);
  };
  const document = openApiDocument('1.2.3', 'http://127.0.0.1:8080');
  assert.deepEqual(await problems(document), []);
  const rules = (await problems({ ...document, tags: [] })).map(([rule]) => rule);
  assert.ok(rules.includes('operation-tag-defined'), 'the linter looks');
});
