/** What a talk's plan leaves out: pauses by the style's, and requested parts; and how the picture shows it. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { AudioFacts, Span } from '../../src/analysis/facts.ts';
import type { TalkFacts } from '../../src/analysis/talk-facts.ts';
import { jobConfigSchema } from '../../src/domain/job-config.ts';
import type { Warning } from '../../src/domain/stage.ts';
import { extractStyle } from '../../src/style/extract/extract.ts';
import type { TalkStyle } from '../../src/style/model/talk.ts';
import { frameGrid, type Piece } from '../../src/style/plan/segments.ts';
import { merged, planTalk } from '../../src/style/plan/talk.ts';
import { talkPieces } from '../../src/style/plan/talk-pieces.ts';
import { audioFacts, clipFacts } from '../support/clip-facts.ts';

const CERTAIN = 12;

/** Phrases of 2 s with these pauses between them. */
function spoken(pauses: readonly number[], facts: Partial<TalkFacts> = {}): AudioFacts {
  const runs: Span[] = [];
  let at = 0;
  for (const pause of [...pauses, 0]) {
    runs.push({ startSeconds: at, endSeconds: at + 2 });
    at += 2 + pause;
  }
  const talk = { separationDb: 25, certainty: CERTAIN, marginSeconds: 0, runs, ...facts };
  const usual = audioFacts();
  return { ...usual, durationSeconds: at, speech: { ...usual.speech, share: 0.8, spans: runs, talk } };
}

const styleOf = (p50: number, spread = 0): { readonly talk: TalkStyle } => ({
  talk: {
    pauses: { p10: p50 - 2 * spread, p25: p50 - spread, p50, p75: p50 + spread, p90: p50 + 2 * spread },
    pauses_per_minute: 20,
    confidence: 0.9,
  },
});

function planned(
  audio: AudioFacts | null,
  talk: unknown,
  style: object | null = styleOf(0.3),
  components = { talk: 1 },
) {
  const warnings: Warning[] = [];
  const config = jobConfigSchema.parse({ talk, components });
  const grid = frameGrid({ numerator: 1000, denominator: 1 }, audio?.durationSeconds ?? 20);
  const report = planTalk({ audio, grid, style: style as never, config }, warnings);
  const removed = (report?.removals ?? []).map(({ startSeconds, endSeconds }) => endSeconds - startSeconds);
  const messages = warnings.map(({ message }) => message).join('\n');
  return { report, warnings: warnings.map(({ code }) => code), messages, removed };
}

describe('pauses of a talk', () => {
  for (const [name, pauses, wanted, strength, left] of [
    ['are shortened to those of the style', [1, 1.5, 2], 0.4, 1, [0.4, 0.4, 0.4]],
    ['keep a fifth of the difference at .8', [1.4, 1.4, 1.4], 0.4, 0.8, [0.6, 0.6, 0.6]],
    ['stay at strength 0', [1, 1.5, 2], 0.4, 0, [1, 1.5, 2]],
    ['are never lengthened', [0.3, 0.3, 0.3], 0.8, 1, [0.3, 0.3, 0.3]],
    ['are never shorter than .16 s', [1, 1, 1], 0.02, 1, [0.16, 0.16, 0.16]],
    ['are not cut for less than .08 s', [0.45, 0.45, 0.45], 0.4, 1, [0.45, 0.45, 0.45]],
  ] as const)
    test(name, () => {
      const { report } = planned(spoken(pauses), 'on', styleOf(wanted), { talk: strength });
      const sum = left.reduce((all, one) => all + one, 0) - pauses.reduce((all, one) => all + one, 0);
      const removed = (report?.removals ?? []).reduce(
        (all, one) => all + one.startSeconds - one.endSeconds,
        0,
      );
      // The shortest and the longest are 20 % beyond the style's outer tenths; with equal pauses ranks are equal.
      assert.ok(Math.abs(sum - removed) < 0.06, `${sum} ${removed}`);
    });

  test('keep their order: a longer one stays longer', () => {
    const pauses = [0.6, 2.4, 1.2, 1.8];
    const { report } = planned(spoken(pauses), 'on', styleOf(0.4, 0.1));
    const left = report!.removals.map(
      ({ startSeconds, endSeconds }, at) => pauses[at] - (endSeconds - startSeconds),
    );
    assert.deepEqual(
      [0, 1, 2, 3].sort((one, other) => left[one] - left[other]),
      [0, 2, 3, 1],
    );
  });

  test('are not cut within 80 ms after a voice and 60 ms before the next one', () => {
    const audio = spoken([1, 1.5, 2]);
    const { runs } = audio.speech.talk!;
    for (const [at, { startSeconds, endSeconds }] of planned(
      audio,
      'on',
      styleOf(0.01),
    ).report!.removals.entries()) {
      assert.ok(startSeconds - runs[at].endSeconds >= 0.08 - 1e-9);
      assert.ok(runs[at + 1].startSeconds - endSeconds >= 0.06 - 1e-9);
    }
  });

  test('are cut further from voices whose ends cannot be judged', () => {
    const audio = spoken([1, 1.5, 2], { cutMargin: { beforeSeconds: 0.05, afterSeconds: 0.1 } });
    const { runs } = audio.speech.talk!;
    const { removals } = planned(audio, 'on', styleOf(0.01)).report!;
    assert.equal(removals.length, 3);
    for (const [at, { startSeconds, endSeconds }] of removals.entries()) {
      assert.ok(startSeconds - runs[at].endSeconds >= 0.18 - 1e-9);
      assert.ok(runs[at + 1].startSeconds - endSeconds >= 0.11 - 1e-9);
    }
  });

  for (const [name, pauses] of [
    ['', [0.31, 0.22, 0.54, 0.4, 0.27, 0.35, 0.62, 0.25, 0.48, 0.3]],
    [', one far longer,', [0.31, 0.22, 0.54, 0.4, 0.27, 0.35, 2.4, 0.25, 0.48, 0.3]],
    [', all equal,', [0.4, 0.4, 0.4, 0.4, 0.4, 0.4, 0.4]],
  ] as const)
    test(`of the template itself${name} stay`, () => {
      const audio = spoken(pauses);
      const facts = { ...clipFacts(), audio };
      const style = extractStyle(facts, { createdAt: new Date(0), fingerprint: null });
      assert.ok(style.talk !== undefined);
      const { removed } = planned(audio, 'on', style);
      assert.ok(removed.reduce((sum, one) => sum + one, 0) <= 0.01 * audio.durationSeconds, String(removed));
    });
});

describe('removals that meet are one, and the longer one gives the reason', () => {
  const pause = (startSeconds: number, endSeconds: number) =>
    ({ startSeconds, endSeconds, reason: 'pause', certainty: 0.5 }) as const;
  const retake = (startSeconds: number, endSeconds: number) =>
    ({ startSeconds, endSeconds, reason: 'retake', certainty: 0.9 }) as const;
  for (const [name, removals, expected] of [
    ['apart', [pause(3, 4), retake(0, 2)], [retake(0, 2), pause(3, 4)]],
    ['overlapping', [pause(1, 4), retake(0, 2)], [pause(0, 4)]],
    ['touching', [pause(2, 3), retake(0, 2)], [retake(0, 3)]],
    ['one within another', [retake(0, 9), pause(2, 3)], [retake(0, 9)]],
    ['as long: the first', [pause(1, 3), retake(0, 2)], [retake(0, 3)]],
  ] as const)
    test(name, () => assert.deepEqual(merged(removals), expected));
});

describe('a talk is left', () => {
  const pauses = [1, 1.5, 2, 1, 1.5, 2];
  for (const [name, audio, mode, style, warnings, strength = 1] of [
    ['if it is off', spoken(pauses), 'off', styleOf(0.3), []],
    ['by "auto" without a talk in the style', spoken(pauses), 'auto', {}, []],
    ['by "auto" if the pauses of the style are not edited', spoken(pauses), 'auto', styleOf(0.8), []],
    ['by "auto" if it has fewer than six pauses', spoken([1, 1.5, 2, 1, 1]), 'auto', styleOf(0.3), []],
    ['by "auto" if it is not certain enough', spoken(pauses, { certainty: 3 }), 'auto', styleOf(0.3), []],
    ['without sound, with the reason', null, 'on', styleOf(0.3), ['TALK_LEFT']],
    [
      'if its pauses are uncertain, with the reason',
      spoken(pauses, { certainty: 2 }),
      'on',
      styleOf(0.3),
      ['TALK_LEFT'],
    ],
    ['if the strength is 0, with the reason', spoken(pauses), 'on', styleOf(0.3), ['TALK_LEFT'], 0],
    ['if no pause is longer, with the reason', spoken([0.2, 0.2]), 'on', styleOf(0.3), ['TALK_LEFT']],
    ['if nobody speaks, with the reason', withoutSpeech(spoken(pauses)), 'on', styleOf(0.3), ['TALK_LEFT']],
  ] as const)
    test(name, () => {
      const found = planned(audio, mode, style, { talk: strength });
      assert.equal(found.report, null);
      assert.deepEqual(found.warnings, warnings);
    });

  for (const [name, facts, message] of [
    ['as short as those of the style', {}, /as short as those of the style/],
    [
      'too short for uncertain borders',
      { marginSeconds: 0.15 },
      /too short to be cut without taking from words/,
    ],
    [
      'too short for borders that cannot be judged',
      { cutMargin: { beforeSeconds: 0.05, afterSeconds: 0.1 } },
      /too short to be cut without taking from words/,
    ],
  ] as const)
    test(`because they are ${name}`, () => {
      const lengths = name.startsWith('as') ? [0.3, 0.3, 0.3] : [0.4, 0.4, 0.4];
      const { messages, removed } = planned(spoken(lengths, facts), 'on', styleOf(0.3));
      assert.deepEqual(removed, []);
      assert.match(messages, message);
    });

  test('but not by "auto" in the manner of an edited talk', () => {
    const { removed } = planned(spoken(pauses), 'auto', styleOf(0.3));
    assert.equal(removed.length, 6);
  });

  test('and a style without a talk gives usual pauses, with a warning', () => {
    const { removed, warnings } = planned(spoken(pauses), 'on', null);
    assert.equal(removed.length, 6);
    assert.deepEqual(warnings, ['TALK_NOT_IN_STYLE']);
  });
});

function withoutSpeech(audio: AudioFacts): AudioFacts {
  return { ...audio, speech: { ...audio.speech, share: 0 } };
}

describe('a person decides', () => {
  test('what stays: a pause outside of a kept part is still shortened', () => {
    const { report } = planned(spoken([1, 1, 1]), { mode: 'on', keep: [[4, 6.5]] });
    assert.deepEqual(
      report!.removals.map(({ startSeconds }) => Math.floor(startSeconds)),
      [2, 8],
    );
  });

  test('what goes, also if talks are off, and beside pauses', () => {
    const { report } = planned(spoken([1, 1, 1]), { mode: 'off', remove: [[0.5, 1.25]] });
    assert.deepEqual(report!.removals, [
      { startSeconds: 0.5, endSeconds: 1.25, reason: 'requested', certainty: 1 },
    ]);
  });
});

describe('pieces of a talk', () => {
  const grid = { rate: { numerator: 25, denominator: 1 }, frameCount: 500 };
  const whole: Piece[] = [{ startFrame: 0, endFrame: 500, reason: 'start', isCloser: false }];
  const removal = (startSeconds: number, endSeconds: number) =>
    ({ startSeconds, endSeconds, reason: 'pause', certainty: 1 }) as const;
  const shown = (pieces: readonly Piece[]) =>
    pieces.map(({ startFrame, endFrame, reason, isCloser }) => [startFrame, endFrame, reason, isCloser]);

  test('without removals are unchanged', () => {
    assert.deepEqual(
      talkPieces(whole, [], grid, () => true),
      whole,
    );
  });

  test('begin and end on frames inside of the removals, and take turns in framing', () => {
    const removals = [removal(2.01, 2.99), removal(6, 6.2), removal(10, 11)];
    assert.deepEqual(shown(talkPieces(whole, removals, grid, () => true)), [
      [0, 51, 'start', false],
      [74, 150, 'pause', true],
      [155, 250, 'pause', true],
      [275, 500, 'pause', false],
    ]);
  });

  test('change over a brief removal only 1.2 s after the last change', () => {
    // 28 frames after the first change, 60 at the third removal.
    const removals = [removal(2, 2.4), removal(3.52, 3.92), removal(5.2, 5.6)];
    assert.deepEqual(
      shown(talkPieces(whole, removals, grid, () => true)).map(([start, , , isCloser]) => [start, isCloser]),
      [
        [0, false],
        [60, true],
        [98, true],
        [140, false],
      ],
    );
  });

  test('stay wide where letters or heads permit no closer framing', () => {
    const pieces = talkPieces(whole, [removal(2, 3), removal(6, 7)], grid, () => false);
    assert.ok(pieces.every(({ isCloser }) => !isCloser));
  });

  test('have no punch-in shortly before a removal that changes the framing', () => {
    const cut: Piece[] = [
      { startFrame: 0, endFrame: 110, reason: 'start', isCloser: false },
      { startFrame: 110, endFrame: 500, reason: 'punch_in', isCloser: true },
    ];
    assert.deepEqual(shown(talkPieces(cut, [removal(5, 6)], grid, () => true)), [
      [0, 125, 'start', false],
      [150, 500, 'pause', true],
    ]);
  });

  test('do not change the framing where the pace left parts out', () => {
    const trimmed: Piece[] = [
      { startFrame: 0, endFrame: 200, reason: 'start', isCloser: false },
      { startFrame: 250, endFrame: 500, reason: 'trim', isCloser: false },
    ];
    assert.deepEqual(shown(talkPieces(trimmed, [removal(14, 15)], grid, () => true)), [
      [0, 200, 'start', false],
      [250, 350, 'trim', false],
      [375, 500, 'pause', true],
    ]);
  });

  test('begin with the first part that is shown, and keep a cut of the source', () => {
    const cut: Piece[] = [
      { startFrame: 0, endFrame: 200, reason: 'start', isCloser: false },
      { startFrame: 200, endFrame: 500, reason: 'source_cut', isCloser: false },
    ];
    assert.deepEqual(shown(talkPieces(cut, [removal(0, 1), removal(7.8, 8.4)], grid, () => true)), [
      [25, 195, 'start', false],
      [210, 500, 'source_cut', false],
    ]);
  });
});
