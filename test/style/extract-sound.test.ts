import assert from 'node:assert/strict';
import { test } from 'node:test';
import { extractSoundStyle } from '../../src/style/extract/extract.ts';
import { styleSchema } from '../../src/style/model/schema.ts';
import { styleSentence } from '../../src/style/model/style-sentence.ts';
import { audioFacts, pulse } from '../support/clip-facts.ts';

test('of a sound file: rhythm and sound, and nothing that a picture has', () => {
  const audio = audioFacts(pulse(126, 40));
  const style = extractSoundStyle(audio, { createdAt: new Date(0), fingerprint: 'AQAB' });
  assert.deepEqual(styleSchema.parse(style), style);
  assert.match(styleSentence(style), /^Sound alone, 126 BPM/);
  assert.deepEqual(
    [style.source_kind, Math.round(style.tempo_bpm!), style.fingerprint],
    ['audio', 126, 'AQAB'],
  );
  assert.deepEqual(style.confidence, {
    ...{ color: 0, pacing: 0, transitions: 0, motion: 0, subtitles: 0 },
    audio: audio.confidence,
  });
  assert.deepEqual([style.look, style.edit, style.palette], [undefined, undefined, undefined]);
  const silent = audioFacts({ loudness: { ...audio.loudness, integratedLufs: null } });
  assert.equal(
    extractSoundStyle(silent, { createdAt: new Date(0), fingerprint: 'AQAB' }).fingerprint,
    undefined,
  );
});
