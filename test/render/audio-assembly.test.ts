import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { AudioAssembly } from '../../src/render/sound/audio-assembly.ts';
import type { Clip } from '../../src/style/model/timeline.ts';
import { timelineClip as clip } from '../support/timeline-clip.ts';

const RATE = 1000;

/** Sends a source through in blocks of `size` and joins the output. */
function assembled(clips: Clip[], source: Float32Array, size: number): Float32Array {
  const assembly = new AudioAssembly(clips, RATE);
  const parts: Float32Array[] = [];
  for (let at = 0; at < source.length; at += size) {
    const block = source.subarray(at, at + size);
    parts.push(assembly.push([block, block])[0]);
  }
  parts.push(assembly.finish()[0]);
  return Float32Array.from(parts.flatMap((part) => [...part]));
}

const ramp = Float32Array.from({ length: 4000 }, (_, i) => i);

describe('AudioAssembly', () => {
  for (const size of [1, 7, 100, 1024, 5000]) {
    test(`seamless clips leave the sound as it is, in blocks of ${size}`, () => {
      assert.deepEqual(assembled([clip(0, 1.5), clip(1.5, 4)], ramp, size), ramp);
    });
  }

  test('a part left out: the right length, untouched away from the join', () => {
    const out = assembled([clip(0, 1), clip(2, 3)], ramp, 64);
    assert.equal(out.length, 2000);
    assert.deepEqual(out.slice(0, 950), ramp.slice(0, 950));
    assert.deepEqual(out.slice(1050), ramp.slice(2050, 3000));
  });

  test('the join has equal power', () => {
    const constant = new Float32Array(4000).fill(1);
    const out = assembled([clip(0, 1), clip(2, 3)], constant, 64);
    // Two equal signals add up in amplitude: between 1 and the square root of 2, never a hole.
    for (const sample of out) assert.ok(sample > 0.99 && sample < 1.42, `${sample}`);
  });

  test('a source that ends early is followed by silence', () => {
    const out = assembled([clip(0, 4)], ramp.subarray(0, 1000), 64);
    assert.equal(out.length, 4000);
    assert.deepEqual(out.slice(0, 1000), ramp.slice(0, 1000));
    assert.ok(out.slice(1000).every((sample) => sample === 0));
  });
});
