import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { nearestWord } from '../../src/cli/did-you-mean.ts';
import { progressText } from '../../src/cli/progress-line.ts';
import { TimeLeft, timeText } from '../../src/cli/time-left.ts';

describe('a line of progress', () => {
  test('does not wrap, however narrow the terminal', () => {
    for (let columns = 4; columns <= 200; columns++) {
      for (const left of [null, 1, 59, 3599, 90_000]) {
        for (const fraction of [-1, 0, 0.333, 1, 2]) {
          const text = progressText('Measuring', fraction, left, columns);
          assert.ok(text.length < columns, `${text.length}: ${text}`);
        }
      }
    }
  });

  const ROWS: readonly [fraction: number, left: number | null, columns: number | undefined, text: RegExp][] =
    [
      [0.5, 12, 80, /^Rendering █{20}░{20} {2}50 % {2}12 s left$/],
      [0.5, 12, 0, /^Rendering █{20}░{20} {2}50 % {2}12 s left$/],
      [0.5, 12, undefined, /^Rendering █{20}░{20} {2}50 % {2}12 s left$/],
      [0.999, 61, 50, /^Rendering █{14} {2}99 % {2}1 min 1 s left$/],
      [0.25, null, 30, /^Rendering {2}25 %$/],
      [0.25, 7, 16, /^25 % {2}7 s left$/],
      [1, null, 80, /^Rendering █{40} 100 %$/],
    ];
  for (const [fraction, left, columns, text] of ROWS)
    test(`${fraction} in ${columns} columns`, () =>
      assert.match(progressText('Rendering', fraction, left, columns), text));
});

test('time in words', () => {
  const rows: readonly [number, string][] = [
    [0, '1 s'],
    [59.4, '59 s'],
    [59.5, '1 min 0 s'],
    [3599, '59 min 59 s'],
    [7260, '2 h 1 min'],
  ];
  for (const [seconds, text] of rows) assert.equal(timeText(seconds), text);
});

describe('time left', () => {
  test('is not known before something moved for a second', () => {
    const left = new TimeLeft();
    left.update(0, 0);
    left.update(0.1, 5000);
    assert.equal(left.seconds(5999), null);
    left.update(0.129, 6000);
    assert.equal(left.seconds(6000), null);
    left.update(0.13, 6000);
    assert.ok(Math.abs(left.seconds(6000)! - 29) < 0.01);
  });

  test('is right for even work after any earlier work', () => {
    for (const waitMs of [0, 700, 10_000]) {
      const left = new TimeLeft();
      for (let ms = 0; ms <= 8000; ms += 100) left.update(ms / 20_000, waitMs + ms);
      assert.ok(Math.abs(left.seconds(waitMs + 8000)! - 12) < 0.3, `${left.seconds(waitMs + 8000)} s`);
    }
  });
});

describe('suggestions', () => {
  const KNOWN = ['apply', 'analyze', 'extract', 'preview', 'presets', 'noir', 'golden-hour'];
  const rows: readonly [string, string | null][] = [
    ['aply', 'apply'],
    ['APPLY', 'apply'],
    ['analyse', 'analyze'],
    ['ext', 'extract'],
    ['pre', null],
    ['presest', 'presets'],
    ['nior', 'noir'],
    ['goldenhour', 'golden-hour'],
    ['bogus', null],
    ['x', null],
    ['', null],
  ];
  for (const [typed, expected] of rows)
    test(JSON.stringify(typed), () => assert.equal(nearestWord(typed, KNOWN), expected));
});
