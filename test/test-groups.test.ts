import assert from 'node:assert/strict';
import { globSync } from 'node:fs';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { readText, testGroups } from './support/test-groups.ts';
import { filesOf, PARTS_OF_TIERS, TIERS } from './support/test-tiers.ts';

const root = fileURLToPath(new URL('..', import.meta.url));

test('every test file is of one tier, and every part of a name selects one', () => {
  const files = globSync('test/**/*.test.ts', { cwd: root }).sort();
  const none = () => '';
  const all = [null, ...TIERS].flatMap((tier) => filesOf(tier, [], files, none));
  assert.deepEqual(all.sort(), files);
  for (const tier of TIERS) {
    const own = filesOf(tier, [], files, none);
    for (const part of PARTS_OF_TIERS[tier])
      assert.ok(
        own.some((file) => file.includes(part)),
        `${tier}: ${part}`,
      );
  }
});

test('every test file runs once, and groups have files of one folder', () => {
  const files = globSync('test/**/*.test.ts', { cwd: root }).sort();
  const { groups, alone } = testGroups(files, readText(root));
  assert.deepEqual([...alone, ...groups.flatMap((group) => group.files)].sort(), files);
  assert.ok(groups.length > 5);
  for (const group of groups) {
    assert.equal(new Set(group.files.map((file) => file.split('/')[1])).size, 1, group.name);
    assert.ok(group.files.length <= 25, `${group.files.length} files in ${group.name}`);
  }
});

for (const { text, isAlone } of [
  { text: `test('a', () => {});`, isAlone: false },
  { text: `describe('a', () => {\n  before(() => {});\n});`, isAlone: false },
  { text: `before(() => {});`, isAlone: true },
  { text: `afterEach(() => {});`, isAlone: true },
  { text: `const isLong = process.env['TEST_LONG'] === '1';`, isAlone: false },
  { text: `process.env['TZ'] = 'UTC';`, isAlone: true },
  { text: `const program = process.execPath;`, isAlone: false },
  { text: `const begun = performance.now();`, isAlone: true },
  { text: `t.mock.method(Date, 'now');`, isAlone: true },
]) {
  test(`${JSON.stringify(text)} runs ${isAlone ? 'alone' : 'with others'}`, () => {
    const texts = new Map([
      ['test/style/one.test.ts', text],
      ['test/style/two.test.ts', ''],
      ['test/style/three.test.ts', ''],
      ['test/http/four.test.ts', ''],
    ]);
    const { alone } = testGroups([...texts.keys()], (file) => texts.get(file)!);
    assert.deepEqual(
      alone,
      isAlone ? ['test/style/one.test.ts', 'test/http/four.test.ts'] : ['test/http/four.test.ts'],
    );
  });
}

for (const { text, isAlone } of [
  { text: `after(() => service.close());`, isAlone: false },
  { text: `before(async () => {});`, isAlone: false },
  { text: `beforeEach(async () => {});`, isAlone: true },
  { text: `process.env['TZ'] = 'UTC';`, isAlone: true },
]) {
  test(`with a database: ${JSON.stringify(text)} runs ${isAlone ? 'alone' : 'with others'}`, () => {
    const files = ['test/http/one.test.ts', 'test/http/two.test.ts', 'test/http/three.test.ts'];
    const { alone } = testGroups(files, (file) => (file === files[0] ? text : ''));
    assert.deepEqual(alone, isAlone ? [files[0]] : []);
  });
}
