/** Cuts that move by beats of .5 s, in frames. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { CutPlan } from '../../../src/style/edit/cut-plan.ts';
import type { EditLength, EditRequest } from '../../../src/style/edit/edit-plan.ts';
import { changedCuts, lengthenedCuts } from '../../../src/style/edit/slot-lengths.ts';
import { madeRequest, madeSong, madeTemplate, makeTakes } from './made-material.ts';

const REQUEST = madeRequest({ takes: makeTakes(1, 20), template: madeTemplate([4, 2, 4, 6]), music: null });
/** Slots of 2, 1, 2 and 3 s. */
const CUTS = [0, 60, 90, 150, 240];

function planOf(cuts: readonly number[], musicStartSeconds: number | null = null): CutPlan {
  const slots = cuts.slice(1).map((endFrame, at) => ({
    ...{ templateSlot: at, startFrame: cuts[at]!, endFrame, isContinuation: false },
  }));
  return { slots, musicStartSeconds };
}

const cutsOf = ({ slots }: CutPlan) => [0, ...slots.map(({ endFrame }) => endFrame)];

function musicUntil(soundEndSeconds: number): Pick<EditRequest, 'music'> {
  const song = { ...madeSong(120, 60), soundEndSeconds };
  return { music: { song, startSeconds: null, templateStartSeconds: null } };
}

test('the nearest slot that can gives or takes the beat; else the end moves', () => {
  const short = [0, 60, 90, 105, 135];
  // [cuts, slot, beats, longest run in seconds, cuts then, beats of each slot]
  type Row = readonly [
    string,
    readonly number[],
    number,
    number,
    number,
    readonly number[],
    readonly number[],
  ];
  const rows: readonly Row[] = [
    ['the next one gives', CUTS, 1, 1, 9, [0, 60, 105, 150, 240], [0, 1, -1, 0]],
    ['two beats', CUTS, 1, 2, 9, [0, 60, 120, 150, 240], [0, 2, -2, 0]],
    ['the next ones have no beat to give', short, 1, 1, 9, [0, 60, 105, 120, 135], [0, 1, 0, -1]],
    ['a slot before it gives', [0, 60, 90, 105], 1, 1, 9, [0, 45, 90, 105], [-1, 1, 0]],
    ['none can', [0, 15, 45, 60], 1, 1, 9, [0, 15, 60, 75], [0, 1, 0]],
    ['the next one takes', CUTS, 1, -1, 2.5, [0, 60, 75, 150, 240], [0, -1, 1, 0]],
    ['it is as long as its takes', CUTS, 1, -1, 2.49, [0, 60, 75, 135, 225], [0, -1, 0, 0]],
    ['one before it takes', [0, 30, 60, 150], 1, -1, 2, [0, 45, 60, 150], [1, -1, 0]],
  ];
  for (const [name, cuts, slot, beats, longest, expected, changes] of rows) {
    const changed = changedCuts(planOf(cuts), { ...REQUEST, lengths: [{ slot, beats }] }, longest);
    assert.deepEqual([cutsOf(changed.cuts), changed.beats], [expected, changes], name);
  }
});

test('a slot is at most as long as a run and a frame and a half, unless it is pinned', () => {
  const lengths: readonly EditLength[] = [{ slot: 1, beats: 1 }];
  const pins = [{ slot: 1, take: 0, startSeconds: 0 }];
  const grown = (longest: number, more: Partial<EditRequest> = {}) =>
    changedCuts(planOf(CUTS), { ...REQUEST, lengths, ...more }, longest);
  for (const accepted of [() => grown(1.45), () => grown(1.4, { pins })])
    assert.deepEqual(cutsOf(accepted().cuts), [0, 60, 105, 150, 240]);
  assert.throws(() => grown(1.44), {
    fields: [
      {
        path: 'edit.lengths.0.beats',
        code: 'SLOT_TOO_LONG',
        values: { slot: 1, seconds: 1.5, most_seconds: 1.44 },
        message: 'makes slot 1 1.50 s long, but the longest usable part of the takes has 1.44 s',
      },
    ],
  });
});

test('the end moves up to a frame beyond the music', () => {
  // 8 s of the song from second 2; with a beat more the edit ends at second 10.5.
  const lengths = [1, 0, 0, 0].map((beats, slot) => ({ slot, beats }));
  const plan = planOf(CUTS, 2);
  const expected = [0, 75, 105, 165, 255];
  for (const soundEnd of [10.5, 10.47]) {
    const request = { ...REQUEST, ...musicUntil(soundEnd), lengths };
    assert.deepEqual(cutsOf(changedCuts(plan, request, 9).cuts), expected);
    assert.deepEqual(cutsOf(lengthenedCuts(plan, request, 0)!), expected);
  }
  const request = { ...REQUEST, ...musicUntil(10.46), lengths };
  assert.equal(lengthenedCuts(plan, request, 0), null);
  const message = 'make the edit 8.50 s long, but the music ends after 8.46 s';
  const values = { seconds: 8.5, most_seconds: 8.46 };
  assert.throws(() => changedCuts(plan, request, 9), {
    fields: [{ path: 'edit.lengths', message, code: 'MUSIC_TOO_SHORT', values }],
  });
  // An edit that reaches beyond the music may stay so.
  const stays = { ...request, ...musicUntil(9), lengths: [{ slot: 0, beats: 1 }] };
  assert.deepEqual(cutsOf(changedCuts(plan, stays, 9).cuts), [0, 75, 90, 150, 240]);
});

test('a cut moves along the song’s own beats, on them or as far beside them as it was', () => {
  const times = Array.from({ length: 60 }, (_, beat) => 0.1 + beat * 0.5);
  const base = madeSong(120, 60);
  const song = { ...base, beats: base.beats.map((beat, at) => ({ ...beat, timeSeconds: times[at]! })) };
  const request = {
    ...{ ...REQUEST, music: { song, startSeconds: null, templateStartSeconds: null } },
    lengths: [{ slot: 0, beats: 1 }],
  };
  // Frames 61 and 64 are a frame beside a beat and near a quarter, 66 is .4 beats late.
  for (const [cut, expected] of [
    [60, 75],
    [61, 75],
    [64, 79],
    [66, 81],
  ] as const) {
    const { cuts } = changedCuts(planOf([0, cut, 150, 240], 0.1), request, 9);
    assert.equal(cuts.slots[0]!.endFrame, expected, `${cut}`);
  }
});

test('without a song a beat is one of the template, and a slot keeps at least .3 s but a frame', () => {
  const cutsWith = (tempoBpm: number | null, cuts: readonly number[], beats: number) => {
    const template = { ...REQUEST.template, tempoBpm };
    return cutsOf(changedCuts(planOf(cuts), { ...REQUEST, template, lengths: [{ slot: 0, beats }] }, 9).cuts);
  };
  assert.deepEqual(cutsWith(100, CUTS, 1), [0, 78, 90, 150, 240]);
  assert.deepEqual(cutsWith(null, CUTS, 1), [0, 75, 90, 150, 240]);
  assert.deepEqual(cutsWith(120, [0, 23, 60], -1), [0, 8, 60]);
  assert.throws(() => cutsWith(120, [0, 22, 60], -1), {
    fields: [
      {
        path: 'edit.lengths.0.beats',
        code: 'SLOT_TOO_SHORT',
        values: { slot: 0, seconds: 7 / 30, least_seconds: 0.3 },
        message: 'makes slot 0 0.23 s long, but the shortest slot of this edit may have 0.30 s',
      },
    ],
  });
});
