/** Text of others is parsed in one way: `src/untrusted`, in a thread of its own, or in a media process. This finds code that does it otherwise. */
import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { fileURLToPath } from 'node:url';

const SRC = fileURLToPath(new URL('../../src/', import.meta.url));
const PACKAGE = fileURLToPath(new URL('../../package.json', import.meta.url));

const PARSERS: Readonly<Record<string, RegExp>> = {
  'JSON.parse': /\bJSON\.parse\b/,
  'json of a stream': /\bjson\b[^;]* from 'node:stream\/consumers'/,
  'json of a response': /(?<!\bz)\.json\(\)/,
  'zod’s safeParse, without a limit of its issues': /\.safeParse(?:Async)?\(/,
  'a caption file': /\bparseCaptionFile\(/,
  'a table of colors': /\bparseCubeFile\(/,
};

/** Where each parser may be called, and why. All other files call `parseJson`, `check` and `readOnThread`. */
const ALLOWED: Readonly<Record<keyof typeof PARSERS, Readonly<Record<string, string>>>> = {
  'JSON.parse': {
    'pipeline/stages/results.ts': 'our result in the blob store',
    'untrusted/json.ts': 'after the text is counted',
    'sandbox/stored-protection.ts': 'our file in our folder',
    'database/prepared-cluster.ts': 'files of this package',
    'database/directory-lock.ts': 'our file in the data directory',
    'webhooks/secret-agreement.ts': 'our row of the database',
    'cli/log-lines.ts': 'lines of our own log',
    'received/visible-text.ts': 'a text made from data that was checked',
    'pipeline/engine/plan-data-task.ts': 'measurements, in a media process',
    'pipeline/engine/plan-tasks.ts': 'a transcript that was checked, in a media process',
  },
  'json of a stream': {
    'http/routes/job-files.ts': 'our result in the blob store',
    'http/routes/plan-previews.ts': 'our result in the blob store',
    'pipeline/previews/picture-service.ts': 'our result in the blob store',
    'pipeline/previews/preview-blobs.ts': 'our result in the blob store',
    'pipeline/stages/products.ts': 'our result in the blob store',
    'pipeline/stages/proxy.ts': 'our result in the blob store',
    'pipeline/stages/segment-cache.ts': 'our result in the blob store',
  },
  'json of a response': {},
  'zod’s safeParse, without a limit of its issues': {
    'untrusted/check.ts': 'up to the first fault of a large value',
    'settings/config.ts': 'settings of the operator',
    'cli/config-options.ts': 'an argument of the command line',
    'cli/public-url.ts': 'an argument of the command line',
    'cli/webhook-networks.ts': 'an argument of the command line',
    'http/routes/analysis.ts': 'our result in the blob store',
  },
  'a caption file': {
    'style/captions/file.ts': 'its definition',
    'http/routes/caption-thread.ts': 'on a thread',
    'pipeline/engine/plan-tasks.ts': 'in a media process',
    'pipeline/direct/direct-edit.ts':
      'a file of at most 4 MiB that the caller of the command or library names',
  },
  'a table of colors': {
    'style/look/cube-file.ts': 'its definition',
    'pipeline/direct/direct-edit.ts':
      'a file of bounded size that the caller of the command or library names',
  },
};

/** Packages that read text of others. A parser of another format belongs on a thread, and here. */
const PARSING_PACKAGES: Readonly<Record<string, string>> = {
  '@fastify/busboy': 'forms as a stream, with limits',
  busboy: 'forms as a stream, with limits',
};
const PARSING_NAME =
  /xml|yaml|toml|csv|ini$|json5|html|markdown|marked|srt|vtt|subtitle|sax|cheerio|busboy|multipart|parse/i;

const sources = readdirSync(SRC, { recursive: true, encoding: 'utf8' })
  .filter((name) => name.endsWith('.ts'))
  .map((name) => ({ name, code: withoutComments(readFileSync(join(SRC, name), 'utf8')) }));

function withoutComments(text: string): string {
  return text.replace(/\/\*[\s\S]*?\*\//g, '').replace(/^\s*\/\/.*$/gm, '');
}

describe('text of others is read in one way', () => {
  for (const [what, pattern] of Object.entries(PARSERS)) {
    test(what, () => {
      const found = sources.filter(({ code }) => pattern.test(code)).map(({ name }) => name);
      assert.deepEqual(found.sort(), Object.keys(ALLOWED[what]!).sort());
    });
  }

  test('the patterns find the usual ways', () => {
    for (const [what, code] of [
      ['JSON.parse', 'lines.map(JSON.parse)'],
      ['json of a stream', "import { buffer, json } from 'node:stream/consumers';"],
      ['json of a response', 'await response.json()'],
      ['zod’s safeParse, without a limit of its issues', 'schema.safeParse(value)'],
    ] as const)
      assert.match(code, PARSERS[what]!);
  });

  test('no package parses another format', () => {
    const { dependencies, optionalDependencies = {} } = JSON.parse(readFileSync(PACKAGE, 'utf8'));
    const parsing = Object.keys({ ...dependencies, ...optionalDependencies }).filter((name) =>
      PARSING_NAME.test(name),
    );
    assert.deepEqual(
      parsing.filter((name) => PARSING_PACKAGES[name] === undefined),
      [],
    );
  });

  test('threads are started with limits: by `readOnThread`, or for our own work', () => {
    const found = sources.filter(({ code }) => /\bnew Worker\(/.test(code)).map(({ name }) => name);
    const own = ['database/postgres-client.ts', 'jobs/open-jobs.ts'];
    assert.deepEqual(found.sort(), [...own, 'untrusted/thread.ts'].sort());
  });
});
