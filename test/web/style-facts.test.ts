import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { StyleJSON } from '../../src/client/api-types.ts';
import { styleFacts } from '../../web/src/words/style-facts.ts';

/** Of an edit with a cut every two seconds. */
const EDIT = {
  cut_frequency: 0.5,
  source_duration_seconds: 60,
  aspect_ratio: '16:9',
  frame_rate: 25,
  tempo_bpm: 120,
  audio_style: { normalization_level: -14.2 },
} as unknown as StyleJSON;

function factOf(name: string, changes: Partial<StyleJSON>): string | undefined {
  return styleFacts({ ...EDIT, ...changes }).find(([one]) => one === name)?.[1];
}

describe('the facts of a style', () => {
  test('a share of cuts beyond chance never appears as a figure', () => {
    for (const cuts_on_beat of [-1, -0.09, 0, 0.04, 0.29])
      assert.equal(factOf('Rhythm', { cuts_on_beat }), 'a cut every 2.0 s');
    for (const cuts_on_beat of [0.3, 1])
      assert.equal(factOf('Rhythm', { cuts_on_beat }), 'a cut every 2.0 s, on the beat');
  });

  test('too few cuts are not on the beat', () => {
    assert.equal(factOf('Rhythm', { cuts_on_beat: 0.4, source_duration_seconds: 8 }), 'a cut every 2.0 s');
  });

  test('a level has a minus sign, and silence is a word', () => {
    assert.equal(factOf('Sound', {}), '120 BPM, −14.2 LUFS');
    assert.equal(factOf('Sound', { music_genre: 'silence' }), 'silent');
  });

  test('a shape of large numbers is one number', () => {
    assert.equal(factOf('Shape', {}), '16:9, 25 frames/s');
    assert.equal(factOf('Shape', { aspect_ratio: '213:113' }), '1.88:1, 25 frames/s');
    assert.equal(factOf('Shape', { aspect_ratio: '113:213' }), '1:1.88, 25 frames/s');
  });

  test('a kind of transition that a later service adds has its own name', () => {
    const transition_mix = { cut: 0.5, page_turn: 0.5 } as unknown as StyleJSON['transition_mix'];
    assert.equal(factOf('Transitions', { transition_mix }), '50 % cuts, 50 % page turn');
  });
});
