/** The second camera from punch-in to punch-in: it stays within a shot, and starts again with each. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { FigureLook, SubjectTrack } from '../../src/analysis/facts.ts';
import { jobConfigSchema } from '../../src/domain/job-config.ts';
import { extractStyle } from '../../src/style/extract/extract.ts';
import type { Clip } from '../../src/style/model/timeline.ts';
import { planTimeline } from '../../src/style/plan/plan.ts';
import { clipFacts, cutAt, LEADING_FACE } from '../support/clip-facts.ts';

const CUT_SECONDS = 20;
const SECONDS = 40;

/** Something small that moves: alone it leads to a framing that is not quite as close as an empty picture's. */
function subject(startSeconds: number, endSeconds: number): SubjectTrack {
  return {
    kind: 'motion',
    startSeconds,
    endSeconds,
    salience: 0.7,
    boxes: Array.from({ length: 5 * (endSeconds - startSeconds) }, (_, k) => ({
      timeSeconds: startSeconds + k / 5,
      box: { x: 0.3, y: 0.3, width: 0.2, height: 0.3 },
    })),
  };
}

/** The punch-ins of a source of two shots, in the pace of a cut every two seconds. */
function punchIns(subjects: readonly SubjectTrack[], figures: readonly FigureLook[] = []): Clip[] {
  const source = clipFacts({
    video: { durationSeconds: SECONDS, transitions: [cutAt(CUT_SECONDS)], figures, faces: [LEADING_FACE] },
    motion: { subjects: [...subjects] },
  });
  const template = clipFacts({
    video: {
      durationSeconds: SECONDS,
      transitions: Array.from({ length: 19 }, (_, k) => cutAt(2 * (k + 1))),
    },
  });
  const style = extractStyle(template, { createdAt: new Date(0), fingerprint: null });
  const config = jobConfigSchema.parse({ components: { motion: false, transitions: false } });
  const { timeline } = planTimeline({ source, style, template, config });
  return timeline.clips.filter(({ reason, from }) => reason === 'punch_in' && from.width < 0.95);
}

const widthsOf = (clips: readonly Clip[]) => clips.map(({ from }) => Number(from.width.toFixed(3)));
const isSecond = ({ sourceStartSeconds }: Clip) => sourceStartSeconds >= CUT_SECONDS;

test('the framing of a shot does not depend on the previous shot', () => {
  const inSecond = subject(CUT_SECONDS, SECONDS);
  const afterSame = punchIns([subject(0, CUT_SECONDS), inSecond]);
  const afterEmpty = punchIns([inSecond]);
  const firsts = [afterSame, afterEmpty].map((clips) => widthsOf(clips.filter((one) => !isSecond(one))));
  assert.ok(firsts.every((widths) => widths.length >= 3));
  assert.notDeepEqual(firsts[0], firsts[1], 'an empty shot is framed otherwise');
  assert.deepEqual(afterEmpty.filter(isSecond), afterSame.filter(isSecond));
});

test('within a shot the framing stays, unless another one is clearly better', () => {
  const comesLate = punchIns([subject(12, CUT_SECONDS)]).filter((one) => !isSecond(one));
  const [first, ...others] = widthsOf(comesLate);
  assert.ok(comesLate.some(({ sourceStartSeconds }) => sourceStartSeconds > 12));
  assert.ok(
    others.every((width) => width === first),
    others.join(),
  );
  const [alone] = widthsOf(punchIns([subject(0, CUT_SECONDS)]));
  assert.notEqual(alone, first, 'on its own the subject is framed otherwise');
});

test('it holds a figure from its head on where the figure bends down and rises', () => {
  const profile = (from: number) =>
    Array.from({ length: 24 }, (_, part) => (part / 24 >= from - 1e-9 ? 1 / (24 * (1 - from)) : 0));
  const figures = Array.from({ length: 27 }, (_, at) => ({
    timeSeconds: 1.5 * at,
    across: Array.from({ length: 24 }, (_, part) => (part >= 10 && part < 14 ? 0.25 : 0)),
    down: profile(at % 2 === 0 ? 0 : 8 / 24),
  }));
  const clips = punchIns([], figures);
  assert.ok(clips.length >= 3);
  for (const { from, track = [] } of clips)
    for (const { y } of [from, ...track]) assert.ok(y <= 0.02, `the top is at 0, the framing's at ${y}`);
});
