import assert from 'node:assert/strict';
import { test } from 'node:test';
import { EnvelopeMeter } from '../../src/media/read/envelope.ts';

const RATE = 8000;

function close(observed: readonly number[], expected: readonly number[], tolerance = 1e-6): void {
  assert.equal(observed.length, expected.length);
  for (const [at, value] of expected.entries())
    assert.ok(Math.abs(observed[at] - value) <= tolerance, `column ${at}: ${observed[at]}, not ${value}`);
}

/** One second of each level: +level, −level/2 in turn. */
function steps(levels: readonly number[]): Float32Array {
  return Float32Array.from({ length: levels.length * RATE }, (_, n) => {
    const level = levels[Math.floor(n / RATE)];
    return n % 2 === 0 ? level : -level / 2;
  });
}

test('least, greatest and RMS of each column, however the sound is cut into blocks', () => {
  const levels = [0.5, 0, 1, 0.25];
  const samples = steps(levels);
  for (const blockLength of [samples.length, 1000, 777]) {
    const meter = new EnvelopeMeter({ sampleRate: RATE, durationSeconds: 4, columns: 4 });
    for (let from = 0; from < samples.length; from += blockLength) {
      meter.push(from / RATE, [samples.subarray(from, from + blockLength)]);
    }
    const { min, max, rms, durationSeconds } = meter.finish();
    assert.equal(durationSeconds, 4);
    close(max, levels);
    close(
      min,
      levels.map((level) => -level / 2),
    );
    close(
      rms,
      levels.map((level) => Math.sqrt((level * level * 1.25) / 2)),
    );
  }
});

test('counts all channels, a late start, and samples beyond the end', () => {
  const meter = new EnvelopeMeter({ sampleRate: RATE, durationSeconds: 3, columns: 3 });
  meter.push(1, [steps([0.5, 0.5]), steps([0.2, 0.8])]);
  meter.push(3, [steps([0.9]), steps([0])]);
  const { max, rms } = meter.finish();
  close(max, [0, 0.5, 0.9]);
  assert.equal(rms[0], 0);
});
