/** The sound of a talk from several takes: one level, overlaps within pauses, a ducked song. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { Warning } from '../../src/domain/stage.ts';
import { musicGainDbAt, type SoundMix } from '../../src/style/model/timeline.ts';
import { planTalkSound, type TalkSoundRequest } from '../../src/style/plan/talk-sound.ts';
import { audioFacts } from '../support/clip-facts.ts';
import { plannedTalk, RATE, silent, speaking, type TalkedTake } from './edit/made-talk.ts';

const usual = audioFacts();
const songOf = (seconds: number) => ({
  ...usual,
  durationSeconds: seconds,
  loudness: { ...usual.loudness, integratedLufs: -10 },
});

function mixOf(takes: readonly TalkedTake[], changes: Partial<TalkSoundRequest> = {}) {
  const warnings: Warning[] = [];
  const plan = plannedTalk(takes);
  const mix = planTalkSound(
    {
      ...{ parts: plan.talk!.parts, frameRate: RATE, takes: takes.map(({ facts }) => facts.audio) },
      ...{ music: null, musicStartSeconds: 0, barSeconds: null, sound: 'music' },
      ...changes,
    },
    warnings,
  );
  return { plan, mix: mix as SoundMix, codes: warnings.map(({ code }) => code) };
}

describe('voices of a talk', () => {
  const loud = speaking({ pauses: [1, 1], lufs: -18 }, 1);
  const soft = speaking({ pauses: [1, 1], lufs: -27 }, 2);

  test('takes have one level', () => {
    const { mix } = mixOf([loud, soft, silent(8, 11)]);
    const levels = mix.spans.map(({ source, gainDb }) => gainDb + (source === 0 ? -18 : -27));
    assert.ok(Math.max(...levels) - Math.min(...levels) < 1e-6);
    assert.ok(
      mix.spans.every(({ source }) => source !== 2),
      'B-roll is heard',
    );
  });

  test('a level is that of the parts that are heard', () => {
    // Both takes have −20 LUFS where they are heard; one is louder before, the other after.
    const noisy = (seed: number, exclude: readonly [number, number], from: number) => {
      const take = speaking({ pauses: [1, 1], lufs: -20, exclude: [exclude] }, seed);
      const audio = take.facts.audio!;
      const shortTermLufs = audio.loudness.shortTermLufs.map((lufs, second) =>
        second >= from && second < from + 3 ? -8 : lufs,
      );
      const facts = { ...take.facts, audio: { ...audio, loudness: { ...audio.loudness, shortTermLufs } } };
      return { ...take, facts };
    };
    const { mix } = mixOf([noisy(1, [0, 3.2], 0), noisy(2, [5.8, 9], 6)]);
    assert.deepEqual(
      new Set(mix.spans.map(({ source, gainDb }) => `${source}: ${gainDb} dB`)),
      new Set(['0: 0 dB', '1: 0 dB']),
    );
  });

  test('neighbors overlap within what is omitted between them, and keep their time', () => {
    const { mix, plan } = mixOf([loud, soft]);
    for (const [at, span] of mix.spans.entries()) {
      const part = plan.talk!.parts[at]!;
      const shift = span.startSeconds - span.sourceStartSeconds;
      assert.ok(Math.abs(shift - (part.outputFrame - part.startFrame) / RATE) < 1e-9);
      const lead = part.startFrame / RATE - span.sourceStartSeconds;
      assert.ok(lead >= 0 && lead <= Math.min(0.05, part.before.seconds) + 1e-9, `${lead} s`);
    }
    const [first, second] = mix.spans;
    assert.ok(Math.abs(first!.fadeOutSeconds - (first!.endSeconds - second!.startSeconds)) < 1e-9);
    assert.equal(first!.fadeOutSeconds, second!.fadeInSeconds);
  });

  test('nothing of an excluded phrase is heard', () => {
    const range = [2.9, 5.9] as const;
    const { mix } = mixOf([speaking({ pauses: [1, 1, 1], exclude: [range] }, 1)]);
    for (const { sourceStartSeconds, startSeconds, endSeconds } of mix.spans) {
      const sourceEnd = sourceStartSeconds + endSeconds - startSeconds;
      assert.ok(sourceEnd <= range[0] + 1 / RATE || sourceStartSeconds >= range[1] - 1 / RATE);
    }
  });
});

describe('rooms of takes', () => {
  const inRoom = (pauseDb: number | undefined, seed: number, more: object = {}) =>
    speaking({ pauses: [1, 2, 1], ...(pauseDb !== undefined && { pauseDb }), ...more }, seed);
  const tonesOf = (takes: readonly TalkedTake[]) => {
    const { mix, plan } = mixOf(takes);
    const join =
      plan.talk!.parts.find(({ isTakeStart, take }) => isTakeStart && take === 1)!.outputFrame / RATE;
    return { join, tones: mix.spans.filter(({ isRoomTone }) => isRoomTone === true) };
  };

  for (const [name, first, second, source] of [
    ['the louder one fades out under the next take', -40, -70, 0],
    ['the louder one fades in under the take before', -70, -40, 1],
    ['alike: nothing is laid', -60, -58, null],
    ['unknown: nothing is laid', undefined, -40, null],
  ] as const)
    test(name, () => {
      const takes = [inRoom(first, 1), inRoom(second, 2)];
      const { join, tones } = tonesOf(takes);
      assert.deepEqual(
        tones.map((tone) => tone.source),
        source === null ? [] : [source],
      );
      for (const { startSeconds, endSeconds, sourceStartSeconds, fadeInSeconds, fadeOutSeconds } of tones) {
        const [near, far] = source === 0 ? [fadeInSeconds, fadeOutSeconds] : [fadeOutSeconds, fadeInSeconds];
        assert.ok(startSeconds < join && endSeconds > join, 'it begins within the crossfade');
        assert.ok(Math.abs(near - 0.1) < 1e-9 && far > 1, `${near}, ${far}`);
        const end = sourceStartSeconds + endSeconds - startSeconds;
        assert.ok(
          takes[source!].phrases.every(
            (one) => end < one.startSeconds || sourceStartSeconds > one.endSeconds,
          ),
          'a voice is in it',
        );
      }
    });

  test('levels of takes count: the gain that makes voices equal moves their rooms', () => {
    const { tones } = tonesOf([inRoom(-50, 1, { lufs: -18 }), inRoom(-55, 2, { lufs: -28 })]);
    assert.deepEqual(
      tones.map(({ source }) => source),
      [1],
    );
  });

  test('an excluded part is no room', () => {
    const exclude = [[5.4, 7.6]] as const;
    const { tones } = tonesOf([inRoom(-40, 1, { exclude }), inRoom(-70, 2)]);
    assert.equal(tones.length, 1);
    for (const { sourceStartSeconds, startSeconds, endSeconds } of tones)
      assert.ok(
        sourceStartSeconds + endSeconds - startSeconds <= exclude[0][0] ||
          sourceStartSeconds >= exclude[0][1],
      );
  });
});

describe('a song under a talk', () => {
  const voice = speaking({ pauses: [1, 1], lufs: -20 }, 1);

  test('has the voice’s level, and 12 dB less under every phrase', () => {
    const { mix, plan } = mixOf([voice], { music: songOf(60) });
    assert.equal(mix.spans[0]!.source, 'music');
    assert.equal(mix.spans[0]!.gainDb, -10);
    for (const { startSeconds, endSeconds } of voice.phrases) {
      const part = plan.talk!.parts.find((one) => startSeconds < one.endFrame / RATE)!;
      const shift = (part.outputFrame - part.startFrame) / RATE;
      for (const at of [startSeconds, (startSeconds + endSeconds) / 2, endSeconds - 0.01])
        assert.ok(musicGainDbAt(mix.musicGain, at + shift) <= -12 + 1e-6);
    }
  });

  for (const [name, changes, spans, codes] of [
    ['is not played with "takes"', { music: songOf(60), sound: 'takes' }, 0, []],
    ['that is shorter ends, which is said', { music: songOf(4) }, 1, ['EDIT_SONG_ENDS']],
    ['that is longer ends with the talk', { music: songOf(60) }, 1, []],
  ] as const)
    test(name, () => {
      const { mix, codes: found } = mixOf([voice], changes);
      assert.equal(mix.spans.filter(({ source }) => source === 'music').length, spans);
      assert.deepEqual(found, codes);
    });
});
