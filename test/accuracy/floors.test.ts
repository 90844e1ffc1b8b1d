/**
 * The analysis against known truth, on a few real clips and on a few generated from fixed seeds: its scores may not fall
 * below its scores of 2026-11-22, with a margin for other versions of the decoders. `bench/analysis.ts` measures much more.
 */
import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { describe, type TestContext, test } from 'node:test';
import { type FindingsScore, judgedBy, scoreFindings } from '../../bench/accuracy/clip-score.ts';
import { figuresOf } from '../../bench/accuracy/totals.ts';
import { generateCaptions } from '../../bench/generate/captions.ts';
import { generateEdits } from '../../bench/generate/edits.ts';
import { generateSounds } from '../../bench/generate/sounds.ts';
import { generateWarps } from '../../bench/generate/warps.ts';
import { MEDIA } from '../../bench/lib/long-clip.ts';
import { measureClip } from '../../bench/lib/measure.ts';
import { readTruths } from '../../bench/lib/truth.ts';
import { mean } from '../../src/signal/statistics.ts';
import { temporaryFolder } from '../support/clips.ts';

const SEED = 1;
/** The first one's words, each lit in turn, are not found; of 78 drawn clips 35 of 39 are (decision 0073). */
const CAPTIONS_SEED = 2;
const REAL = [
  ...[
    'edit_landscape_a.mp4',
    'edit_vertical_a.mp4',
    'gl_transitions_reel_27s.mp4',
    'umapyoi_game_trailer_29s.mp4',
  ],
  ...['bbb_0_23s_timecode.mp4', 'bbb_1_dissolve_timecode.mp4', 'cartoon_cake_8s.mp4', 'nasa_webb_13s.mp4'],
  ...[
    'roof_zoom_17s.mp4',
    'social_word_captions_14s.mp4',
    'sam2_dog.mp4',
    'desk_pan_h263.3gp',
    'intel_cars_30s.mp4',
  ],
  ...[
    'feelings_95bpm_60s.ogg',
    'loop_amen_full_x4_140bpm.flac',
    'metal_madness_150bpm.ogg',
    '808kick_120bpm.mp3',
  ],
];

/** Figures in which less is better may not rise. Clips are generated again, and with another version or setting of x264 differ by a few percent. */
type Floors = Readonly<Record<string, readonly ['≥' | '≤', number]>>;

const REAL_FLOORS: Floors = {
  'hard cuts, F at ±1 frame': ['≥', 0.996],
  'gradual transitions, F': ['≥', 0.996],
  'their types, macro F': ['≥', 0.996],
  'their lengths, median error in frames': ['≤', 1.31],
  'false transitions a minute, all clips': ['≤', 0.0],
  'false transitions a minute, clips without gradual ones': ['≤', 0.0],
  'camera labels stated, precision': ['≥', 0.943],
  'camera labels stated, recall': ['≥', 0.814],
  'captions or none, precision': ['≥', 0.996],
  'captions or none, recall': ['≥', 0.996],
  'beats, F at ±70 ms, mean': ['≥', 0.988],
  'tempo within 1 %': ['≥', 0.996],
  'tempo within 4 %, halves and doubles allowed': ['≥', 0.996],
  'steady tempo found, within 0.2 %': ['≥', 0.996],
  'lengths of transitions, mean error in frames': ['≤', 2.2],
  'confidence in transitions, Brier score': ['≤', 0.0246],
  'confidence in camera labels, Brier score': ['≤', 0.1016],
  'confidence in captions, Brier score': ['≤', 0.0381],
  // The confidence is calibrated on songs and lower than these clips deserve (decision 0036).
  'confidence in tempo, Brier score': ['≤', 0.0815],
};
const MADE_FLOORS: Floors = {
  'hard cuts, F at ±1 frame': ['≥', 0.996],
  'gradual transitions, F': ['≥', 0.996],
  'their types, macro F': ['≥', 0.996],
  'their lengths, median error in frames': ['≤', 0.0],
  'their easing, share right': ['≥', 0.496],
  'false transitions a minute, all clips': ['≤', 0.0],
  'false transitions a minute, clips without gradual ones': ['≤', 0.0],
  'camera shift, median error in pixels of 160×90': ['≤', 0.0249],
  'camera shift, 95th percentile': ['≤', 0.0849],
  'camera scale, median error in %': ['≤', 0.0122],
  'camera scale, 95th percentile in %': ['≤', 0.069],
  'camera labels stated, precision': ['≥', 0.996],
  'camera labels stated, recall': ['≥', 0.996],
  'captions or none, precision': ['≥', 0.996],
  'captions or none, recall': ['≥', 0.996],
  'caption time found, share': ['≥', 0.95],
  'time wrongly called captioned, share of it': ['≤', 0.0525],
  'beats, F at ±70 ms, mean': ['≥', 0.984],
  'beats, continuity at the right level (CMLt)': ['≥', 0.961],
  'beats, continuity at any level (AMLt)': ['≥', 0.992],
  'tempo within 1 %': ['≥', 0.964],
  'tempo within 4 %, halves and doubles allowed': ['≥', 0.996],
  'steady tempo found, within 0.2 %': ['≥', 0.996],
  'beats a minute where there are none': ['≤', 0.0],
  'speech share, mean error': ['≤', 0.0475],
  'genres said, share right': ['≥', 0.996],
  'lengths of transitions, mean error in frames': ['≤', 0.67],
  'confidence in transitions, Brier score': ['≤', 0.0271],
  'confidence in camera labels, Brier score': ['≤', 0.0858],
  'confidence in captions, Brier score': ['≤', 0.0024],
  // Calibrated on songs, right in .96 of those at .8 and more: much lower than generated pieces deserve (decisions 0036, 0278).
  'confidence in tempo, Brier score': ['≤', 0.154],
  'confidence in beats, Brier score': ['≤', 0.225],
};

async function scoresOf(folder: string, names: readonly string[] | null): Promise<FindingsScore[]> {
  const scores: FindingsScore[] = [];
  for (const truth of readTruths(folder)) {
    if (names !== null && !names.includes(truth.name)) continue;
    scores.push(scoreFindings(truth, await measureClip(truth.path)));
  }
  return scores;
}

async function generated(): Promise<string> {
  const folder = temporaryFolder();
  await generateEdits(join(folder, 'edits'), SEED, ['slow']);
  await generateWarps(join(folder, 'warps'), SEED, 1);
  await generateCaptions(join(folder, 'captions'), CAPTIONS_SEED, 1);
  await generateSounds(join(folder, 'sounds'), SEED);
  return folder;
}

/** By name. Besides the benchmark's own figures some that move by little, where counts of right and wrong do not. */
function measuredFigures(scores: readonly FindingsScore[]): Map<string, number> {
  const unasked = { peers: { scdet: null, aubio: null }, cost: null };
  const whole = scores.map((score) => ({ ...score, ...unasked }));
  const figures = new Map<string, number>();
  for (const { name, value } of figuresOf(whole)) if (value !== null) figures.set(name, value);
  const lengths = scores.flatMap(({ transitions }) => transitions?.durationErrorsFrames ?? []);
  figures.set('lengths of transitions, mean error in frames', mean(lengths));
  // G. Brier, "Verification of forecasts expressed in terms of probability", 1950.
  for (const [kind, judged] of Object.entries(judgedBy(whole)))
    if (judged.length > 0)
      figures.set(
        `confidence in ${kind}, Brier score`,
        mean(judged.map(({ confidence, right }) => (confidence - right) ** 2)),
      );
  return figures;
}

function assertFloors(t: TestContext, scores: readonly FindingsScore[], floors: Floors): void {
  const figures = measuredFigures(scores);
  for (const [name, value] of figures) t.diagnostic(`${name}: ${value}`);
  const below = Object.entries(floors).flatMap(([name, [way, bound]]) => {
    const value = figures.get(name);
    const holds = value !== undefined && (way === '≥' ? value >= bound : value <= bound);
    return holds ? [] : [`${name}: ${value}, must be ${way} ${bound}`];
  });
  assert.deepEqual(below, []);
}

const missing = existsSync(MEDIA) ? false : 'needs ../shared/media';

describe('accuracy does not fall', { skip: missing }, () => {
  test('on real clips', async (t) => assertFloors(t, await scoresOf(MEDIA, REAL), REAL_FLOORS));
  test('on generated clips', async (t) =>
    assertFloors(t, await scoresOf(await generated(), null), MADE_FLOORS));
});
