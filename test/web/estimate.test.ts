import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { QUALITIES, RESOLUTION_LINES } from '../../src/domain/job-choices.ts';
import { fileBytes, likelyOutput } from '../../src/domain/work-estimate.ts';

import { outputBytes, renderingSeconds } from '../../web/src/state/estimate.ts';
import { DEFAULT_SETTINGS, type Settings } from '../../web/src/state/settings.ts';

/** 8,000 bytes for a million pixels, as many clips have. */
const CLIP = {
  ...{ width: 1280, height: 720, duration_seconds: 10, frame_rate: 30, has_audio: true },
  size_bytes: 2_370_000,
};

const secondsOf = (clip: typeof CLIP, settings: Settings) =>
  renderingSeconds(clip, settings, likelyOutput(clip, settings, null));
const bytesOf = (clip: typeof CLIP, settings: Settings, lookLines: number | null = null) =>
  outputBytes(clip, settings, likelyOutput(clip, settings, lookLines));

describe('guesses before rendering', () => {
  test('grow with the length, the size and the quality', () => {
    const seconds = (settings: Partial<Settings>, clip = CLIP) =>
      secondsOf(clip, { ...DEFAULT_SETTINGS, ...settings });
    const usual = seconds({});
    // Six seconds of 720 lines took 4.3 CPU seconds.
    assert.ok(usual > 3 && usual < 7, `${usual} s`);
    assert.ok(seconds({}, { ...CLIP, duration_seconds: 60 }) > 5 * usual);
    assert.ok(seconds({ resolution: '1080p' }) > usual);
    const byQuality = (['low', 'medium', 'high', 'ultra'] as const).map((quality) => seconds({ quality }));
    assert.deepEqual(
      [...byQuality].sort((a, b) => a - b),
      byQuality,
    );
  });

  test('include the limit of the quality and the size of auto', () => {
    const bytes = (settings: Partial<Settings>, lookLines: number | null = null) =>
      bytesOf(CLIP, { ...DEFAULT_SETTINGS, ...settings }, lookLines);
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

  test('are near the time of a real clip', () => {
    // CPU seconds of six seconds of a dog, 1280 x 720 at 30 frames, on 1.7 of two cores.
    const dog = { ...CLIP, duration_seconds: 6.1 };
    for (const [quality, cpuSeconds] of [
      ['low', 4.5],
      ['medium', 4.3],
      ['high', 7.6],
      ['ultra', 10.5],
    ] as const) {
      const guessed = secondsOf(dog, { ...DEFAULT_SETTINGS, quality });
      const ratio = guessed / (cpuSeconds / 1.7);
      assert.ok(ratio > 1 / 1.6 && ratio < 1.6, `${quality}: ${guessed} s, ${ratio} of what it took`);
    }
  });

  test('of bytes follow the density of the source and its motion', () => {
    const [calm, grainy] = [CLIP, { ...CLIP, size_bytes: 4 * CLIP.size_bytes }].map((clip) =>
      bytesOf(clip, DEFAULT_SETTINGS),
    );
    assert.ok(grainy > 1.6 * calm && grainy < 2.4 * calm, `${grainy} of ${calm}`);
    const moving = (motionIntensity: number) =>
      fileBytes({ durationSeconds: 10, hasAudio: false, motionIntensity }, CLIP, 'medium');
    assert.ok(moving(0.5) > 1.8 * moving(0), `${moving(0.5)} of ${moving(0)}`);
  });

  test('of sound alone is left out where there is none', () => {
    const silent = bytesOf({ ...CLIP, has_audio: false }, DEFAULT_SETTINGS);
    assert.ok(bytesOf(CLIP, DEFAULT_SETTINGS) > silent);
  });
});
