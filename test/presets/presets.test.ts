import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { readFileSync, statSync } from 'node:fs';
import { describe, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { COMPONENT_NAMES } from '../../src/domain/job-choices.ts';
import { jobConfigSchema } from '../../src/domain/job-config.ts';
import { outlineOf } from '../../src/media/read/outline.ts';
import { readThumbnails } from '../../src/media/read/thumbnails.ts';
import { clipOf, PLAIN_PICTURE, pictureOf } from '../../src/presets/preset-pictures.ts';
import { PRESETS, presetNamed, withPreset } from '../../src/presets/presets.ts';
import { gradeLab } from '../../src/style/look/grade.ts';
import { cloudOfStatistics } from '../../src/style/look/grade-cloud.ts';
import { planGrade } from '../../src/style/look/grade-plan.ts';
import { NO_LOOK } from '../../src/style/model/look.ts';
import { colorStatistics } from '../support/clip-facts.ts';
import { decodeJpeg } from '../support/jpeg.ts';

/** A source that no colorist has touched. */
const PLAIN = colorStatistics();
const SOURCE = { statistics: PLAIN, cloud: cloudOfStatistics(PLAIN), look: NO_LOOK, people: 1 };

/** The graded grey of this lightness. */
function graded(id: string, lightness: number): { lightness: number; a: number; b: number } {
  const grade = planGrade(SOURCE, presetNamed(id).style, 1)!.grade;
  const lab = new Float64Array(3);
  gradeLab(grade, lightness, 0, 0, lab);
  return { lightness: lab[0], a: lab[1], b: lab[2] };
}

test('there are at least six, each with a name of its own and a picture of its own', async () => {
  assert.ok(PRESETS.length >= 6);
  assert.equal(new Set(PRESETS.flatMap(({ id, name }) => [id, name])).size, 2 * PRESETS.length);
  const seen = new Set<string>();
  for (const file of [PLAIN_PICTURE, ...PRESETS.map(pictureOf)]) {
    const { width, height, data } = await decodeJpeg(readFileSync(file));
    assert.deepEqual([width, height], [480, 270]);
    seen.add(createHash('sha256').update(data).digest('hex'));
  }
  assert.equal(seen.size, 1 + PRESETS.length);
  for (const { id } of PRESETS) assert.match(id, /^[a-z]+(-[a-z]+)*$/);
});

test('each has a clip of the same size that begins with its picture, small enough to ship', async () => {
  let bytes = 0;
  for (const preset of PRESETS) {
    const path = fileURLToPath(clipOf(preset));
    bytes += statSync(path).size;
    const { durationSeconds } = await outlineOf(path);
    assert.ok(durationSeconds !== null && durationSeconds > 3 && durationSeconds < 6);
    const [first] = await readThumbnails(path, {
      ...{ timesSeconds: [0], areaPixels: 480 * 270, onProgress: () => {} },
    });
    const [shown, picture] = await Promise.all([
      decodeJpeg(first!.jpeg),
      decodeJpeg(readFileSync(pictureOf(preset))),
    ]);
    const difference = shown.data.reduce((sum, value, at) => sum + Math.abs(value - picture.data[at]!), 0);
    assert.ok(difference / shown.data.length < 4, `${preset.id}: ${difference / shown.data.length}`);
  }
  assert.ok(bytes < 2e6, `${bytes} bytes`);
});

describe('what its name promises is done to a grey:', () => {
  const looks = [
    { id: 'golden-hour', says: 'warm in the light', holds: () => graded('golden-hour', 75).b > 8 },
    { id: 'blockbuster', says: 'teal in the dark', holds: () => isTeal(graded('blockbuster', 22)) },
    { id: 'blockbuster', says: 'orange in the light', holds: () => graded('blockbuster', 75).b > 5 },
    {
      id: 'noir',
      says: 'no color',
      holds: () => Math.hypot(graded('noir', 50).a, graded('noir', 50).b) < 1,
    },
    { id: 'noir', says: 'deeper darks', holds: () => graded('noir', 15).lightness < 13 },
    { id: 'faded-film', says: 'lifted blacks', holds: () => graded('faded-film', 10).lightness > 13 },
    { id: 'neon-night', says: 'blue in the dark', holds: () => graded('neon-night', 22).b < -8 },
    { id: 'winter-light', says: 'cool', holds: () => graded('winter-light', 50).b < -3 },
  ];
  for (const { id, says, holds } of looks) test(`${id}: ${says}`, () => assert.ok(holds()));
});

function isTeal({ a, b }: { a: number; b: number }): boolean {
  return a < -3 && b < -3;
}

describe('components outside a preset', () => {
  const noir = presetNamed('noir');
  const componentsOf = (config: Record<string, unknown>) =>
    jobConfigSchema.parse(withPreset(noir, config)).components;

  test('stays off', () => {
    const on = Object.entries(componentsOf({})).filter(([, isOn]) => isOn);
    assert.deepEqual(on, [['color', true]]);
  });

  test('is switched on by the job', () => {
    const { audio, motion } = componentsOf({ components: { audio: true } });
    assert.deepEqual({ audio, motion }, { audio: true, motion: false });
  });

  test('its own components are switched off by the job', () => {
    assert.ok(COMPONENT_NAMES.every((name) => !componentsOf({ components: { color: false } })[name]));
  });
});

test('an unknown name is answered with those that there are', () => {
  assert.throws(() => presetNamed('toString'), /no preset "toString"; there are golden-hour, blockbuster,/);
});
