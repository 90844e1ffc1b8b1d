import { type CameraLabel, type ClipFacts, TRANSITION_TYPES } from '../analysis/facts.ts';
import type { Style } from '../style/model/schema.ts';
import { transitionWord } from '../style/model/transition-words.ts';
import { found, maybe } from './reading.ts';
import type { CameraView, CaptionView, RhythmView, ShareView, TransitionView } from './view.ts';
import { capital, count, decimal, lengthText, percent, spoken } from './wording.ts';

export function rhythmView(
  facts: ClipFacts,
  style: Partial<Style>,
  transitions: readonly TransitionView[],
): RhythmView {
  const { shot_lengths: quantiles, primary_transition: primary, transition_mix: mix } = style;
  const { pacing = null, transitions: ofTransitions = null } = style.confidence ?? {};
  const perMinute = maybe(style.cut_frequency, (value) =>
    value === 0 ? null : `${decimal(value * 60)} a minute`,
  );
  const onGrid = transitions.filter(({ beat }) => beat !== null);
  const onBeat = maybe(style.cuts_on_beat, (value) =>
    value > 0 ? `${percent(value)} more than by chance` : 'no more than by chance',
  );
  const beatConfidence = Math.min(pacing ?? 1, facts.audio?.tempo?.confidence ?? 0);
  return {
    lengths: facts.video.shots.map(({ startSeconds, endSeconds }) => endSeconds - startSeconds),
    quantiles: quantiles ?? null,
    mix: TRANSITION_TYPES.flatMap((type) => {
      const share = mix?.[type];
      return share === undefined ? [] : [{ name: capital(transitionWord(type, 1)), kind: type, share }];
    }),
    primary: primary ?? null,
    confidence: pacing,
    readings: [
      found('Changes of shot', perMinute, pacing),
      found('Shots', count(facts.video.shots.length, 'shot'), facts.video.shotConfidence),
      found(
        'Median shot',
        maybe(quantiles, ({ p50 }) => lengthText(p50)),
        pacing,
      ),
      found(
        'Mean shot',
        maybe(quantiles, ({ mean }) => lengthText(mean)),
        pacing,
      ),
      found('Primary transition', maybe(primary, primaryText), ofTransitions),
      found(
        'Cuts on the beat',
        onBeat,
        beatConfidence,
        `${count(onGrid.length, 'cut')} within 70 ms of the ${onGrid[0]?.beat ?? 'beat'}`,
      ),
    ],
  };
}

function primaryText(primary: NonNullable<Style['primary_transition']>): string {
  if (primary.type === 'cut') return 'Cut';
  return `${capital(transitionWord(primary.type, 1))}, ${lengthText(primary.duration_ms / 1000)}, ${spoken(primary.easing)}`;
}

export function cameraView({ video, motion }: ClipFacts, style: Partial<Style>): CameraView {
  const { confidence } = motion;
  return {
    labels: confidence > 0 ? cameraShares(video, motion) : [],
    confidence,
    readings: [
      found(
        'Motion intensity',
        maybe(style.motion_intensity, (value) => percent(value)),
        confidence,
      ),
      found('Median speed', `${percent(motion.medianSpeed, 1)}`, confidence, 'of the diagonal a second'),
      found(
        'Zoom usage',
        maybe(style.zoom_usage, (value) => percent(value)),
        confidence,
        'of the time, with punch-ins',
      ),
      found(
        'Punch-ins',
        motion.punchIns.length === 0 ? null : count(motion.punchIns.length, 'punch-in'),
        confidence,
      ),
      found(
        'Shake',
        maybe(style.camera_shake, (shake) => percent(shake, 1)),
        confidence,
        'of the diagonal a second',
      ),
    ],
  };
}

/** Shares of the running time, the greatest first. */
export function cameraShares(video: ClipFacts['video'], motion: ClipFacts['motion']): ShareView[] {
  const seconds = new Map<CameraLabel, number>();
  for (const [at, { startSeconds, endSeconds }] of video.shots.entries()) {
    const shot = motion.shots[at];
    if (shot === undefined || shot.confidence === 0) continue;
    seconds.set(shot.label, (seconds.get(shot.label) ?? 0) + endSeconds - startSeconds);
  }
  // A still has no duration.
  const total = [...seconds.values()].reduce((sum, value) => sum + value, 0) || 1;
  return [...seconds]
    .map(([label, value]) => ({ name: capital(spoken(label)), kind: label, share: value / total }))
    .sort((one, other) => other.share - one.share);
}

export function captionView({ video }: ClipFacts, style: Partial<Style>): CaptionView {
  const { captions } = video;
  const { confidence, style: look } = captions;
  const used = style.use_subtitles === true ? 'yes' : null;
  const texts = captions.spans.length;
  const times = `of the time, ${count(texts, 'text')}`;
  const readings = [
    found('Burnt-in captions', used, confidence),
    look === null
      ? found('Titles', texts === 0 ? null : count(texts, 'text'), confidence, 'shown once')
      : found('On screen', percent(captions.share), confidence, times),
  ];
  if (look !== null) {
    readings.push(
      found('Position', capital(look.position), confidence),
      found('Line height', percent(look.lineHeight, 1), confidence, "of the picture's height"),
      found('Color', look.color, confidence),
      found('Outline', look.outlined ? 'yes' : 'no', confidence),
    );
  }
  return { look, confidence, readings };
}
