/** Whose mouth moves, whose voice is heard, and how turns are scored: pictures, voices and turns with known answers. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { readSpeakerClips, type Turn } from '../../bench/speakers/clips.ts';
import { type MouthSample, mouthChange } from '../../bench/speakers/mouths.ts';
import { scoreTurns, sumOf } from '../../bench/speakers/score.ts';
import {
  bestPath,
  loudMoments,
  mouthEvidence,
  type Path,
  turnsByMouths,
  turnsByVoices,
} from '../../bench/speakers/turns.ts';
import { CURVES_PER_SECOND, TimbreMeter, type VoiceMoment } from '../../bench/speakers/voices.ts';
import type { Picture } from '../../src/domain/footage.ts';
import { seededRandom } from '../../src/signal/seeded-random.ts';

const FACE = { x: 0.25, y: 0.2, width: 0.25, height: 0.6 };
const SIZE = { width: 80, height: 45 };

/** A textured face before a textured ground, moved to the right by whole pixels, with its mouth open or shut. */
function face(options: { readonly moved?: number; readonly mouth?: 'open' | 'shut' } = {}): Picture {
  const { moved = 0, mouth = 'shut' } = options;
  const random = seededRandom(7);
  const texture = Float32Array.from({ length: SIZE.width * SIZE.height }, () => 60 + 120 * random());
  const data = Uint8Array.from({ length: SIZE.width * SIZE.height }, (_, at) => {
    const [x, y] = [(at % SIZE.width) - moved, Math.floor(at / SIZE.width)];
    const isMouth = x >= 27 && x < 33 && y >= 29 && y < 33;
    return isMouth && mouth === 'open' ? 10 : texture[y * SIZE.width + Math.max(0, x)]!;
  });
  return { ...SIZE, channels: 1, data };
}

describe('how much a mouth changes', () => {
  it('is nothing while the face stands still, or goes where its shift is found', () => {
    assert.equal(mouthChange(face(), face(), FACE), 0);
    assert.equal(mouthChange(face(), face({ moved: 2 }), FACE), 0);
    assert.ok(mouthChange(face(), face({ moved: 3 }), FACE)! > 0.3, 'further than is searched');
  });

  it('is told in a face that moves as well', () => {
    const still = mouthChange(face(), face({ mouth: 'open' }), FACE)!;
    assert.ok(still > 0.1, `${still}`);
    assert.ok(Math.abs(mouthChange(face(), face({ mouth: 'open', moved: 1 }), FACE)! - still) < 0.02);
  });

  it('is in the contrast of the face', () => {
    const paled = (picture: Picture): Picture => ({
      ...picture,
      data: picture.data.map((value) => 100 + value / 4),
    });
    const change = mouthChange(face(), face({ mouth: 'open' }), FACE)!;
    const pale = mouthChange(paled(face()), paled(face({ mouth: 'open' })), FACE)!;
    assert.ok(Math.abs(pale / change - 1) < 0.1, `${pale} of ${change}`);
  });

  it('is not known outside the picture', () => {
    assert.equal(mouthChange(face(), face(), { ...FACE, x: 1.2 }), null);
  });
});

const seconds = (count: number) => Math.round(count * CURVES_PER_SECOND);
const pathOf = (...runs: readonly (readonly [side: 0 | 1, length: number])[]): Path =>
  runs.flatMap(([side, length]) => new Array<0 | 1>(seconds(length)).fill(side));
const evidenceOf = (path: Path, strength = 1) => path.map((side) => (side === 1 ? strength : -strength));

describe('the best path', () => {
  it('follows turns to the frame', () => {
    const turns = pathOf([0, 2], [1, 1.4], [0, 3]);
    assert.deepEqual(bestPath(evidenceOf(turns)), turns);
  });

  it('passes over what is too short for a turn, at the ends as well', () => {
    assert.deepEqual(bestPath(evidenceOf(pathOf([0, 2], [1, 0.5], [0, 2]))), pathOf([0, 4.5]));
    assert.deepEqual(bestPath(evidenceOf(pathOf([0, 0.5], [1, 4]))), pathOf([1, 4.5]));
    assert.deepEqual(bestPath(evidenceOf(pathOf([0, 4], [1, 0.5]))), pathOf([0, 4.5]));
  });

  it('changes for what is worth more than it costs', () => {
    const turns = pathOf([0, 3], [1, 2], [0, 3]);
    assert.deepEqual(bestPath(evidenceOf(turns, 0.05)), pathOf([0, 8]));
    assert.deepEqual(bestPath(evidenceOf(turns, 0.15)), turns);
  });

  it('is one turn of what is shorter than two', () => {
    assert.deepEqual(bestPath(evidenceOf(pathOf([1, 1]))), pathOf([1, 1]));
    assert.deepEqual(bestPath([]), []);
  });
});

/** Each speaker has a timbre of his own, in noise; between phrases nobody speaks. */
function voicesOf(path: Path): VoiceMoment[] {
  const random = seededRandom(3);
  return path.map((side, at) => ({
    level: at % 40 < 36 ? 1 : 0,
    timbre: Array.from({ length: 14 }, (_, place) => (place % 2 === side ? 1 : -1) + 4 * (random() - 0.5)),
  }));
}

function mouthsOf(
  path: Path,
  left: readonly [number, number],
  right: readonly [number, number],
): MouthSample[] {
  return path.map((side, at) => ({
    timeSeconds: at / CURVES_PER_SECOND,
    left: left[side]!,
    right: right[side]!,
  }));
}

/** Share of the moments at which two paths are one. */
const likeness = (one: Path, other: Path) =>
  one.filter((side, at) => side === other[at]).length / other.length;

describe('turns', () => {
  const turns = pathOf([0, 4], [1, 3], [0, 2], [1, 4]);
  const voices = voicesOf(turns);
  const isLoud = loudMoments(voices);

  it('are told by mouths where either moves more than the other in its turns', () => {
    const mouths = mouthEvidence(mouthsOf(turns, [0.2, 0.05], [0.05, 0.2]), turns.length);
    assert.ok(likeness(turnsByMouths(mouths, isLoud), turns) > 0.98);
    assert.ok(likeness(turnsByVoices(mouths, voices, isLoud), turns) > 0.98);
  });

  it('need voices where one mouth always moves more', () => {
    const mouths = mouthEvidence(mouthsOf(turns, [0.1, 0.06], [0.14, 0.2]), turns.length);
    assert.deepEqual(turnsByMouths(mouths, isLoud), pathOf([1, 13]));
    assert.ok(likeness(turnsByVoices(mouths, voices, isLoud), turns) > 0.95);
  });

  it('are not changed by what is seen in silence', () => {
    const quiet = isLoud.map((_, at) => at < seconds(6));
    const mouths = mouthEvidence(mouthsOf(turns, [0.2, 0.05], [0.05, 0.2]), turns.length);
    assert.ok(likeness(turnsByMouths(mouths, quiet), pathOf([0, 4], [1, 9])) > 0.98);
  });
});

it('what is faint beside the clip, or beside what sounds within a second, is silence', () => {
  const voices = [
    ...[1, 0.07, 0.05].map((level) => ({ level, timbre: [] })),
    ...Array.from({ length: 3 * CURVES_PER_SECOND }, () => ({ level: 0, timbre: [] })),
    ...[0.05, 0.02].map((level) => ({ level, timbre: [] })),
  ];
  const isLoud = loudMoments(voices);
  assert.deepEqual([...isLoud.slice(0, 3), ...isLoud.slice(-2)], [true, true, false, true, false]);
});

it('a timbre goes with the spectrum and not with its level', () => {
  const timbreOf = (hz: number, gain: number) => {
    const meter = new TimbreMeter(44_100);
    const samples = Float32Array.from(
      { length: 44_100 },
      (_, n) =>
        gain * [1, 2, 3, 4].reduce((sum, part) => sum + Math.sin((2 * Math.PI * hz * part * n) / 44_100), 0),
    );
    meter.push({ startSeconds: 0, sampleRate: 44_100, channels: [samples, samples] });
    return meter.finish()[12]!;
  };
  const distance = (one: VoiceMoment, other: VoiceMoment) =>
    Math.hypot(...one.timbre.map((value, place) => value - other.timbre[place]!));
  const [low, loud, high] = [timbreOf(110, 0.05), timbreOf(110, 0.2), timbreOf(330, 0.05)];
  assert.ok(distance(low, loud) < 0.01 * distance(low, high), `${distance(low, loud)}`);
  assert.ok(Math.abs(loud.level / low.level - 4) < 0.01);
});

describe('the score of turns', () => {
  const turns: readonly Turn[] = [
    { startSeconds: 0, endSeconds: 4, speaker: 'left' },
    { startSeconds: 4, endSeconds: 5, speaker: 'both' },
    { startSeconds: 6, endSeconds: 8, speaker: 'right' },
    { startSeconds: 8, endSeconds: 9, speaker: 'left' },
  ];

  it('counts what is shown, beside a crop that stays', () => {
    const score = scoreTurns(pathOf([0, 7], [1, 3]), turns);
    assert.deepEqual(score, {
      ...{ spoken: 8, shown: 6, stayed: 6, alone: 7, aloneShown: 5, aloneStayed: 5 },
      // The first change lies between 4 and 6 s, and 7 is too late; the second is not told at all.
      ...{ wanted: 2, found: 0, told: 1 },
    });
  });

  it('finds a change while the word goes over, or shortly before and after', () => {
    for (const [at, found] of [
      [3.32, 0],
      [3.4, 1],
      [6.6, 1],
      [6.68, 0],
    ] as const)
      assert.equal(scoreTurns(pathOf([0, at], [1, 9 - at]), turns).found, found, `${at} s`);
  });

  it('adds up', () => {
    const score = scoreTurns(pathOf([0, 5], [1, 4]), turns);
    assert.deepEqual(sumOf([score, score]).shown, 2 * score.shown);
    assert.equal(sumOf([]).wanted, 0);
  });
});

describe('the clips', () => {
  const clips = readSpeakerClips();
  for (const { file, repository, commit, sha256, seconds: length, turns, truth } of clips) {
    it(`says where ${file} comes from and when who speaks`, () => {
      assert.match(`${repository} ${commit} ${sha256}`, /^https:\S+ [0-9a-f]{40} [0-9a-f]{64}$/);
      assert.equal(truth, false);
      for (const [index, { startSeconds, endSeconds }] of turns.entries()) {
        assert.ok(startSeconds >= (turns[index - 1]?.endSeconds ?? 0) && endSeconds > startSeconds);
        assert.ok(endSeconds <= length);
      }
    });
  }

  it('keeps each source within one half', () => {
    const halves = new Map(clips.map(({ sha256, half }) => [sha256, half]));
    for (const { sha256, half, file } of clips) assert.equal(halves.get(sha256), half, file);
  });
});
