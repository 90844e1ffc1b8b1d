import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { QUALITIES, RESOLUTION_LINES } from '../../src/domain/job-choices.ts';
import { likelyOutput } from '../../src/domain/work-estimate.ts';

import { outputBytes, renderingSeconds } from '../../web/src/state/estimate.ts';
import { DEFAULT_SETTINGS, type Settings } from '../../web/src/state/settings.ts';

const CLIP = { width: 1280, height: 720, duration_seconds: 10, frame_rate: 30, has_audio: true };

describe('guesses before rendering', () => {
  test('grow with the length, the size and the quality', () => {
    const seconds = (settings: Partial<Settings>, clip = CLIP) =>
      renderingSeconds(clip, { ...DEFAULT_SETTINGS, ...settings }, null);
    const usual = seconds({});
    // A clip of 10 s at 720 lines took 14 s on two cores that had other work too.
    assert.ok(usual > 5 && usual < 20, `${usual} s`);
    assert.ok(seconds({}, { ...CLIP, duration_seconds: 60 }) > 5 * usual);
    assert.ok(seconds({ resolution: '1080p' }) > usual);
    const byQuality = (['low', 'medium', 'high', 'ultra'] as const).map((quality) => seconds({ quality }));
    assert.deepEqual(
      [...byQuality].sort((a, b) => a - b),
      byQuality,
    );
  });

  test('know what the quality caps and what auto does', () => {
    const bytes = (settings: Partial<Settings>, lookLines: number | null = null) =>
      outputBytes(CLIP, { ...DEFAULT_SETTINGS, ...settings }, lookLines);
    assert.equal(
      bytes({ resolution: '2160p' }),
      bytes({ resolution: '1080p' }),
      'medium has at most 1080 lines',
    );
    assert.ok(
      bytes({ resolution: '2160p', quality: 'high' }) > 3 * bytes({ resolution: '1080p', quality: 'high' }),
    );
    assert.equal(bytes({}, 480), bytes({ resolution: 'source' }), 'auto is never smaller than the video');
    assert.equal(bytes({}, 2160), bytes({ resolution: '1080p' }), 'auto has at most 1080 lines');
  });

  test('are of the lines that the service has for each quality and resolution', () => {
    for (const [quality, { maxLines }] of Object.entries(QUALITIES)) {
      for (const [resolution, lines] of Object.entries(RESOLUTION_LINES)) {
        const config = { quality: quality as Settings['quality'], resolution };
        const upright = likelyOutput({ width: 1080, height: 1920 }, config, null);
        assert.ok(
          Math.abs(upright.width - Math.min(lines, maxLines ?? lines)) < 1e-9,
          `${quality} ${resolution}`,
        );
        assert.ok(Math.abs(upright.height / upright.width - 1920 / 1080) < 1e-9);
      }
    }
  });

  test('are near what a real clip took', () => {
    // CPU seconds of ten seconds of a dog, 1280 x 720 at 30 frames (`bench/estimate.ts`, 2026-11-25), on 1.7 of two cores.
    for (const [quality, cpuSeconds] of [
      ['low', 8.2],
      ['medium', 12.6],
      ['high', 28],
      ['ultra', 41.3],
    ] as const) {
      const guessed = renderingSeconds(CLIP, { ...DEFAULT_SETTINGS, quality }, null);
      const ratio = guessed / (cpuSeconds / 1.7);
      assert.ok(ratio > 1 / 1.4 && ratio < 1.4, `${quality}: ${guessed} s, ${ratio} of what it took`);
    }
  });

  test('of sound alone is left out where there is none', () => {
    const silent = outputBytes({ ...CLIP, has_audio: false }, DEFAULT_SETTINGS, null);
    assert.ok(outputBytes(CLIP, DEFAULT_SETTINGS, null) > silent);
  });
});
