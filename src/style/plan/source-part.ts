import type { TalkOptions } from '../../domain/talk-options.ts';
import { partStart, timelineOfFile } from '../model/part-clock.ts';
import { planTimeline } from './plan.ts';
import type { PlanRequest } from './plan-request.ts';

/** Like `planTimeline` for the part of the source that counts: facts count from its start, the timeline has the file's times. */
export function planSource(request: PlanRequest): ReturnType<typeof planTimeline> {
  const { timeline, warnings } = planTimeline(onPartClock(request));
  return { timeline: timelineOfFile(timeline, request.config), warnings };
}

/** Ranges before the part have no effect. */
function movedTalk({ mode, keep, remove }: TalkOptions, start: number): TalkOptions {
  const moved = (ranges: TalkOptions['keep']) =>
    ranges
      .map(([from, to]) => [Math.max(0, from - start), to - start] as [number, number])
      .filter(([from, to]) => to > from);
  return { mode, keep: moved(keep), remove: moved(remove) };
}

/** Times that a person or a caption file names are those of the file. */
function onPartClock(request: PlanRequest): PlanRequest {
  const { config, captions = null } = request;
  const start = partStart(config);
  if (start === 0) return request;
  const { framing_focus: focus, talk } = config;
  const framing_focus = Array.isArray(focus)
    ? focus.map((point) => ({ ...point, at_seconds: point.at_seconds - start }))
    : focus;
  const cues = (captions?.cues ?? [])
    .map((cue) => ({
      ...cue,
      startSeconds: Math.max(0, cue.startSeconds - start),
      endSeconds: cue.endSeconds - start,
    }))
    .filter(({ endSeconds }) => endSeconds > 0);
  return {
    ...request,
    config: { ...config, framing_focus, talk: movedTalk(talk, start) },
    captions: captions === null ? null : { ...captions, cues },
  };
}
