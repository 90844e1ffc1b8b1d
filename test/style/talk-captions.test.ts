/** Captions of a talk from several takes: each word at the time at which it is heard. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { Warning } from '../../src/domain/stage.ts';
import { faceMetrics } from '../../src/render/captions/caption-fonts.ts';
import type { SourceCaptions } from '../../src/style/plan/captions.ts';
import { besideTitles, planTalkCaptions } from '../../src/style/plan/talk-captions.ts';
import { plannedTalk, RATE, silent, speaking, talkStyle } from './edit/made-talk.ts';

const takes = [speaking({ pauses: [1, 1.2] }, 1), silent(8, 11), speaking({ pauses: [1.3] }, 2)];
const plan = plannedTalk(takes);

/** One cue per phrase, with the take and the number of the phrase as its text. */
const captionsOf = (take: number): SourceCaptions | null => {
  const { phrases } = takes[take]!;
  if (phrases.length === 0) return null;
  const cues = phrases.map((phrase, at) => ({ ...phrase, text: `${'abc'[take]} ${at}` }));
  const read = { signCount: 0, isTelemetry: false, guessedEncoding: null, metricsOf: faceMetrics };
  return { origin: 'file', cues, ...read };
};

function planned(captions: readonly (SourceCaptions | null)[], isRequested = false, style = talkStyle) {
  const warnings: Warning[] = [];
  const made = planTalkCaptions(
    {
      ...{ captions, isRequested, parts: plan.talk!.parts, frameRate: RATE, style },
      ...{ takes: takes.map(({ facts }) => facts), output: { width: 1280, height: 720 } },
    },
    warnings,
  );
  return { ...made, codes: warnings.map(({ code }) => code) };
}

describe('captions of a talk', () => {
  test('begin with their phrases, in the order of the talk', () => {
    const { captions } = planned([captionsOf(0), null, captionsOf(2)]);
    assert.deepEqual(
      captions.map(({ lines }) => lines.join(' ')),
      ['a 0', 'a 1', 'a 2', 'c 0', 'c 1'],
    );
    const wanted = [0, 2].flatMap((take) =>
      takes[take]!.phrases.map(({ startSeconds }) => {
        const part = plan.talk!.parts.find(
          (one) =>
            one.take === take && startSeconds >= one.startFrame / RATE && startSeconds < one.endFrame / RATE,
        )!;
        return startSeconds + (part.outputFrame - part.startFrame) / RATE;
      }),
    );
    for (const [at, { startSeconds }] of captions.entries())
      assert.ok(Math.abs(startSeconds - wanted[at]!) < 1 / RATE, `${startSeconds} instead of ${wanted[at]}`);
  });

  for (const [name, captions, isRequested, codes] of [
    ['without words there are none', [null, null, null], false, []],
    ['without words a request is explained', [null, null, null], true, ['NO_SPEECH_FOUND']],
  ] as const)
    test(name, () => {
      const made = planned(captions, isRequested);
      assert.deepEqual([made.captions, made.codes], [[], codes]);
    });

  for (const [origin, isRequested, use_subtitles, count] of [
    ['file', false, false, 3],
    ['speech', false, false, 0],
    ['speech', true, false, 3],
    ['speech', false, true, 3],
  ] as const)
    test(`of a ${origin}, ${isRequested ? '' : 'not '}requested, ${use_subtitles ? 'in' : 'not in'} the style: ${count}`, () => {
      const own = { ...captionsOf(0)!, origin };
      const { captions } = planned([own, null, null], isRequested, { ...talkStyle, use_subtitles });
      assert.equal(captions.length, count);
    });

  test('give way to titles', () => {
    const made = planned([captionsOf(0), null, null]);
    const title = { ...made.captions[1]!, lines: ['Title'] };
    const { captions } = besideTitles(made, { captions: [title] });
    assert.deepEqual(
      captions.map(({ lines }) => lines.join(' ')),
      ['a 0', 'Title', 'a 2'],
    );
  });
});
