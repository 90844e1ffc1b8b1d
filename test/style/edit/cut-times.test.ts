import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { Song } from '../../../src/analysis/music/song.ts';
import { median, standardDeviation } from '../../../src/signal/statistics.ts';
import { type CutPlan, type CutRequest, partedCuts, planCuts } from '../../../src/style/edit/cut-times.ts';
import type { TemplateEdit } from '../../../src/style/edit/edit-plan.ts';
import { madeSlot, madeSong, madeTemplate } from './made-material.ts';

const RATE = 30;
const BEATS = [4, 2, 2, 1, 1, 2, 4, 2, 1, 1, 4, 2, 2, 2, 1, 1, 2, 4, 2, 1, 1, 4, 2, 2, 2, 1, 1, 2, 4, 8];

function cutsOf(more: Partial<CutRequest> & { readonly song?: Song }): CutPlan {
  const { song, ...rest } = more;
  const music = song === undefined ? null : { song, startSeconds: null, templateStartSeconds: null };
  return planCuts({
    template: madeTemplate(BEATS),
    music,
    seconds: 34,
    frameRate: RATE,
    runs: Array.from({ length: 60 }, () => ({ startSeconds: 0, endSeconds: 10 })),
    ...rest,
  });
}

function lengthsOf({ slots }: CutPlan): number[] {
  return slots.map(({ startFrame, endFrame }) => (endFrame - startFrame) / RATE);
}

function spreadOf(lengths: readonly number[]): number {
  return standardDeviation(lengths.map((length) => Math.log(length)));
}

/** Share of the cuts within 60 ms of one of the song's beats. */
function onBeatShare({ slots, musicStartSeconds }: CutPlan, { beats }: Song): number {
  const cuts = slots.slice(1).map(({ startFrame }) => startFrame / RATE + musicStartSeconds!);
  const near = cuts.filter((cut) => beats.some(({ timeSeconds }) => Math.abs(timeSeconds - cut) <= 0.06));
  return near.length / cuts.length;
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
      assert.ok(spreadOf(lengths) >= 0.7 * spreadOf(seconds), `spread ${spreadOf(lengths)} at ${bpm}`);
      // At half the beats a slot of one beat becomes half a beat.
      assert.ok(onBeatShare(plan, song) >= 0.84, `${onBeatShare(plan, song)} on the beat at ${bpm}`);
      const total = lengths.reduce((sum, length) => sum + length, 0);
      assert.ok(Math.abs(total / 34 - 1) <= 0.05, `${total} s at ${bpm}`);
    }
  });

  test('the template’s share of cuts off the beat is preserved', () => {
    // Every other cut a third of a beat late.
    const beats = BEATS.slice(0, 20).map((count, at) => count + (at % 2 === 0 ? 1 / 3 : -1 / 3));
    const template = { ...madeTemplate(beats), onBeatShare: 0.5 };
    const song = madeSong(110, 300);
    const plan = cutsOf({ template, song, seconds: 22 });
    assert.ok(Math.abs(onBeatShare(plan, song) - 0.5) <= 0.1, `${onBeatShare(plan, song)}`);
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
      assert.ok(Math.abs(plan.slots.at(-1)!.endFrame / RATE / 34 - 1) <= 0.05);
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
    const request = { template, music: null, seconds: 6, frameRate: RATE, runs: [] };
    const slot = (endFrame: number) => ({
      slots: [{ templateSlot: 0, startFrame: 0, endFrame, isContinuation: false }],
      musicStartSeconds: null,
    });
    assert.equal(partedCuts(slot(RATE), new Set([0]), request), null, '1 s stays whole');
    assert.equal(partedCuts(slot(1.4 * RATE), new Set([0]), request)!.slots.length, 2);
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
