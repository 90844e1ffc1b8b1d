/** A talk's plan in frames: the report equals what the timeline leaves out, and something is always left. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { Span } from '../../src/analysis/facts.ts';
import { jobConfigSchema } from '../../src/domain/job-config.ts';
import type { FrameRate } from '../../src/domain/time.ts';
import { extractStyle } from '../../src/style/extract/extract.ts';
import { summariseEdit } from '../../src/style/plan/edit-summary.ts';
import { planSource } from '../../src/style/plan/source-part.ts';
import { clipFacts, cutAt } from '../support/clip-facts.ts';

const SECONDS = 40;

/** Phrases of 1.3 s, and pauses of .37 to 1.1 s between them. */
const phrases: Span[] = [];
for (let at = 0.4; at < SECONDS - 1.3; at += 1.67 + 0.73 * ((7 * phrases.length) % 5) * 0.25)
  phrases.push({ startSeconds: at, endSeconds: at + 1.3 });

function planned(
  talk: unknown,
  {
    frameRate = { numerator: 25, denominator: 1 },
    runs = phrases,
    ...more
  }: { readonly frameRate?: FrameRate; readonly pacing?: 'trim'; readonly runs?: readonly Span[] } = {},
) {
  const facts = { separationDb: 30, certainty: 12, marginSeconds: 0, runs };
  const speech = { share: 0.7, spans: runs, confidence: 0.9, talk: facts };
  const source = clipFacts({ video: { durationSeconds: SECONDS, frameRate }, audio: { speech } });
  const template = clipFacts({
    video: {
      durationSeconds: SECONDS,
      transitions: Array.from({ length: 19 }, (_, k) => cutAt(2 * (k + 1))),
    },
  });
  const style = extractStyle(template, { createdAt: new Date(0), fingerprint: null });
  const config = jobConfigSchema.parse({ talk, components: { talk: 1, transitions: false }, ...more });
  const { timeline, warnings } = planSource({ source, style, template, config });
  const { clips, talk: report } = timeline;
  const outputSeconds = clips.reduce((sum, clip) => sum + clip.sourceEndSeconds - clip.sourceStartSeconds, 0);
  const removals = report?.removals ?? [];
  const removedSeconds = removals.reduce(
    (sum, { startSeconds, endSeconds }) => sum + endSeconds - startSeconds,
    0,
  );
  const output = { durationSeconds: outputSeconds, integratedLufs: null };
  const { text } = summariseEdit({ source, timeline, config, output });
  return { clips, removals, removedSeconds, outputSeconds, warnings, text };
}

describe('removals are those of the timeline', () => {
  for (const [numerator, denominator] of [
    [25, 1],
    [30_000, 1001],
    [60, 1],
    [8, 1],
  ])
    for (const [name, talk] of [
      ['pauses', 'on'],
      [
        'pauses and requests',
        {
          mode: 'on',
          remove: [
            [7.013, 9.987],
            [20, 20.02],
            [33.1, 33.333],
          ],
        },
      ],
    ] as const)
      test(`${name} at ${numerator}/${denominator} frames a second`, () => {
        const { removals, removedSeconds, outputSeconds } = planned(talk, {
          frameRate: { numerator, denominator },
        });
        assert.ok(removals.length > 5);
        const sourceSeconds = (Math.round((SECONDS * numerator) / denominator) * denominator) / numerator;
        assert.ok(
          Math.abs(sourceSeconds - removedSeconds - outputSeconds) < 1e-6,
          `${sourceSeconds} − ${removedSeconds} is not ${outputSeconds}`,
        );
        for (const { startSeconds, endSeconds } of removals) assert.ok(endSeconds > startSeconds);
      });
});

test('pauses are not cut for two frames of 33 ms', () => {
  // By .09 s longer than usual pauses of their rank, which is two or three frames; the last by 1 s.
  const runs: Span[] = [];
  for (const pause of [0, 0.256, 0.303, 0.353, 0.398, 0.442, 0.509, 0.575, 0.703, 1.8]) {
    const startSeconds = (runs.at(-1)?.endSeconds ?? 0) + pause;
    runs.push({ startSeconds, endSeconds: startSeconds + 1.513 });
  }
  const { removals } = planned('on', { runs, frameRate: { numerator: 30, denominator: 1 } });
  assert.ok(removals.length > 0);
  for (const { startSeconds, endSeconds } of removals)
    assert.ok(endSeconds - startSeconds >= 0.08, `${startSeconds} to ${endSeconds}`);
});

test('the summary says what trimming leaves out beside the talk', () => {
  const { text, removedSeconds, outputSeconds } = planned('on', { pacing: 'trim' });
  const trimmed = SECONDS - outputSeconds - removedSeconds;
  assert.ok(trimmed > 5, String(trimmed));
  assert.match(text, /pauses shortened \(/);
  assert.ok(text.includes(`${trimmed.toFixed(1)} s left out by trimming`), text);
  assert.doesNotMatch(planned('on').text, /left out/);
});

describe('something is left', () => {
  test('of a pause, if all but a pause is to go', () => {
    const runs = [
      { startSeconds: 0, endSeconds: 4 },
      { startSeconds: 12, endSeconds: SECONDS },
    ];
    const talk = {
      mode: 'on',
      remove: [
        [0, 7],
        [8, SECONDS],
      ],
    };
    const { outputSeconds, removals, warnings } = planned(talk, { runs });
    assert.ok(Math.abs(outputSeconds - 1) < 1e-6, String(outputSeconds));
    assert.ok(removals.every(({ reason }) => reason === 'requested'));
    assert.match(messages(warnings), /beside talk\.remove less than 0\.5 s would be left/);
  });

  test('if a trimmed video consists of removed parts', () => {
    const trimmed = planned('off', { pacing: 'trim' });
    assert.ok(trimmed.outputSeconds < SECONDS - 5);
    const remove = trimmed.clips.map((clip) => [clip.sourceStartSeconds, clip.sourceEndSeconds]);
    const { outputSeconds, warnings } = planned({ mode: 'off', remove }, { pacing: 'trim' });
    assert.ok(Math.abs(outputSeconds - SECONDS + trimmed.outputSeconds) < 1e-6, String(outputSeconds));
    assert.match(messages(warnings), /not trimmed/);
  });
});

describe('a request is answered', () => {
  for (const [name, talk, message] of [
    ['if a part has no whole frame', { remove: [[20.001, 20.05]] }, /\[20\.001, 20\.05\].*no whole frame/],
    [
      'if no pause is shortened beside a removed part',
      { mode: 'on', keep: [[1, 40]], remove: [[0, 1]] },
      /No pause/,
    ],
  ] as const)
    test(name, () => assert.match(messages(planned(talk).warnings), message));
});

function messages(warnings: readonly { readonly message: string }[]): string {
  return warnings.map(({ message }) => message).join('\n');
}
