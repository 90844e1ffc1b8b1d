import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { median, standardDeviation } from '../../../src/signal/statistics.ts';
import type { TemplateEdit } from '../../../src/style/edit/edit-plan.ts';
import { partedCuts } from '../../../src/style/edit/parted-cuts.ts';
import { BEATS, cutsOf, lengthsOf, offBeat, onBeatShare, RATE } from './made-cuts.ts';
import { madeSlot, madeSong, madeTemplate } from './made-material.ts';

function spreadOf(lengths: readonly number[]): number {
  return standardDeviation(lengths.map((length) => Math.log(length)));
}

describe('planCuts', () => {
  test('on songs of all tempi: lengths near the template’s, as spread, and on the beat', () => {
    const template = madeTemplate(BEATS);
    const seconds = template.slots.map(({ durationSeconds }) => durationSeconds);
    for (const bpm of [70, 85, 100, 128, 150, 175, 200]) {
      const song = madeSong(bpm, 400);
      const plan = cutsOf({ song });
      const lengths = lengthsOf(plan);
      const off = Math.abs(Math.log(median(lengths) / median(seconds)));
      assert.ok(off <= Math.log(1.5), `median ${median(lengths)} at ${bpm}`);
      // Where a beat is longer than the shortest shots of the template, these become as long as a beat.
      const least = bpm >= 120 ? 0.7 : 0.4;
      assert.ok(spreadOf(lengths) >= least * spreadOf(seconds), `spread ${spreadOf(lengths)} at ${bpm}`);
      assert.equal(onBeatShare(plan, song), 1, `at ${bpm}`);
      const total = lengths.reduce((sum, length) => sum + length, 0);
      assert.ok(Math.abs(total / 34 - 1) <= 0.05, `${total} s at ${bpm}`);
    }
  });

  // The song has half beats of .3 s; slots of 1.2 s and a shorter one, over and over.
  for (const [name, seconds, least] of [
    ['no flash of .3 s among shots of 1.2 s', 0.3, 0.48],
    ['nor of .4 s', 0.4, 0.48],
    ['.6 s is none', 0.6, 0.6],
  ] as const)
    test(`${name}, with a song and without`, () => {
      const slots = Array.from({ length: 24 }, (_, at) => madeSlot(at % 4 === 2 ? seconds : 1.2));
      const template = { ...madeTemplate(BEATS), slots };
      for (const song of [madeSong(100, 300), undefined]) {
        const lengths = lengthsOf(cutsOf({ template, ...(song === undefined ? { music: null } : { song }) }));
        assert.ok(Math.min(...lengths) >= least - 1.5 / RATE, `${lengths}`);
      }
    });

  test('a template that follows no beat: on the beat, unless its own freedom is wanted', () => {
    for (const seed of [1, 2, 3, 4, 5]) {
      const template = offBeat(madeTemplate(BEATS), seed);
      const song = madeSong(110, 300);
      assert.equal(onBeatShare(cutsOf({ template, song }), song), 1, `template ${seed}`);
      const loose = onBeatShare(cutsOf({ template, song, rhythm: 'loose' }), song);
      assert.ok(loose < 0.6, `${loose} of loose cuts, template ${seed}`);
    }
  });

  test('in a loose rhythm the template’s share of cuts off the beat is preserved', () => {
    // Every other cut a third of a beat late.
    const beats = BEATS.slice(0, 20).map((count, at) => count + (at % 2 === 0 ? 1 / 3 : -1 / 3));
    const template = { ...madeTemplate(beats), onBeatShare: 0.5 };
    const song = madeSong(110, 300);
    const plan = cutsOf({ template, song, seconds: 22, rhythm: 'loose' });
    assert.ok(Math.abs(onBeatShare(plan, song) - 0.5) <= 0.1, `${onBeatShare(plan, song)}`);
  });

  test('a fast template on a slow song: on whole beats, and as spread', () => {
    const template = madeTemplate(Array.from({ length: 36 }, (_, at) => (at % 4 === 2 ? 2 : 1)));
    const spread = spreadOf(template.slots.map(({ durationSeconds }) => durationSeconds));
    for (const bpm of [80, 90, 100, 110]) {
      const song = madeSong(bpm, 200);
      const plan = cutsOf({ template, song, seconds: 22.5 });
      assert.equal(onBeatShare(plan, song), 1, `at ${bpm}`);
      assert.ok(spreadOf(lengthsOf(plan)) >= 0.7 * spread, `${spreadOf(lengthsOf(plan))} at ${bpm}`);
    }
  });

  test('slots are little longer than the template’s where a slower reading of its beats is nearer to its pace', () => {
    const template = madeTemplate([6, 1, 1, 6, 1, 1, 6, 1, 1, 6, 1, 1]);
    const plan = cutsOf({ template, song: madeSong(175, 300), seconds: 16 });
    assert.ok(Math.max(...lengthsOf(plan)) <= 3 * 1.3, `${lengthsOf(plan)}`);
  });

  test('half beats where whole ones would double the shots', () => {
    const template = madeTemplate(Array.from({ length: 60 }, (_, at) => (at % 4 === 0 ? 1 : 0.5)));
    const lengths = lengthsOf(cutsOf({ template, song: madeSong(120, 300), seconds: 15 }));
    assert.ok(median(lengths) < 0.3, `${median(lengths)} s`);
  });

  test('half a second between shots of two seconds is a flash, several in turn are rhythm', () => {
    const rows = [
      [[4, 4, 1, 4, 4], 0],
      [[4, 4, 1, 1, 4, 4], 2],
    ] as const;
    for (const [beats, brief] of rows)
      for (const bpm of [100, 120]) {
        const template = madeTemplate(beats);
        const seconds = beats.reduce((sum, count) => sum + count / 2, 0);
        const lengths = lengthsOf(cutsOf({ template, song: madeSong(bpm, 100), seconds }));
        assert.equal(lengths.filter((length) => length < 0.7).length, brief, `${beats}: ${lengths}`);
      }
  });

  test('a flash is shorter than .75 s and goes to the shorter slot beside it, of equal ones to the one before', () => {
    for (const [seconds, frames] of [
      [
        [2, 2, 0.7, 2, 2],
        [60, 81, 60, 60],
      ],
      [
        [2, 2, 0.74, 2, 2],
        [60, 60, 22, 60, 60],
      ],
      [
        [2, 2, 0.7, 1.8, 2],
        [60, 60, 75, 60],
      ],
      [
        [2, 1.8, 0.7, 2, 2],
        [60, 75, 60, 60],
      ],
    ] as const) {
      const slots = seconds.map((length) => madeSlot(length));
      const total = seconds.reduce<number>((sum, length) => sum + length, 0);
      const plan = cutsOf({ template: { ...madeTemplate(BEATS), slots }, music: null, seconds: total });
      const lengths = plan.slots.map(({ startFrame, endFrame }) => endFrame - startFrame);
      assert.deepEqual(lengths, frames, `${seconds}`);
    }
  });

  test('slivers go to the slot before them; the first and the last slot are no stubs among longer ones', () => {
    // Shots of 2 s and .3 s at .96 of their length: 96 frames, and 14 or 15 of at least 15.
    const rows: readonly (readonly [readonly number[], number, readonly (readonly [number, number])[]])[] = [
      [
        [2, 0.3, 2, 2],
        6.048,
        [
          [0, 110],
          [2, 206],
          [3, 302],
        ],
      ],
      [
        [0.3, 2, 2, 2],
        6.048,
        [
          [0, 50],
          [1, 110],
          [2, 206],
          [3, 302],
        ],
      ],
      [
        [0.3, 0.3, 2, 2, 2],
        6.336,
        [
          [0, 50],
          [2, 125],
          [3, 221],
          [4, 317],
        ],
      ],
      [
        [0.2, 2, 2, 2],
        5.952,
        [
          [0, 50],
          [1, 106],
          [2, 202],
          [3, 298],
        ],
      ],
      [
        [2, 2, 2, 0.3],
        6.048,
        [
          [0, 96],
          [1, 192],
          [2, 237],
          [3, 302],
        ],
      ],
      [
        [0.8, 0.8, 0.8, 0.8, 0.4],
        3.6,
        [
          [0, 40],
          [1, 80],
          [2, 120],
          [3, 180],
        ],
      ],
    ];
    for (const [lengths, seconds, expected] of rows) {
      const slots = lengths.map((length) => madeSlot(length, { beats: null, phase: null }));
      const template = { slots, onBeatShare: null, tempoBpm: null, cutsPerBarByEnergy: null };
      const plan = cutsOf({ template, seconds, frameRate: 50 });
      assert.deepEqual(
        plan.slots.map(({ templateSlot, endFrame }) => [templateSlot, endFrame]),
        expected,
      );
    }
  });

  test('in a loose rhythm cuts within .06 s of a beat are meant to be on it', () => {
    for (const [seconds, frames] of [
      [0.055, 0],
      [0.07, 2],
      [-0.055, 0],
      [-0.07, -2],
    ] as const) {
      const phase = (1 + 2 * seconds) % 1;
      const even = madeTemplate(Array.from({ length: 12 }, () => 2));
      const template = { ...even, slots: even.slots.map((slot) => ({ ...slot, phase })) };
      const { slots } = cutsOf({ template, song: madeSong(120, 100), seconds: 12, rhythm: 'loose' });
      const asides = slots.slice(1).map(({ startFrame }) => startFrame - 15 * Math.round(startFrame / 15));
      assert.deepEqual(new Set(asides), new Set([frames]), `${seconds} s`);
    }
  });

  test('no slot is longer than the template’s ninth decile, two bars or three medians', () => {
    const even = [2, 2, 3, 2, 2, 3, 2, 2, 3, 2];
    const rows = [
      // [template in beats, does the last slot speak, longest in beats of a song of 120 a minute]
      ['a long last shot', [...even, 24], false, 3],
      ['two long shots', [...even, 24, 24], false, 8],
      ['two long shots of speech', [...even, 24, 24], true, 24],
      ['all are long', [16, 20, 16, 16, 20, 16], false, 9],
    ] as const;
    for (const [name, beats, speaks, longest] of rows) {
      const made = madeTemplate(beats);
      const slots = made.slots.map((slot, at) => (at >= even.length ? { ...slot, speaks } : slot));
      const runs = Array.from({ length: 60 }, () => ({ startSeconds: 0, endSeconds: 30 }));
      for (const song of [undefined, madeSong(120, 300)]) {
        const cuts = {
          template: { ...made, slots },
          playsTakes: true,
          runs,
          seconds: 40,
          ...(song === undefined ? {} : { song }),
        };
        const seconds = Math.max(...lengthsOf(cutsOf(cuts)));
        assert.ok(seconds <= (longest / 2) * 1.06, `${name}: ${seconds} s`);
      }
    }
  });

  test('a calm template has a slot for each take, while it stays calm', () => {
    const template = madeTemplate([16, 16, 12, 16]);
    for (const song of [undefined, madeSong(120, 300)])
      for (const [takes, least] of [
        [3, 4],
        [10, 10],
        [40, 11],
      ] as const) {
        const more = { template, seconds: 30, leastSlots: takes, ...(song === undefined ? {} : { song }) };
        const { length } = cutsOf(more).slots;
        assert.ok(length >= least && length <= 14, `${length} slots for ${takes} takes`);
      }
  });

  test('the first slot lasts half a second, the last one a second', () => {
    const template = madeTemplate([0.5, 2, 1, 2, 2, 1, 0.8]);
    for (const song of [undefined, madeSong(140, 300)])
      for (const seconds of [5, 6.2, 8.1, 11]) {
        const lengths = lengthsOf(cutsOf({ template, seconds, ...(song === undefined ? {} : { song }) }));
        assert.ok(lengths[0]! >= 0.5 - 1e-9, `first ${lengths[0]} s of ${seconds} s`);
        assert.ok(lengths.at(-1)! >= 1 - 1e-9, `last ${lengths.at(-1)} s of ${seconds} s`);
      }
  });

  test('a chorus is cut faster than a verse if the template does so', () => {
    const slow = Array.from({ length: 8 }, () => 4);
    const fast = Array.from({ length: 24 }, (_, at) => (at % 3 === 0 ? 2 : 1));
    const template: TemplateEdit = { ...madeTemplate([...slow, ...fast]), cutsPerBarByEnergy: [1, 2, 3] };
    // The song begins loud; the template, slow.
    const base = madeSong(120, 64);
    const song = { ...base, energy: base.energy.toReversed() };
    const { slots } = cutsOf({ template, song, seconds: 32 });
    const loud = slots.filter(({ startFrame }) => startFrame / RATE < 16).length;
    assert.ok(loud >= 1.8 * (slots.length - loud), `${loud} of ${slots.length} in the loud half`);
  });

  test('no beat: the template’s lengths, its hook and its ending', () => {
    const template: TemplateEdit = {
      slots: [3, 0.8, 1.1, 2.4, 0.9, 1.7, 1.2, 4].map((seconds) =>
        madeSlot(seconds, { beats: null, phase: null }),
      ),
      onBeatShare: null,
      tempoBpm: null,
      cutsPerBarByEnergy: null,
    };
    for (const seconds of [8, 15.1, 40]) {
      const plan = cutsOf({ template, seconds });
      assert.equal(plan.slots[0].templateSlot, 0);
      assert.equal(plan.slots.at(-1)!.templateSlot, 7);
      assert.equal(plan.slots.at(-1)!.endFrame, Math.round(seconds * RATE));
      assert.ok(Math.min(...lengthsOf(plan)) >= 0.3);
    }
  });

  test('slots longer than all material are parted, and the length stays', () => {
    const runs = Array.from({ length: 30 }, () => ({ startSeconds: 0, endSeconds: 1.5 }));
    for (const song of [undefined, madeSong(120, 200)]) {
      const plan = cutsOf({ runs, ...(song === undefined ? {} : { song }) });
      assert.ok(Math.max(...lengthsOf(plan)) <= 1.55);
      if (song === undefined)
        for (const [at, { templateSlot, isContinuation }] of plan.slots.entries())
          assert.equal(isContinuation, plan.slots[at - 1]?.templateSlot === templateSlot);
      assert.ok(Math.abs(plan.slots.at(-1)!.endFrame / RATE / 34 - 1) <= 0.05);
    }
  });

  test('a slot may be a frame and a half longer than its run', () => {
    for (const [length, count] of [
      [1.54, 6],
      [1.56, 12],
    ] as const) {
      const template = madeTemplate(Array.from({ length: 6 }, () => 2 * length));
      const plan = cutsOf({ template, seconds: 6 * length, longestAt: () => 1.5 });
      assert.equal(plan.slots.length, count, `${length} s`);
    }
  });

  test('an edit much shorter than its template gives each run to a slot that is used', () => {
    const beats = [4, 3, 5, 2, 4, 3, 7, 2, 4, 3, 6, 3, 5, 4, 8, 2];
    const runs = [0, 1].map(() => ({ startSeconds: 0, endSeconds: 5.2 }));
    for (const seconds of [5.7, 8, 10]) {
      const request = { template: madeTemplate(beats), runs, song: madeSong(95, 60), seconds };
      const lengths = lengthsOf(cutsOf(request));
      // The shortest of the template has two beats, 1.3 s; the last may end with the music's bar.
      assert.ok(Math.min(...lengths) >= 1, `${lengths}`);
    }
  });

  test('parts of a slot that nothing fills are no slivers beside the template’s shots', () => {
    // Its shortest shot has 1 s.
    const template = madeTemplate([4, 3, 2, 6]);
    const request = {
      template,
      music: null,
      rhythm: 'on_beat',
      playsTakes: false,
      seconds: 6,
      frameRate: RATE,
      runs: [],
    } as const;
    const slot = (endFrame: number) => ({
      slots: [
        { templateSlot: 0, startFrame: 0, endFrame, isContinuation: false },
        { templateSlot: 1, startFrame: endFrame, endFrame: endFrame + RATE, isContinuation: false },
      ],
      musicStartSeconds: null,
    });
    assert.equal(partedCuts(slot(RATE), new Set([0]), request), null, '1 s stays whole');
    assert.equal(partedCuts(slot(RATE), new Set([1]), request), null, 'the last would be below a second');
    assert.equal(partedCuts(slot(1.4 * RATE), new Set([0]), request)!.slots.length, 3);
  });

  test('the window starts on a phrase and ends on a bar', () => {
    const song = madeSong(120, 200);
    const plan = cutsOf({ song });
    const startBeat = plan.musicStartSeconds! * 2;
    assert.equal(startBeat % 16, 0);
    assert.equal((startBeat + (plan.slots.at(-1)!.endFrame / RATE) * 2) % 4, 0);
  });

  test('a song shorter than the edit: all of the song', () => {
    const plan = cutsOf({ song: madeSong(120, 32) });
    assert.equal(plan.musicStartSeconds, 0);
    assert.equal(plan.slots.at(-1)!.endFrame, 16 * RATE);
  });

  test('beats that were not found leave no hole in the grid', () => {
    const whole = madeSong(120, 200);
    const song = { ...whole, beats: whole.beats.filter((_, at) => at % 7 !== 3 && at % 11 !== 5) };
    const [plan, full] = [cutsOf({ song }), cutsOf({ song: whole })];
    assert.deepEqual(lengthsOf(plan), lengthsOf(full));
  });
});
