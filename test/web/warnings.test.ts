import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { describe, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { ADVISED_WARNINGS, warningText } from '../../web/src/words/warnings.ts';

const SOURCES = fileURLToPath(new URL('../../src/style/plan/', import.meta.url));
const OF_A_KEY = /(?:^|[.!?] )(?:Set|Reduce) (?:[a-z_]+\.)*[a-z_]+(?: to |,)/;

describe('warnings on the page', () => {
  test('are the sentences of the service', () => {
    const message = 'The picture was enlarged 1.20 times: the visible part has 720 lines.';
    assert.equal(warningText({ code: 'LATER', message }), message);
    assert.equal(
      warningText({ code: 'X', message: 'Without a stop at 1.5 s' }),
      'Without a stop at 1.5\u00A0s.',
    );
  });

  test('refer to settings by their names on the page', () => {
    const message =
      'The crop cuts off captions for 1.0 of 2.0 s. Set framing to "pad" to show the whole picture.';
    assert.equal(
      warningText({ code: 'CROP_CUTS', message }),
      'The crop cuts off captions for 1.0 of 2.0\u00A0s. Choose Framing: Fit under More to show the whole picture.',
    );
    const color =
      'The template has few colors (0.31). Reduce components.color, for example to 0.4, for a weaker look.';
    assert.equal(
      warningText({ code: 'LOOK_UNSURE', message: color }),
      'The template has few colors (0.31). Lower the strength of Color for a weaker look.',
    );
  });

  test('name a quality as the page does', () => {
    const message =
      'The output was reduced to 852×480, because quality "low" permits at most 480 lines on the shorter side instead of 720. Set quality to "medium" for the full size.';
    assert.equal(
      warningText({ code: 'SIZE_CAPPED', message }),
      'The output was reduced to 852×480, because the quality Draft permits at most 480 lines on the shorter side instead of 720. Choose a higher quality for all lines.',
    );
  });

  test('leave out a setting that the page does not have', () => {
    const message = 'Take 2 is shown without its sound. Set edit.takes.role to "talk" to hear it.';
    assert.equal(warningText({ code: 'TALK_TAKE_SILENT', message }), 'Take 2 is shown without its sound.');
  });

  test('every warning that names a key has advice for the page, and no advice is left over', () => {
    const found = globSync('**/*.ts', { cwd: SOURCES }).flatMap((file) =>
      readFileSync(SOURCES + file, 'utf8')
        .split("code: '")
        .slice(1)
        .filter((after) => OF_A_KEY.test(after))
        .map((after) => after.slice(0, after.indexOf("'"))),
    );
    assert.deepEqual([...new Set(found)].sort(), [...ADVISED_WARNINGS].sort());
  });

  test('count shots and takes from 1', () => {
    const pin = 'The shot pinned in slot 3 begins at 2.00 s instead of 2.50 s: its take ends too soon.';
    assert.match(
      warningText({ code: 'EDIT_PIN_MOVED', message: pin }),
      /pinned in shot 4 begins at 2\.00\u00A0s/,
    );
    const unused = 'No usable moment or slot was left for must-use take 0, 2.';
    assert.match(warningText({ code: 'EDIT_TAKE_UNUSED', message: unused }), /must-use take 1, 3\.$/);
  });
});
