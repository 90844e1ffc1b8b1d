import type { ClipFacts } from '../../analysis/facts.ts';
import type { VoiceCurve } from '../../analysis/talk-facts.ts';
import { strengthOf } from '../../domain/job-choices.ts';
import type { JobConfig } from '../../domain/job-config.ts';
import { totalSeconds } from '../../domain/spans.ts';
import { framesPerSecond } from '../../domain/time.ts';
import { median } from '../../signal/statistics.ts';
import { aspectRatioOf } from '../model/aspect-ratio.ts';
import type { EditSummary, MadeTransition } from '../model/edit-summary.ts';
import { partStart, timelineOfPart } from '../model/part-clock.ts';
import type { TalkRemoval } from '../model/talk.ts';
import type { Clip, Timeline } from '../model/timeline.ts';
import {
  cutsOf,
  editMoments,
  followedKind,
  isFollowing,
  isOnBeat,
  isPunchIn,
  isSteadied,
  rounded,
  zoomBetween,
} from './edit-moments.ts';
import { editText } from './edit-words.ts';
import { continuesShot } from './talk-pieces.ts';

/** A framing that crops less than this share of the picture's width and height shows the whole picture. */
const CROPPED = 0.01;

/** A finished edit, with the data for its summary. */
export interface DoneEdit {
  /** Facts of the used part. */
  readonly source: ClipFacts;
  readonly timeline: Timeline;
  readonly config: Pick<JobConfig, 'style_strength' | 'components'> &
    Partial<Pick<JobConfig, 'source_range'>>;
  /** Measurements of the verification. */
  readonly output: {
    readonly durationSeconds: number;
    /** Null: no sound, or nothing but silence. */
    readonly integratedLufs: number | null;
  };
}

/** Summary of the changes, as data and as text. */
export function summariseEdit({ source, config, output, ...done }: DoneEdit): EditSummary {
  const { video } = source;
  const timeline = timelineOfPart(done.timeline, config);
  const { width, height, frameRate, clips } = timeline;
  const entries = editMoments(timeline, source).map((entry) => ({
    ...entry,
    source_seconds: rounded(entry.source_seconds + partStart(config)),
  }));
  const figures = {
    source: {
      width: video.width,
      height: video.height,
      frame_rate: shownRate(framesPerSecond(video.frameRate)),
      duration_seconds: rounded(video.durationSeconds),
    },
    output: {
      width,
      height,
      frame_rate: shownRate(framesPerSecond(frameRate)),
      duration_seconds: rounded(output.durationSeconds),
    },
    cuts: cutFigures(source, timeline),
    punch_ins: punchInFigures(source, timeline),
    push_ins: entries.filter(({ kind }) => kind === 'push_in').length,
    transitions: transitionCounts(timeline),
    framing: framingOf(source, timeline),
    stabilised_seconds: rounded(secondsOf(clips.filter(isSteadied))),
    left_out_seconds: leftOutSeconds(source, timeline),
    ...talkOf(done.timeline, source.audio?.speech.talk?.curve, partStart(config)),
    captions: timeline.captions.length,
    loudness: loudnessOf(source, output.integratedLufs),
    ...(timeline.notFollowed === undefined ? {} : { not_followed: [...timeline.notFollowed] }),
    color_strength: timeline.takes.every(({ grade }) => grade === null) ? null : strengthOf(config, 'color'),
  };
  return { text: editText(figures), ...figures, entries };
}

function cutFigures(source: ClipFacts, timeline: Timeline): EditSummary['cuts'] {
  const beats = source.audio?.beats ?? [];
  const cuts = cutsOf(timeline)
    .slice(1)
    .filter(({ clip }) => clip.reason !== 'source_transition');
  const hard = cuts.filter(({ transition }) => transition === null);
  const onBeat = hard.filter(({ clip }) => isOnBeat(clip.sourceStartSeconds, beats));
  return {
    of_source: cuts.filter(({ clip }) => clip.reason === 'source_cut').length,
    added: cuts.filter(({ clip }) => clip.reason !== 'source_cut').length,
    on_beat_share:
      beats.length === 0 || hard.length === 0 ? null : Number((onBeat.length / hard.length).toFixed(3)),
  };
}

function punchInFigures(source: ClipFacts, timeline: Timeline): EditSummary['punch_ins'] {
  const beats = source.audio?.beats ?? [];
  const closer = cutsOf(timeline).filter(({ clip, before }) => before !== null && isPunchIn(clip, before));
  const zooms = closer.map(({ clip, before }) => zoomBetween(before!, clip));
  return {
    count: closer.length,
    on_beat:
      beats.length === 0
        ? null
        : closer.filter(({ clip }) => isOnBeat(clip.sourceStartSeconds, beats)).length,
    median_zoom: zooms.length === 0 ? null : Number(median(zooms).toFixed(3)),
  };
}

function transitionCounts({ transitions }: Timeline): EditSummary['transitions'] {
  const counts: Partial<Record<MadeTransition, number>> = {};
  for (const { type } of transitions) counts[type] = (counts[type] ?? 0) + 1;
  return counts;
}

function framingOf(source: ClipFacts, timeline: Timeline): EditSummary['framing'] {
  const { width, height, clips } = timeline;
  const follows = clips.some(isFollowing) ? followedKind(timeline, source) : null;
  return { manner: mannerOf(source, timeline), aspect_ratio: aspectRatioOf(width, height), follows };
}

function mannerOf(
  { video }: ClipFacts,
  { width, height, clips }: Timeline,
): EditSummary['framing']['manner'] {
  if (clips.some(({ fit }) => fit === 'pad')) return 'pad';
  const isOtherRatio = Math.abs((width * video.height) / (height * video.width) - 1) > CROPPED;
  // Closer framings and stabilization also crop, but not for the output's shape.
  const plain = clips.filter((clip) => !continuesShot(clip) && !isSteadied(clip));
  const isPart = ({ from }: Clip) => Math.min(from.width, from.height) < 1 - CROPPED;
  return isOtherRatio || plain.some(isPart) ? 'crop' : 'kept';
}

function loudnessOf({ audio }: ClipFacts, after: number | null): EditSummary['loudness'] {
  if (audio === null) return null;
  const before = audio.confidence === 0 ? null : audio.loudness.integratedLufs;
  const tenth = (value: number | null) => (value === null ? null : Number(value.toFixed(1)));
  return {
    before_lufs: tenth(before),
    after_lufs: tenth(after),
    change_lu: before === null || after === null ? null : tenth(after - before),
  };
}

function talkOf(
  { talk, clips }: Timeline,
  curve: VoiceCurve | undefined,
  startSeconds: number,
): Pick<EditSummary, 'talk'> {
  if (talk === undefined) return {};
  const { removals, proposals = [], medianPauseBefore: before, medianPauseAfter: after } = talk;
  const entryOf = ({ startSeconds, endSeconds, ...rest }: TalkRemoval) => {
    const shown = clips.map(
      (clip) => Math.min(startSeconds, clip.sourceEndSeconds) - clip.sourceStartSeconds,
    );
    const at_seconds = rounded(shown.reduce((sum, length) => sum + Math.max(0, length), 0));
    return { start_seconds: rounded(startSeconds), end_seconds: rounded(endSeconds), at_seconds, ...rest };
  };
  return {
    talk: {
      removed_seconds: rounded(totalSeconds(removals)),
      median_pause_seconds: before === null || after === null ? null : { before, after },
      removals: removals.map(entryOf),
      ...(proposals.length === 0 ? {} : { proposals: proposals.map(entryOf) }),
      ...(curve === undefined
        ? {}
        : {
            curve: {
              start_seconds: startSeconds,
              step_seconds: curve.stepSeconds,
              percents: [...curve.percents],
            },
          }),
    },
  };
}

/** A part of a frame at the end is due to rounding. */
function leftOutSeconds({ video }: ClipFacts, { clips, frameRate }: Timeline): number {
  const missing = video.durationSeconds - secondsOf(clips);
  return missing * framesPerSecond(frameRate) < 1 ? 0 : rounded(missing);
}

function secondsOf(clips: readonly Clip[]): number {
  return clips.reduce((sum, clip) => sum + clip.sourceEndSeconds - clip.sourceStartSeconds, 0);
}

function shownRate(rate: number): number {
  return Number(rate.toFixed(3));
}
