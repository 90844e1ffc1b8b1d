/** Our loudness meter compared with FFmpeg's `ebur128`, on real sounds. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { LoudnessMeter } from '../../src/analysis/loudness/loudness.ts';
import { openSamples } from '../../src/media/decode/samples.ts';
import { measureByEbur128 } from '../support/ebur128.ts';
import { mediaPath } from '../support/media.ts';

const SAMPLE_RATE = 48_000;
/** FFmpeg's values have steps of 0.01 LU, and its peaks, as shares of full scale, of 0.001; their interpolators differ. */
const INTEGRATED_LU = 0.02;
const RANGE_LU = 0.05;
const peakTolerance = (peak: number) => 0.0006 + 0.002 * peak;
/** Of few short-term values a percentile lies at one of them or between two: as far apart as neighbours are. */
const SHORT_RANGE_LU = 0.25;

const SOUNDS = [
  { name: 'music/feelings_95bpm_60s.ogg', range: RANGE_LU },
  { name: 'music/loop_amen_full_x4_140bpm.flac', range: RANGE_LU },
  { name: 'music/viper_cc0.mp3', range: RANGE_LU },
  { name: 'video/mdn_friday_speech.mp4', range: SHORT_RANGE_LU },
  // Six channels, less than 3 s of them: without a range.
  { name: 'video/bbb_rotated90_51aac.mp4', range: null },
];

async function measureByOurs(path: string) {
  let meter: LoudnessMeter | null = null;
  for await (const { channels } of openSamples(path, { sampleRate: SAMPLE_RATE, channels: 'source' })) {
    meter ??= new LoudnessMeter({ sampleRate: SAMPLE_RATE, channels: channels.length });
    meter.push(channels);
  }
  return meter!.finish();
}

describe('loudness as FFmpeg’s ebur128 measures it', () => {
  for (const { name, range } of SOUNDS) {
    const path = mediaPath(name);
    test(name, { skip: path === null && `needs ../shared/media/${name}` }, async () => {
      const [ours, theirs] = [await measureByOurs(path!), await measureByEbur128(path!, SAMPLE_RATE)];
      const reported = `${JSON.stringify({ ...ours, shortTermLufs: [] })}, by FFmpeg ${JSON.stringify(theirs)}`;
      assert.ok(Math.abs(ours.integratedLufs! - theirs.integratedLufs) <= INTEGRATED_LU, reported);
      if (range === null) assert.equal(ours.rangeLu, null);
      else assert.ok(Math.abs(ours.rangeLu! - theirs.rangeLu) <= range, reported);
      const peak = 10 ** (ours.truePeakDbtp! / 20);
      assert.ok(Math.abs(peak - theirs.truePeak) <= peakTolerance(peak), reported);
    });
  }
});
