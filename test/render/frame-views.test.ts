import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { test } from 'node:test';
import { VIEWS_WITH_HEAP } from '../../src/render/picture/frame-views.ts';

test('the V8 that draws knows the setting by which views of frames count with its heap', () => {
  const { status, stderr } = spawnSync(process.execPath, [VIEWS_WITH_HEAP, '--eval', ''], {
    encoding: 'utf8',
  });
  assert.equal(status, 0, stderr);
});
