/** First attempts and fillers that a talk's plan removes: whole, at any frame rate, as far as words and a person agree. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { AudioFacts, Span } from '../../src/analysis/facts.ts';
import type { PhraseRepeat } from '../../src/analysis/talk-facts.ts';
import type { TextCue } from '../../src/domain/footage.ts';
import { jobConfigSchema } from '../../src/domain/job-config.ts';
import type { Warning } from '../../src/domain/stage.ts';
import type { TalkRemoval } from '../../src/style/model/talk.ts';
import { fillersOf } from '../../src/style/plan/filler-words.ts';
import { frameGrid } from '../../src/style/plan/segments.ts';
import { planTalk } from '../../src/style/plan/talk.ts';
import { talkWords } from '../../src/style/plan/talk-words.ts';
import { audioFacts } from '../support/clip-facts.ts';

const CERTAIN = 0.4;
const LIKELY = 0.7;
const PAUSE = 0.5;

interface Scene {
  /** Lengths of the runs of voice, in seconds, with pauses of half a second between them. */
  readonly runs?: readonly number[];
  /** First and second run, and ratio. */
  readonly repeats?: readonly (readonly [first: number, second: number, ratio: number])[];
  readonly talk?: object;
  readonly strength?: number;
  /** Median pause of the style. */
  readonly pause?: number;
  /** What is said in each run. */
  readonly words?: readonly string[];
  /** Captions whose words have no times of their own. */
  readonly isFile?: boolean;
  readonly frameRate?: number;
  readonly startSeconds?: number;
}

const SIX = [2, 1, 2, 2, 2, 2];

function spansOf(runs: readonly number[], startSeconds: number): Span[] {
  const spans: Span[] = [];
  for (const length of runs) {
    const from = (spans.at(-1)?.endSeconds ?? startSeconds - PAUSE) + PAUSE;
    spans.push({ startSeconds: from, endSeconds: from + length });
  }
  return spans;
}

function cueOf(text: string, { startSeconds, endSeconds }: Span, isFile: boolean): TextCue[] {
  const texts = text.split(' ').filter((word) => word !== '');
  const each = (endSeconds - startSeconds) / texts.length;
  const words = texts.map((word, at) => ({
    text: word,
    startSeconds: startSeconds + at * each,
    endSeconds: startSeconds + (at + 1) * each,
  }));
  if (texts.length === 0) return [];
  return [{ startSeconds, endSeconds, text, ...(isFile ? {} : { words }) }];
}

/** What goes and what is proposed, as the runs of voice within, with the reason. */
function planned(scene: Scene) {
  const { runs = SIX, repeats = [], talk = {}, strength = 1, pause = 0.3, words = [] } = scene;
  const spans = spansOf(runs, scene.startSeconds ?? 1);
  const durationSeconds = spans.at(-1)!.endSeconds + 1;
  const repeated = repeats.map(
    ([first, second, ratio]): PhraseRepeat => ({
      firstSeconds: spans[first].startSeconds,
      secondSeconds: spans[second].startSeconds,
      ratio,
    }),
  );
  const usual = audioFacts();
  const facts = { separationDb: 30, certainty: 12, marginSeconds: 0, runs: spans, repeats: repeated };
  const audio: AudioFacts = {
    ...usual,
    durationSeconds,
    speech: { ...usual.speech, share: 0.8, spans, talk: facts },
  };
  const pauses = { p10: pause, p25: pause, p50: pause, p75: pause, p90: pause };
  const warnings: Warning[] = [];
  const report = planTalk(
    {
      audio,
      grid: frameGrid({ numerator: scene.frameRate ?? 25, denominator: 1 }, durationSeconds),
      style: { talk: { pauses, pauses_per_minute: 20, confidence: 0.9 } } as never,
      config: jobConfigSchema.parse({ talk: { mode: 'on', ...talk }, components: { talk: strength } }),
      cues: words.flatMap((text, run) => cueOf(text, spans[run], scene.isFile ?? false)),
    },
    warnings,
  );
  const within = ({ startSeconds, endSeconds, reason }: TalkRemoval) => {
    const touched = spans.flatMap((span, run) =>
      span.startSeconds < endSeconds && span.endSeconds > startSeconds ? [run] : [],
    );
    for (const run of touched)
      assert.ok(
        startSeconds <= spans[run].startSeconds && endSeconds >= spans[run].endSeconds,
        `run ${run}, ${JSON.stringify(spans[run])}, is cut by ${startSeconds} to ${endSeconds}`,
      );
    return touched.length === 0 ? [] : [[reason, ...touched]];
  };
  const removals = report?.removals ?? [];
  const isNamed = warnings.some(({ code }) => code === 'TALK_PROPOSED');
  assert.equal(isNamed, report?.proposals !== undefined);
  for (const { startSeconds, endSeconds } of removals)
    for (const span of spans) {
      const isGone = span.startSeconds >= startSeconds && span.endSeconds <= endSeconds;
      if (isGone) continue;
      assert.ok(startSeconds >= span.endSeconds + 0.079 || startSeconds < span.startSeconds);
      assert.ok(endSeconds <= span.startSeconds - 0.059 || endSeconds > span.endSeconds);
    }
  return {
    gone: removals.flatMap(within),
    proposed: (report?.proposals ?? []).flatMap(within),
    removals,
    spans,
  };
}

const SENTENCE = 'so today we are going to the market';

describe('a first attempt', () => {
  for (const [name, scene, gone, proposed = []] of [
    ['goes if it is certain', { repeats: [[1, 2, CERTAIN]] }, [['retake', 1]]],
    ['is proposed if it is likely', { repeats: [[1, 2, LIKELY]] }, [], [['retake', 1]]],
    ['goes with its own pauses', { repeats: [[1, 4, CERTAIN]] }, [['retake', 1, 2, 3]]],
    [
      'and a second one go, the last one stays',
      {
        repeats: [
          [1, 2, CERTAIN],
          [2, 3, CERTAIN],
        ],
      },
      [['retake', 1, 2]],
    ],
    [
      'does not take the second one along that its end resembles',
      {
        repeats: [
          [1, 3, CERTAIN],
          [2, 4, CERTAIN],
        ],
      },
      [['retake', 1, 2]],
    ],
    ['at the beginning goes', { repeats: [[0, 1, CERTAIN]] }, [['retake', 0]]],
    ['at the very beginning goes', { startSeconds: 0, repeats: [[0, 1, CERTAIN]] }, [['retake', 0]]],
    ['goes at a strength of .5', { strength: 0.5, repeats: [[1, 2, CERTAIN]] }, [['retake', 1]]],
    ['stays at strength 0', { strength: 0, repeats: [[1, 2, CERTAIN]] }, []],
    ['goes after a style with long pauses', { pause: 2, repeats: [[1, 2, CERTAIN]] }, [['retake', 1]]],
    [
      'stays if a person keeps a part of it',
      { talk: { keep: [[3.6, 3.8]] }, repeats: [[1, 2, CERTAIN]] },
      [],
    ],
    ['is not proposed if a person keeps it', { talk: { keep: [[3.5, 4.5]] }, repeats: [[1, 2, LIKELY]] }, []],
    [
      'is not proposed if its words are others',
      {
        repeats: [[1, 2, LIKELY]],
        words: ['', 'the sea is warm', 'a dog was running there'],
      },
      [],
    ],
    [
      'is only proposed if it ends with another word',
      {
        repeats: [[1, 2, CERTAIN]],
        words: ['', 'the door is now locked', 'the door is now open'],
      },
      [],
      [['retake', 1]],
    ],
    [
      'goes by its words, broken off within the last one',
      { words: ['', 'so today we are goi', SENTENCE] },
      [['retake', 1]],
    ],
    [
      'goes by the words of a caption file',
      { words: ['', 'So today, we are', SENTENCE], isFile: true },
      [['retake', 1]],
    ],
    ['is proposed by three words', { words: ['', 'so today we', SENTENCE] }, [], [['retake', 1]]],
    ['stays with two words', { words: ['', 'so today', SENTENCE] }, []],
    [
      'goes if words confirm a likely one',
      { repeats: [[1, 2, LIKELY]], words: ['', 'so today we', SENTENCE] },
      [['retake', 1]],
    ],
  ] as readonly (readonly [string, Scene, readonly unknown[], (readonly unknown[])?])[])
    for (const frameRate of [25, 30, 60])
      test(`${name}, ${frameRate} frames a second`, () => {
        const found = planned({ ...scene, frameRate });
        assert.deepEqual(found.gone, gone);
        assert.deepEqual(found.proposed, proposed);
      });

  test('leaves a pause of the style', () => {
    const { removals, spans } = planned({ repeats: [[1, 2, CERTAIN]], frameRate: 100 });
    const { startSeconds, endSeconds } = removals.find(({ reason }) => reason === 'retake')!;
    const left = startSeconds - spans[0].endSeconds + (spans[2].startSeconds - endSeconds);
    assert.ok(Math.abs(left - 0.3) < 0.07, String(left));
  });
});

describe('a filler', () => {
  const english = 'we go to the sea and it is the best of all that you know';
  const around = (word: string): readonly string[] => [english, word, english, '', '', ''];
  const short = { runs: [4, 0.4, 4, 2, 2, 2] };
  for (const [name, scene, gone] of [
    ['goes with a pause on both sides', { ...short, words: around('um') }, [['filler', 1]]],
    ['goes with punctuation', { ...short, words: around('Uh,') }, [['filler', 1]]],
    ['stays if another word is beside it', { ...short, words: around('um so') }, []],
    ['stays if the style has as long pauses', { ...short, pause: 1.4, words: around('um') }, []],
    [
      'goes if a caption of a file has it alone',
      { ...short, words: around('um'), isFile: true },
      [['filler', 1]],
    ],
    ['stays if a person keeps it', { ...short, words: around('um'), talk: { keep: [[5.6, 5.7]] } }, []],
    ['stays without words', short, []],
    [
      'stays in a language in which it is a word',
      { ...short, words: ['der Weg ist lang und die Stadt ist nicht groß', 'um', '', '', '', ''] },
      [],
    ],
  ] as readonly (readonly [string, Scene, readonly unknown[]])[])
    test(name, () => assert.deepEqual(planned(scene).gone, gone));

  test('has its time in a transcript, or alone in a caption; else the time of its caption is divided', () => {
    const span = { startSeconds: 1, endSeconds: 2 };
    const timed = (cue: TextCue) => talkWords([cue]).map(({ text, isTimed }) => [text, isTimed]);
    assert.deepEqual(timed({ ...span, text: 'Um,' }), [['um', true]]);
    assert.deepEqual(timed({ ...span, text: 'um so' }), [
      ['um', false],
      ['so', false],
    ]);
    assert.deepEqual(timed({ ...span, text: 'um so', words: [{ ...span, text: 'um' }] }), [['um', true]]);
  });

  for (const [text, word, isFiller] of [
    ['the cat and the dog of the house', 'uh', true],
    ['das ist die Stadt und ich bin nicht müde', 'ähm', true],
    ['le chat et les chiens que je vous donne', 'euh', true],
    ['one two', 'um', false],
  ] as const)
    test(`"${word}" in "${text}"`, () =>
      assert.equal(fillersOf(text.toLowerCase().split(' ')).has(word), isFiller));
});

test('removed pauses are as long as wanted, within half a frame', () => {
  const { removals } = planned({ runs: [2, 2, 2, 2, 2, 2], frameRate: 25 });
  assert.equal(removals.length, 5);
  // The style's middle of .3 s leaves .2 s of each pause of .5 s to remove.
  for (const { startSeconds, endSeconds } of removals)
    assert.ok(Math.abs(endSeconds - startSeconds - 0.2) <= 0.021, `${endSeconds - startSeconds}`);
});
