/** Clocks of a source of which only a part counts: facts count from the part's start, timelines have the file's times. */
import type { JobConfig } from '../../domain/job-config.ts';
import type { TalkRemoval, TalkReport } from './talk.ts';
import type { Clip, Timeline, TrackKey } from './timeline.ts';

type PartConfig = Partial<Pick<JobConfig, 'source_range'>>;

/** Start of the part in the file, in seconds; 0: all of it is used. */
export function partStart({ source_range: range = null }: PartConfig): number {
  return range?.[0] ?? 0;
}

/** A timeline in the file's times on the clock of the facts. */
export function timelineOfPart(timeline: Timeline, config: PartConfig): Timeline {
  return movedTimeline(timeline, -partStart(config));
}

/** A timeline on the clock of the facts in the file's times. */
export function timelineOfFile(timeline: Timeline, config: PartConfig): Timeline {
  return movedTimeline(timeline, partStart(config));
}

function movedTimeline(timeline: Timeline, bySeconds: number): Timeline {
  if (bySeconds === 0) return timeline;
  const { talk } = timeline;
  return {
    ...timeline,
    clips: timeline.clips.map((clip) => movedClip(clip, bySeconds)),
    ...(talk === undefined ? {} : { talk: movedTalk(talk, bySeconds) }),
  };
}

function movedTalk({ removals, proposals, ...talk }: TalkReport, bySeconds: number): TalkReport {
  const moved = (all: readonly TalkRemoval[]) =>
    all.map((removal) => ({
      ...removal,
      startSeconds: removal.startSeconds + bySeconds,
      endSeconds: removal.endSeconds + bySeconds,
    }));
  return {
    ...talk,
    removals: moved(removals),
    ...(proposals === undefined ? {} : { proposals: moved(proposals) }),
  };
}

function movedClip({ track, steady, ...clip }: Clip, bySeconds: number): Clip {
  const keys = (all: readonly TrackKey[]) =>
    all.map((key) => ({ ...key, timeSeconds: key.timeSeconds + bySeconds }));
  return {
    ...clip,
    sourceStartSeconds: clip.sourceStartSeconds + bySeconds,
    sourceEndSeconds: clip.sourceEndSeconds + bySeconds,
    ...(track === undefined ? {} : { track: keys(track) }),
    ...(steady === undefined ? {} : { steady: keys(steady) }),
  };
}
