/** Pins, bans and exclusions: no plan shows what a person has forbidden, and a contradiction names its two fields. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { type Failure, isFailure } from '../../../src/domain/errors.ts';
import { seededRandom } from '../../../src/signal/seeded-random.ts';
import type { EditRequest } from '../../../src/style/edit/edit-plan.ts';
import { planEdit } from '../../../src/style/edit/plan-edit.ts';
import { contentOf, madeRequest, madeSong, madeTake, madeTemplate, makeTakes } from './made-material.ts';

/** At 120 beats a minute: slots of 2, 1, 1, 2 and 4 s. */
const BEATS = [4, 2, 2, 4, 8];
const PLAIN = madeTake({ content: contentOf(90), seconds: 12, seed: 90 });
const PHOTO = madeTake({ content: contentOf(91), seconds: 0, seed: 91, isPhoto: true });
/** The same recording as `PLAIN`, as another file. */
const TWIN = madeTake({ content: contentOf(92), seconds: 12, seed: 90 });
const TAKES = [...makeTakes(2, 30), PLAIN, PHOTO];
const [TAKE, PHOTO_TAKE, TWIN_TAKE] = [2, 3, 4];

function requestOf(more: Partial<EditRequest>): EditRequest {
  const song = { song: madeSong(120, 60), startSeconds: null, templateStartSeconds: null };
  return madeRequest({ takes: TAKES, template: madeTemplate(BEATS), music: song, ...more });
}

const ban = (take: number, startSeconds: number, endSeconds: number) => ({ take, startSeconds, endSeconds });
const pin = (slot: number, take: number, startSeconds: number | null) => ({ slot, take, startSeconds });

function excluded(take: number, ...ranges: readonly (readonly [number, number])[]): EditRequest['takes'] {
  const exclude = ranges.map(([startSeconds, endSeconds]) => ({ startSeconds, endSeconds }));
  return TAKES.map((one, at) => (at === take ? { ...one, exclude } : one));
}

describe('a pin of what is forbidden is refused, with both fields', () => {
  const [START, ID] = ['edit.pins.0.start_seconds', 'edit.pins.0.video_id'];
  for (const [what, more, paths, text] of [
    [
      'begins in a ban',
      { pins: [pin(0, TAKE, 4)], bans: [ban(TAKE, 3, 6)] },
      [START, 'edit.bans.0.range'],
      /is 4: slot 0 shows 4\.00 to 6\.00 s in a part that is excluded or banned, \[3, 6\] \(edit\.bans\.0\.range\)/,
    ],
    [
      'begins in an exclusion',
      { pins: [pin(0, TAKE, 4)], takes: excluded(TAKE, [3, 6]) },
      [START, 'edit.takes.2.exclude.0'],
      /\[3, 6\] \(edit\.takes\.2\.exclude\.0\)/,
    ],
    [
      'runs into a ban',
      { pins: [pin(0, TAKE, 4)], bans: [ban(0, 0, 1), ban(TAKE, 5, 6)] },
      [START, 'edit.bans.1.range'],
      /4\.00 to 6\.00 s .*\[5, 6\]/,
    ],
    [
      'would be moved into a ban by the end of its take',
      { pins: [pin(0, TAKE, 11.5)], bans: [ban(TAKE, 10.2, 11)] },
      [START, 'edit.bans.0.range'],
      /is 11\.5: slot 0 shows 10\.00 to 12\.00 s .*\[10\.2, 11\]/,
    ],
    [
      'runs from an exclusion through a ban',
      { pins: [pin(3, TAKE, 4)], takes: excluded(TAKE, [0, 3], [5, 5.2]), bans: [ban(TAKE, 5.5, 9)] },
      [START, 'edit.takes.2.exclude.1', 'edit.bans.0.range'],
      /\[5, 5\.2\].* and \[5\.5, 9\]/,
    ],
    [
      'is of a take that is wholly banned',
      { pins: [pin(0, TAKE, null)], bans: [ban(TAKE, 0, 12)] },
      [ID, 'edit.bans.0.range'],
      /leaves 0\.00 s in one piece, but slot 0 lasts 2\.00 s/,
    ],
    [
      'is of a take whose rests are too short',
      { pins: [pin(0, TAKE, null)], takes: excluded(TAKE, [0.8, 4], [4.8, 11.2]) },
      [ID, 'edit.takes.2.exclude.0', 'edit.takes.2.exclude.1'],
      /leaves 0\.80 s in one piece, but slot 0 lasts [12]\.00 s/,
    ],
    [
      'is of a banned photo',
      { pins: [pin(0, PHOTO_TAKE, null)], bans: [ban(PHOTO_TAKE, 0, 1)] },
      [ID, 'edit.bans.0.range'],
      /is a photo that edit\.bans\.0\.range does not allow/,
    ],
    [
      'is of a photo of which any part is excluded',
      { pins: [pin(0, PHOTO_TAKE, 0)], takes: excluded(PHOTO_TAKE, [1, 2]) },
      [ID, 'edit.takes.3.exclude.0'],
      /is a photo/,
    ],
    [
      'shows what is banned in another file of the same recording',
      { takes: [...TAKES, TWIN], pins: [pin(0, TWIN_TAKE, 4)], bans: [ban(TAKE, 3, 6)] },
      [START, 'edit.bans.0.range'],
      /is 4: slot 0 .*\[3, 6\]/,
    ],
  ] as readonly (readonly [string, Partial<EditRequest>, readonly string[], RegExp])[]) {
    for (const order of ['story', 'free'] as const)
      test(`${what}, order ${order}`, () => {
        assert.throws(
          () => planEdit(requestOf({ ...more, order })),
          (error: Failure) => {
            assert.equal(error.code, 'VALIDATION_ERROR');
            assert.deepEqual(
              error.fields.map(({ path }) => path),
              paths,
            );
            assert.match(error.fields[0].message, text);
            for (const { message } of error.fields.slice(1)) assert.match(message, /edit\.pins\.0/);
            return true;
          },
        );
      });
  }

  test('all contradictions are named at once', () => {
    const more = { pins: [pin(0, TAKE, 4), pin(3, 1, 20)], bans: [ban(TAKE, 3, 6), ban(1, 20.5, 21)] };
    assert.throws(
      () => planEdit(requestOf(more)),
      (error: Failure) => {
        assert.deepEqual(
          error.fields.map(({ path }) => path),
          [START, 'edit.bans.0.range', 'edit.pins.1.start_seconds', 'edit.bans.1.range'],
        );
        return true;
      },
    );
  });
});

describe('a pin beside what is forbidden', () => {
  for (const [what, slot, startSeconds, bans, start, isMoved] of [
    ['ends where a ban begins', 0, 3, [[5, 6]], 3, false],
    ['begins where a ban ends', 0, 6, [[5, 6]], 6, false],
    ['runs a tenth of a second into a ban', 0, 3.1, [[5, 6]], 3, true],
    ['begins a tenth of a second before the end of a ban', 0, 5.9, [[5, 6]], 6, true],
    ['is moved by the end of its take', 0, 11.5, [[5, 6]], 10, true],
    ['is moved by the end of its take, to a ban', 0, 11.5, [[9, 10]], 10, true],
    [
      'is chosen in the only place',
      4,
      null,
      [
        [3, 4],
        [8.1, 12],
      ],
      null,
      false,
    ],
  ] as readonly (readonly [
    string,
    number,
    number | null,
    readonly (readonly [number, number])[],
    number | null,
    boolean,
  ])[]) {
    test(what, () => {
      const forbidden = bans.map(([from, to]) => ban(TAKE, from, to));
      const plan = planEdit(requestOf({ pins: [pin(slot, TAKE, startSeconds)], bans: forbidden }));
      const { take, sourceStartSeconds, sourceEndSeconds } = plan.slots[slot];
      assert.equal(take, TAKE);
      if (start === null) assert.ok(sourceStartSeconds >= 4 && sourceEndSeconds <= 8.1);
      else assert.ok(Math.abs(sourceStartSeconds - start) < 1e-3, `begins at ${sourceStartSeconds}`);
      assert.deepEqual(
        plan.warnings.map(({ code }) => code).filter((code) => code === 'EDIT_PIN_MOVED'),
        isMoved ? ['EDIT_PIN_MOVED'] : [],
      );
    });
  }
});

const REQUESTS = process.env['TEST_LONG'] === '1' ? 1500 : 20;

test(`${REQUESTS} random requests: nothing forbidden is shown, and refusals name both fields`, () => {
  let [planned, refused] = [0, 0];
  for (let seed = 1; seed <= REQUESTS; seed++) {
    const random = seededRandom(seed);
    const below = (count: number) => Math.floor(random() * count);
    const tenths = (seconds: number) => Math.round(10 * random() * seconds) / 10;
    const range = (take: number): readonly [number, number] => {
      const from = tenths(TAKES[take].material.durationSeconds - 1);
      return [from, from + 0.1 + tenths(3)];
    };
    const some = <T>(most: number, make: (at: number) => T) =>
      Array.from({ length: below(most + 1) }, (_, at) => make(at));
    const takes = TAKES.map((take, at) => ({
      ...take,
      exclude:
        at === PHOTO_TAKE
          ? []
          : some(2, () => range(at)).map(([startSeconds, endSeconds]) => ({ startSeconds, endSeconds })),
    }));
    const bans = some(3, () => {
      const take = below(PHOTO_TAKE);
      return ban(take, ...range(take));
    });
    const pins = some(3, (slot) => {
      const take = below(PHOTO_TAKE);
      return pin(slot, take, random() < 0.3 ? null : tenths(TAKES[take].material.durationSeconds - 0.1));
    });
    const lengths = random() < 0.3 ? [{ slot: 0, beats: 1 }] : [];
    const order = random() < 0.5 ? ('story' as const) : ('free' as const);
    try {
      const plan = planEdit(requestOf({ takes, bans, pins, lengths, order }));
      planned++;
      for (const [at, { take, sourceStartSeconds, sourceEndSeconds }] of plan.slots.entries())
        for (const part of [...takes[take].exclude, ...bans.filter((one) => one.take === take)]) {
          const shown =
            Math.min(sourceEndSeconds, part.endSeconds) - Math.max(sourceStartSeconds, part.startSeconds);
          assert.ok(shown <= 1e-3, `seed ${seed}: slot ${at} shows ${shown} s of a forbidden part`);
        }
      for (const { slot, take } of pins) assert.equal(plan.slots[slot].take, take);
    } catch (error) {
      if (!isFailure(error, 'VALIDATION_ERROR')) throw error;
      refused++;
      const paths = error.fields.map(({ path }) => path);
      assert.ok(
        paths.some((path) => path.startsWith('edit.pins.') || path.startsWith('edit.lengths.')),
        `seed ${seed}: ${paths}`,
      );
      if (paths.some((path) => path.startsWith('edit.pins.')))
        assert.ok(
          paths.some((path) => /exclude|bans/.test(path)),
          `seed ${seed}: ${paths}`,
        );
    }
  }
  assert.ok(planned > REQUESTS / 4 && refused > REQUESTS / 20, `${planned} planned, ${refused} refused`);
});
