import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { AudioAnalysis } from '../../src/analysis/audio.ts';
import { blocksOf, drums, noise, noiseSource, ROCK, SAMPLE_RATE, sine } from '../support/audio.ts';

function analyse(channels: readonly Float32Array[], sampleRate = SAMPLE_RATE) {
  const analysis = new AudioAnalysis({ sampleRate, channels: channels.length });
  for (const block of blocksOf(channels, { sampleRate, blockLength: sampleRate })) analysis.push(block);
  return analysis.finish();
}

/** Every stored number must be one that JSON can represent. */
function assertFinite(value: unknown, path = 'facts'): void {
  if (typeof value === 'number') assert.ok(Number.isFinite(value), `${path} is ${value}`);
  else if (value !== null && typeof value === 'object') {
    for (const [key, part] of Object.entries(value)) assertFinite(part, `${path}.${key}`);
  }
}

const whiteNoise = (sampleRate: number, seconds: number) =>
  Float32Array.from({ length: sampleRate * seconds }, noiseSource(5)).map((value) => value / 4);
const clipped = drums(112, 12, ROCK).map((value) => Math.max(-1, Math.min(1, value * 20)));
const glide = Float32Array.from({ length: 12 * SAMPLE_RATE }, (_, n) => {
  const t = n / SAMPLE_RATE;
  return 0.5 * Math.sin(2 * Math.PI * (300 * t + 20 * t * t));
});

describe('sound at the edges', () => {
  const pulseless: [string, readonly Float32Array[], number][] = [
    ['silence', [new Float32Array(5 * SAMPLE_RATE)], SAMPLE_RATE],
    ['one sample', [new Float32Array([0.5])], SAMPLE_RATE],
    ['0.2 s of a tone', [sine(440, -10, 0.2)], SAMPLE_RATE],
    ['a standing voltage', [new Float32Array(6 * SAMPLE_RATE).fill(0.7)], SAMPLE_RATE],
    ['a pure tone', [sine(997, -6, 8)], SAMPLE_RATE],
    ['a gliding tone', [glide], SAMPLE_RATE],
    ['noise near silence', [noise(-75, 6)], SAMPLE_RATE],
    ['white noise at 8 kHz', [whiteNoise(8000, 12)], 8000],
    ['white noise at 192 kHz', [whiteNoise(192_000, 3)], 192_000],
    [
      'a tone in the low-frequency channel of 7.1',
      Array.from({ length: 8 }, (_, c) => (c === 3 ? sine(50, -6, 4) : new Float32Array(4 * SAMPLE_RATE))),
      SAMPLE_RATE,
    ],
  ];
  for (const [name, channels, sampleRate] of pulseless) {
    it(`${name}: no beat, no speech`, () => {
      const facts = analyse(channels, sampleRate);
      assertFinite(facts);
      assert.equal(facts.tempo, null);
      assert.equal(facts.beats.length, 0);
      assert.equal(facts.speech.share, 0);
      assert.ok(['unknown', 'silence'].includes(facts.genre.name), facts.genre.name);
    });
  }

  it('hears the beat of a track that clips', () => {
    const facts = analyse([clipped, clipped]);
    assertFinite(facts);
    assert.ok(Math.abs(facts.tempo!.bpm - 112) < 0.3, `${facts.tempo?.bpm}`);
    assert.equal(facts.speech.share, 0);
  });

  it('is less sure of less sound', () => {
    const seconds = [0.2, 3, 30];
    const sure = seconds.map((length) => analyse([noise(-20, length)]).confidence);
    assert.ok(sure[0] < 0.05 && sure[1] < 0.3 && sure[2] === 1, `${sure}`);
  });
});
