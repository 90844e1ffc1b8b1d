/** Share of marked regions that crops to another ratio contain. */
import type { Box, ClipFacts } from '../../src/analysis/facts.ts';
import type { Size } from '../../src/domain/footage.ts';
import { jobConfigSchema } from '../../src/domain/job-config.ts';
import { extractStyle } from '../../src/style/extract/extract.ts';
import { framingAt } from '../../src/style/model/framing.ts';
import type { Clip, Reframe } from '../../src/style/model/timeline.ts';
import { chooseFraming } from '../../src/style/plan/framing.ts';
import { planTimeline } from '../../src/style/plan/plan.ts';
import { frameGrid, type Segment, secondsAt, segmentsOf } from '../../src/style/plan/segments.ts';
import { stretchesOf } from '../../src/style/plan/stretches.ts';

/** The marked region at a moment: left, top, right, bottom in shares of the picture; null: none. */
export interface Mark {
  readonly seconds: number;
  readonly box: readonly [number, number, number, number] | null;
}

interface MomentScore extends Mark {
  readonly shot: number;
  /** Of the running time: its shot's share by the shot's moments. */
  readonly weight: number;
  /** Whether a crop could hold the box. */
  readonly fits: boolean;
  /** Share of the box inside the framing: cropped, and with the automatic choice. */
  readonly heldCropped: number;
  readonly held: number;
  /** The same inside a centered crop, which needs no analysis. */
  readonly heldCentred: number;
  readonly view: Reframe;
}

interface ShotScore {
  readonly shot: number;
  readonly seconds: number;
  /** Whether crops could hold all its boxes. */
  readonly fits: boolean;
  /** Whether it requests padding. */
  readonly asksForPadding: boolean;
}

export interface FramingScore {
  readonly moments: readonly MomentScore[];
  readonly shots: readonly ShotScore[];
  readonly fit: Clip['fit'];
}

/** Marks are exact to about a fiftieth of the picture: a box of which so much is in view is held. */
export const HELD = 0.9;
/** Of 46 missed moments, drawn with their crops, 17 have so much of the box in view; 15 of these, and none of the others, a person would let pass. */
export const NEARLY_HELD = 0.7;
/** A crop that is narrower than the box by so little still holds it, for the same reason. */
const MARK_TOLERANCE = 0.015;

export function scoreFraming(source: ClipFacts, marks: readonly Mark[], ratio: number): FramingScore {
  const { video } = source;
  const grid = frameGrid(video.frameRate, video.durationSeconds);
  const segments = segmentsOf(video, grid).flatMap((segment) => stretchesOf(video, grid, segment));
  const cropped = clipsOf(source, ratio, 'crop');
  const shown = clipsOf(source, ratio, 'auto');
  const moments = marks.map((mark): MomentScore => {
    const shot = segments.findIndex(({ endFrame }) => mark.seconds < secondsAt(grid, endFrame));
    const { startFrame, endFrame } = segments[shot];
    const inside = marks.filter(
      ({ seconds }) => seconds >= secondsAt(grid, startFrame) && seconds < secondsAt(grid, endFrame),
    );
    const view = viewAt(cropped, mark.seconds);
    return {
      ...mark,
      shot,
      weight: secondsAt(grid, endFrame - startFrame) / inside.length,
      fits: fits(mark.box, cropSize(source, mark.seconds, ratio)),
      heldCropped: heldShare(mark.box, view),
      held: heldShare(mark.box, viewAt(shown, mark.seconds)),
      heldCentred: heldShare(mark.box, centred(areaAt(source, mark.seconds), view)),
      view,
    };
  });
  const shots = segments.flatMap((segment, shot): ShotScore[] => {
    const inside = moments.filter((moment) => moment.shot === shot);
    if (inside.length === 0) return [];
    return [
      {
        shot,
        seconds: secondsAt(grid, segment.endFrame - segment.startFrame),
        fits: inside.every((moment) => moment.fits),
        asksForPadding: asksForPadding(source, segment, ratio),
      },
    ];
  });
  return { moments, shots, fit: shown[0].fit };
}

function asksForPadding(source: ClipFacts, segment: Segment, ratio: number): boolean {
  const grid = frameGrid(source.video.frameRate, source.video.durationSeconds);
  return (
    chooseFraming(source, { ratio, manner: 'auto', focus: null }, [segment], grid).views[0]!.fit === 'pad'
  );
}

function clipsOf(source: ClipFacts, ratio: number, framing: 'auto' | 'crop'): readonly Clip[] {
  const lines = 1000;
  const template = {
    ...source,
    video: { ...source.video, width: Math.round(lines * ratio), height: lines, captions: NO_CAPTIONS },
  };
  const style = extractStyle(template, { createdAt: new Date(0), fingerprint: null });
  const components = {
    color: false,
    audio: false,
    pacing: false,
    transitions: false,
    motion: false,
    frame_rate: false,
    aspect_ratio: true,
  };
  const config = jobConfigSchema.parse({ framing, components });
  return planTimeline({ source, style, template, config }).timeline.clips;
}

const NO_CAPTIONS = { share: 0, spans: [], style: null, confidence: 0 };

function viewAt(clips: readonly Clip[], seconds: number): Reframe {
  const clip = clips.find(({ sourceEndSeconds }) => seconds < sourceEndSeconds) ?? clips.at(-1)!;
  const { sourceStartSeconds: start, sourceEndSeconds: end } = clip;
  return framingAt(clip, (seconds - start) / (end - start), seconds);
}

/** The largest crop at a moment, inside the bars. */
function cropSize({ video }: ClipFacts, seconds: number, ratio: number): Size {
  const area = areaAt({ video }, seconds);
  const own = (area.width * video.width) / (area.height * video.height);
  return ratio < own
    ? { width: (area.width * ratio) / own, height: 1 }
    : { width: 1, height: (area.height * own) / ratio };
}

/** What lies inside the bars at a moment. */
function areaAt({ video }: Pick<ClipFacts, 'video'>, seconds: number): Box {
  const shot = video.shots.findIndex(({ endSeconds }) => seconds < endSeconds);
  return video.shotAreas[shot] ?? video.activeArea;
}

function centred(area: Box, { width, height }: Size): Reframe {
  return {
    x: area.x + (area.width - width) / 2,
    y: area.y + (area.height - height) / 2,
    width,
    height,
  };
}

function fits(box: Mark['box'], crop: Size): boolean {
  if (box === null) return true;
  const [left, top, right, bottom] = box;
  return right - left <= crop.width + MARK_TOLERANCE && bottom - top <= crop.height + MARK_TOLERANCE;
}

/** Share of a box that is in view; of none, all. */
export function heldShare(box: Mark['box'], view: Reframe): number {
  if (box === null) return 1;
  const [left, top, right, bottom] = box;
  const across = Math.min(right, view.x + view.width) - Math.max(left, view.x);
  const down = Math.min(bottom, view.y + view.height) - Math.max(top, view.y);
  return (Math.max(0, across) * Math.max(0, down)) / ((right - left) * (bottom - top));
}
