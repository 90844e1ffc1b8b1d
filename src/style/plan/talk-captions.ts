/** Words of a talk from several takes, in the output's time. */
import type { ClipFacts } from '../../analysis/facts.ts';
import type { Warning } from '../../domain/stage.ts';
import { captionLook } from '../captions/look.ts';
import { type ShownRun, toOutputTime, withoutOverlaps, withReadingTime } from '../captions/timing.ts';
import { type TalkPart, talkFrames } from '../edit/talk-plan.ts';
import type { Style } from '../model/schema.ts';
import type { Timeline } from '../model/timeline.ts';
import {
  type PlannedCaptions,
  type SourceCaptions,
  setCues,
  warnOfOmitted,
  warnOfReading,
} from './captions.ts';

export interface TalkCaptionRequest {
  /** Per take; null: it has no words. */
  readonly captions: readonly (SourceCaptions | null)[];
  readonly takes: readonly ClipFacts[];
  readonly parts: readonly TalkPart[];
  readonly style: Style;
  /** Captions are shown in any style. */
  readonly isRequested: boolean;
  readonly output: Pick<Timeline, 'width' | 'height'>;
  /** Frames per second of the output. */
  readonly frameRate: number;
}

/** None if neither the style has captions nor the config or a caption file requests them. */
export function planTalkCaptions(request: TalkCaptionRequest, warnings: Warning[]): PlannedCaptions {
  const { parts, isRequested, output, frameRate } = request;
  const style = request.style.use_subtitles ? request.style : null;
  const speaking = [...new Set(parts.map(({ take }) => take))];
  const cues = speaking.flatMap((take) => {
    const captions = request.captions[take] ?? null;
    const isFile = captions?.origin === 'file';
    if (captions === null || (style === null && !isRequested && !isFile)) return [];
    const warn = (code: string, message: string) => {
      warnings.push({ code, message: `Take ${take + 1}: ${message}` });
    };
    if (request.takes[take]!.video.captions.style !== null && !isFile) {
      if (isRequested) warn('CAPTIONS_IN_PICTURE', 'It seems to have captions in its picture already.');
      return [];
    }
    warnOfOmitted(captions.omitted, warn);
    warnOfReading(captions, warn);
    return toOutputTime(withoutOverlaps(captions.cues), runsOf(parts, take, frameRate));
  });
  const metricsOf = request.captions.find((one) => one != null)?.metricsOf;
  if (cues.length === 0 || metricsOf === undefined) {
    if (isRequested)
      warnings.push({ code: 'NO_SPEECH_FOUND', message: 'No words were found, so no captions are added.' });
    return { captions: [] };
  }
  const totalSeconds = talkFrames(parts) / frameRate;
  const look = captionLook(style ?? {}, output, metricsOf);
  const timed = withReadingTime(cues, totalSeconds);
  const set = setCues(() => look, timed, { ...output, metricsOf }, warnings);
  if (set.length === 0) return { captions: [] };
  return { captions: set.map(({ cue: _, ...caption }) => caption), captionLook: look };
}

/** Parts that continue each other under B-roll are one run of the talk already. */
function runsOf(parts: readonly TalkPart[], take: number, frameRate: number): ShownRun[] {
  return parts
    .filter((part) => part.take === take)
    .map(({ startFrame, endFrame, outputFrame }) => ({
      startSeconds: startFrame / frameRate,
      endSeconds: endFrame / frameRate,
      outputSeconds: outputFrame / frameRate,
    }));
}

/** A title hides the captions of its time. */
export function besideTitles(captions: PlannedCaptions, titles: PlannedCaptions): PlannedCaptions {
  const isFree = ({ startSeconds, endSeconds }: Timeline['captions'][number]) =>
    titles.captions.every((title) => endSeconds <= title.startSeconds || startSeconds >= title.endSeconds);
  const all = [...captions.captions.filter(isFree), ...titles.captions];
  const look = captions.captionLook ?? titles.captionLook;
  return {
    captions: all.sort((one, other) => one.startSeconds - other.startSeconds),
    ...(look === undefined ? {} : { captionLook: look }),
  };
}
