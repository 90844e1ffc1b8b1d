import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { z } from 'zod';
import { OPERATIONS } from '../../src/http/contract/operations.ts';
import { editSummarySchema } from '../../src/style/model/edit-summary.ts';
import { styleSchema } from '../../src/style/model/schema.ts';
import { check } from '../../src/untrusted/check.ts';

const SCHEMA = z.object({ name: z.string(), rows: z.array(z.object({ a: z.number(), b: z.number() })) });
const row = { a: 1, b: 2 };
const issues = (value: unknown) => check(SCHEMA, value).error?.issues.map(({ path }) => path.join('.'));

describe('a value of others', () => {
  test('that is right has no issue and is converted', () => {
    const schema = z.object({ a: z.string().transform(Number), b: z.number().default(3) });
    assert.deepEqual(check(schema, { a: '7' }).data, { a: 7, b: 3 });
  });

  for (const [what, value, expected] of [
    ['a small one names all', { rows: [row, {}, { a: 1 }] }, ['name', 'rows.1.a', 'rows.1.b', 'rows.2.b']],
    [
      'a large one names the first',
      { name: '', rows: [...Array(2000).fill(row), { a: 1 }, {}] },
      ['rows.2000.b'],
    ],
    ['a large one of nothing right', { name: '', rows: Array(200_000).fill(0) }, ['rows.0']],
  ] as const)
    test(`and its faults: ${what}`, () => {
      assert.deepEqual(issues(value), expected);
    });
});

interface JsonSchema {
  readonly $ref?: string;
  readonly $defs?: Readonly<Record<string, JsonSchema>>;
  readonly properties?: Readonly<Record<string, JsonSchema>>;
  readonly items?: JsonSchema;
  readonly anyOf?: readonly JsonSchema[];
  readonly oneOf?: readonly JsonSchema[];
  readonly allOf?: readonly JsonSchema[];
  readonly type?: string;
}

/** Every list in a JSON schema, as its path; items of lists are reached by 0. */
function listsOf(schema: JsonSchema, root = schema, path: readonly string[] = []): (readonly string[])[] {
  const { $ref, properties = {}, items, anyOf = [], oneOf = [], allOf = [], type } = schema;
  const definition = $ref === undefined ? undefined : root.$defs?.[$ref.slice('#/$defs/'.length)];
  return [
    ...(definition === undefined ? [] : listsOf(definition, root, path)),
    ...Object.entries(properties).flatMap(([name, inner]) => listsOf(inner, root, [...path, name])),
    ...[...anyOf, ...oneOf, ...allOf].flatMap((inner) => listsOf(inner, root, path)),
    ...(type === 'array' ? [path, ...(items === undefined ? [] : listsOf(items, root, [...path, '0']))] : []),
  ];
}

function valueAt([name, ...rest]: readonly string[], value: unknown): unknown {
  if (name === undefined) return value;
  return name === '0' ? [valueAt(rest, value)] : { [name]: valueAt(rest, value) };
}

describe('no list of an interface makes many issues', () => {
  const schemas: [string, z.ZodType][] = [
    ...Object.values(OPERATIONS)
      .filter(({ consumes }) => consumes === 'application/json')
      .map(({ id, body }): [string, z.ZodType] => [id, body]),
    ['style', styleSchema],
    ['summary', editSummarySchema],
  ];
  for (const [name, schema] of schemas) {
    const lists = listsOf(z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' }) as JsonSchema);
    test(`${name}: ${lists.length} lists`, () => {
      for (const path of lists)
        for (const item of [0, {}, [], '']) {
          const found = check(schema, valueAt(path, Array(10_000).fill(item)));
          assert.ok(
            (found.error?.issues.length ?? 0) <= 20,
            `${path.join('.')}: ${found.error?.issues.length}`,
          );
        }
    });
  }
});
