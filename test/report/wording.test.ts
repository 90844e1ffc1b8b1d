import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readableJson } from '../../src/report/readable-json.ts';
import { clock, decimal, frequencyText, lengthText, percent, signed } from '../../src/report/wording.ts';

for (const [seen, expected] of [
  [decimal(-2.345678, 2), '−2.35'],
  [decimal(-0.04, 1), '0.0'],
  [signed(12.4), '+12'],
  [signed(-12.4), '−12'],
  [signed(0.2), '0'],
  [percent(0.456), '46 %'],
  [clock(0), '0:00'],
  [clock(7.254, 2), '0:07.25'],
  [clock(59.996, 2), '1:00.00'],
  [clock(3723), '1:02:03'],
  [lengthText(0.4), '400 ms'],
  [lengthText(0.9999), '1000 ms'],
  [lengthText(1.6), '1.60 s'],
  [lengthText(17.25), '17.3 s'],
  [lengthText(125), '2 min 5 s'],
  [frequencyText(31.5), '32 Hz'],
  [frequencyText(44_100), '44.1 kHz'],
] as const) {
  test(`reads ${expected}`, () => assert.equal(seen, expected));
}

test('JSON for people is JSON, and keeps short things on a line', () => {
  const value = {
    name: 'x'.repeat(80),
    left: undefined,
    beats: Array.from({ length: 9 }, (_, beat) => ({ timestamp_ms: beat * 500, confidence: 0.9 })),
  };
  const text = readableJson(value);
  assert.deepEqual(JSON.parse(text), JSON.parse(JSON.stringify(value)));
  assert.ok(text.includes('\n    {"timestamp_ms":500,"confidence":0.9},\n'));
});
