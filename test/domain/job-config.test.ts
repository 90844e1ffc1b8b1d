/** Each field of a job's `config` is described once, in its schema, and reaches everything that describes it. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { configDocument } from '../../scripts/build-config-table.ts';
import { apply } from '../../src/cli/apply.ts';
import { OPTION_FIELDS } from '../../src/cli/config-options.ts';
import { CONFIG_FIELDS, DEFAULT_JOB_CONFIG, describeField } from '../../src/domain/job-config.ts';
import { openApiDocument } from '../../src/http/routes/openapi.ts';

/** Fields without an option: `--comparison` names a file, and the command line has no queue. */
/** `--captions` and `--comparison` also name files; the other two are for services. */
const WITHOUT_OPTION = ['captions', 'comparison', 'priority', 'labels'];

/** Without the markup and line breaks by which documents differ. */
function plain(text: string): string {
  return text.replaceAll('`', '').replaceAll(/\s+/g, ' ');
}

describe('each field of a config', () => {
  const { JobConfig } = JSON.parse(JSON.stringify(openApiDocument('1.2.3', 'http://x'))).components.schemas;
  const { current, wanted } = configDocument();
  // The option of `components` has words of its own: lists in place of an object.
  const inHelp = OPTION_FIELDS.filter((field) => field !== 'components');

  for (const field of CONFIG_FIELDS) {
    test(`${field} is described in the OpenAPI document and in docs/integration.md`, () => {
      assert.match(describeField(field), /^[A-Z].{20,}/);
      assert.equal(JobConfig.properties[field].description, describeField(field));
      assert.ok(current.includes(`| \`${field}\` | `));
      assert.ok(current.includes(` | ${describeField(field)} |`));
    });
  }

  for (const field of inHelp) {
    test(`${field} is described by --help`, () => {
      assert.ok(plain(apply.help).includes(plain(describeField(field))), describeField(field));
    });
  }

  test('has an option of the command line, or is known to have none', () => {
    assert.deepEqual([...OPTION_FIELDS, ...WITHOUT_OPTION].sort(), [...CONFIG_FIELDS].sort());
  });

  test('that takes one value names its default', () => {
    for (const [field, value] of Object.entries(DEFAULT_JOB_CONFIG)) {
      if (typeof value === 'object') continue;
      assert.match(describeField(field as 'quality'), new RegExp(`Default: \`${value}\`$`));
    }
  });

  test('the table of docs/integration.md is the one of the schema', () => {
    assert.equal(current, wanted, 'the schema has changed: npm run build:config-table');
  });
});
