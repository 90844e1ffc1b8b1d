/** Framings of the speakers of a talk, which change over long omissions alone, and warnings about its takes. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { jobConfigSchema } from '../../src/domain/job-config.ts';
import { planEditTimeline } from '../../src/style/plan/edit-timeline.ts';
import { plannedTalk, RATE, silent, speaking, type TalkedTake, talkStyle } from './edit/made-talk.ts';

function timelineOf(takes: readonly TalkedTake[]) {
  const plan = plannedTalk(takes);
  return planEditTimeline({
    ...{ plan, style: talkStyle, music: null, barSeconds: null, template: null },
    takes: takes.map(({ facts }) => facts),
    options: { sound: 'music', titles: [] },
    config: jobConfigSchema.parse({ components: { color: false, audio: false } }),
    frameRate: { numerator: RATE, denominator: 1 },
    metricsOf: () => assert.fail('there are no titles'),
  });
}

const clipsOf = (takes: readonly TalkedTake[]) => timelineOf(takes).timeline.clips;

/** Whether the framing changes at each cut between two clips. */
function changesOf(takes: readonly TalkedTake[]): boolean[] {
  const clips = clipsOf(takes);
  return clips.slice(1).map(({ from }, at) => Math.abs(from.width - clips[at]!.to.width) > 0.01);
}

describe('framings of a talk', () => {
  for (const [name, pauses, wanted] of [
    ['change over long omissions, and back', [1.5, 1.5, 1.5], [true, true, true]],
    ['stay over short ones', [0.5, 0.5, 0.5], [false, false, false]],
    ['change over the long one of three', [0.5, 1.5, 0.5], [false, true, false]],
  ] as const)
    test(name, () => assert.deepEqual(changesOf([speaking({ pauses })]), wanted));

  test('each take begins with its whole picture', () => {
    const takes = [speaking({ pauses: [1.5] }, 1), speaking({ pauses: [1.5] }, 2)];
    assert.deepEqual(
      clipsOf(takes).map(({ take, from }) => [take, from.width === 1]),
      [
        [0, true],
        [0, false],
        [1, true],
        [1, false],
      ],
    );
  });

  test('a long omission is hidden by B-roll or by another framing', () => {
    const takes = [speaking({ pauses: [1, 1.2, 0.9, 1.4, 1, 1.1, 1.3] }, 1), silent(4, 11)];
    const clips = clipsOf(takes);
    for (const [at, clip] of clips.slice(1).entries()) {
      const before = clips[at]!;
      if (clip.take !== before.take || clip.sourceStartSeconds - before.sourceEndSeconds < 0.6) continue;
      assert.notEqual(clip.from.width, before.to.width, `the picture jumps at ${clip.sourceStartSeconds} s`);
    }
    assert.ok(clips.some(({ take }) => take === 1));
  });
});

test('a warning about one take leaves those about others', () => {
  const noisy = [1, 2, 3].map((seed) => speaking({ pauses: [1, 1], certainty: 1, role: 'talk' }, seed));
  const messages = timelineOf(noisy).warnings.flatMap(({ code, message }) =>
    code === 'TALK_LEFT' ? [message.slice(0, 7)] : [],
  );
  assert.deepEqual(messages, ['Take 1:', 'Take 2:', 'Take 3:']);
});
