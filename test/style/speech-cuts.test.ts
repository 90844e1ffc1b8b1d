/** Cuts between framings while somebody speaks. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { SpeechOnset } from '../../src/analysis/facts.ts';
import { jobConfigSchema } from '../../src/domain/job-config.ts';
import { extractStyle } from '../../src/style/extract/extract.ts';
import { planTimeline } from '../../src/style/plan/plan.ts';
import { clipFacts, cutAt } from '../support/clip-facts.ts';

const DURATION = 60;

/** Words every `step` seconds: `pauseAt` after a pause, the others after a dip of `dipDb`. */
function speech(options: {
  readonly step?: number;
  readonly dipDb?: number;
  readonly pauses?: readonly number[];
}) {
  const { step = 0.35, dipDb = 12, pauses = [] } = options;
  const onsets: SpeechOnset[] = Array.from({ length: Math.floor(DURATION / step) }, (_, at) => ({
    timeSeconds: at * step,
    pauseSeconds: 0,
    dipDb,
    stressDb: 0,
  }));
  const paused = pauses.map((timeSeconds) => ({ timeSeconds, pauseSeconds: 0.2, dipDb: 40, stressDb: 0 }));
  return [...onsets, ...paused].sort((one, other) => one.timeSeconds - other.timeSeconds);
}

function planned(
  onsets: readonly SpeechOnset[],
  spans = [{ startSeconds: 0, endSeconds: DURATION }],
  cutEverySeconds = 1,
) {
  const template = clipFacts({
    video: {
      durationSeconds: DURATION,
      transitions: Array.from({ length: DURATION / cutEverySeconds - 1 }, (_, at) =>
        cutAt((at + 1) * cutEverySeconds),
      ),
    },
  });
  const source = clipFacts({
    video: { durationSeconds: DURATION },
    audio: { durationSeconds: DURATION, speech: { share: 1, spans, confidence: 1, onsets } },
  });
  const { timeline, warnings } = planTimeline({
    source,
    style: extractStyle(template, { createdAt: new Date(0), fingerprint: null }),
    template,
    config: jobConfigSchema.parse({ style_strength: 1 }),
  });
  const cuts = timeline.clips.slice(1).map(({ sourceStartSeconds }) => sourceStartSeconds);
  return { cuts, warnings };
}

describe('in speech, cuts', () => {
  test('are about 2.5 s apart under a faster template, and at the pace of a slower one', () => {
    const onsets = speech({ dipDb: 30 });
    const perMinute = (every: number) => planned(onsets, undefined, every).cuts.length;
    assert.ok(Math.abs(perMinute(1) / 24 - 1) <= 0.2, String(perMinute(1)));
    assert.ok(Math.abs(perMinute(5) / 12 - 1) <= 0.2, String(perMinute(5)));
  });

  test('fall in the frame before a word begins, and nowhere else', () => {
    const onsets = speech({ dipDb: 30 });
    for (const cut of planned(onsets).cuts)
      assert.ok(
        onsets.some(({ timeSeconds }) => timeSeconds - cut > -1e-6 && timeSeconds - cut < 0.0401),
        String(cut),
      );
  });

  test('lie 1.5 s apart within one phrase', () => {
    const { cuts } = planned(speech({ step: 0.2, dipDb: 30 }));
    for (const [index, cut] of cuts.slice(1).entries())
      assert.ok(cut - cuts[index] >= 1.5, `${cuts[index]}, ${cut}`);
  });

  test('prefer pauses to words in the middle of a sentence', () => {
    const pauses = Array.from({ length: 24 }, (_, at) => 2 + 2.4 * at);
    const { cuts } = planned(speech({ dipDb: 22, pauses }));
    // Inside the pause of .2 s, well before its end: quiet beginnings of words look like pauses.
    const paused = cuts.filter((cut) => pauses.some((pause) => pause - cut > 0.1 && pause - cut < 0.2));
    assert.ok(paused.length >= 0.9 * cuts.length, `${paused.length} of ${cuts.length}`);
  });

  test('fall in pauses only where speech pauses often', () => {
    const pauses = Array.from({ length: 13 }, (_, at) => 2 + 4.4 * at);
    const inPause = (cut: number) => pauses.some((pause) => pause - cut > 0.1 && pause - cut < 0.2);
    const { cuts } = planned(speech({ dipDb: 40, pauses }));
    assert.ok(cuts.length > 8 && cuts.every(inPause), String(cuts));
  });

  test('where music fills all dips, fall at the clearest', () => {
    const onsets = speech({}).map((onset, at) => ({ ...onset, dipDb: at % 3 === 0 ? 9 : 4 }));
    const clear = onsets.filter(({ dipDb }) => dipDb === 9);
    const { cuts } = planned(onsets);
    assert.ok(cuts.length > 15, String(cuts.length));
    for (const cut of cuts)
      assert.ok(
        clear.some(({ timeSeconds }) => Math.abs(timeSeconds - cut) < 0.045),
        String(cut),
      );
  });

  test('between phrases, follow the template as fast as it is', () => {
    const { cuts } = planned([], [{ startSeconds: 0, endSeconds: 30 }]);
    assert.ok(
      cuts.every((cut) => cut >= 30),
      String(cuts),
    );
    assert.ok(cuts.length >= 20, String(cuts.length));
  });
});
