/** The analysis in parts that can be run again on what was measured before them. */
import { AudioAnalysis, describeSound, type HeardSound } from '../../src/analysis/audio.ts';
import { PictureAreaDetector } from '../../src/analysis/bars/picture-area.ts';
import { CaptionDetector } from '../../src/analysis/captions/captions.ts';
import { ColourAnalysis } from '../../src/analysis/colour/colour.ts';
import type { Box } from '../../src/analysis/facts.ts';
import { analyseMotion } from '../../src/analysis/motion.ts';
import { type MotionField, MotionFieldEstimator } from '../../src/analysis/optical-flow/field.ts';
import { type MotionLog, MotionLogWriter, readMotionLog } from '../../src/analysis/optical-flow/log.ts';
import { ShotDetector } from '../../src/analysis/shots/shot.ts';
import { AttentionMeter } from '../../src/analysis/subjects/attention.ts';
import { SalientTracker } from '../../src/analysis/subjects/salient-track.ts';
import { VideoAnalysis } from '../../src/analysis/video.ts';
import { type Frame, type Picture, type SampleBlock, stepFrames } from '../../src/domain/footage.ts';
import { openFrames } from '../../src/media/decode/frames.ts';
import { openSamples } from '../../src/media/decode/samples.ts';
import { outlineOf } from '../../src/media/read/outline.ts';
import { motionRecordingOf } from '../camera/recording.ts';
import type { Findings } from '../lib/measure.ts';
import { type FieldSummary, summaryOf } from '../shots/recording.ts';

/** A clip as it was decoded and measured, and what was found of it. */
export interface Clip {
  readonly found: Findings;
  readonly sound: { readonly blocks: readonly SampleBlock[]; readonly heard: HeardSound } | null;
  readonly picture: {
    readonly outline: ConstructorParameters<typeof VideoAnalysis>[0];
    readonly frames: readonly SeenFrame[];
    readonly log: MotionLog;
  } | null;
}

interface SeenFrame {
  readonly frame: Frame;
  readonly field: (FieldSummary & Pick<MotionField, 'broken'>) | null;
  /** Inside the bars of the clip so far, and of the run. */
  readonly area: Box;
  readonly runArea: Box;
}

const SAMPLE_RATE = 44_100;

/**
 * Decodes and measures a file once, and leaves out what no stage asks for; `motion`: its log alone, as it was measured before;
 * `subjects`: faces and figures are looked for as well.
 */
export async function recordClip(
  path: string,
  ask: { sound: boolean; picture: boolean; motion: boolean; subjects: boolean },
): Promise<Clip> {
  const outline = await outlineOf(path);
  const clip = outline.video && { ...outline.video, containerDurationSeconds: outline.durationSeconds };
  const picture = clip && (ask.picture ? await recordPicture(path, clip, ask.subjects) : null);
  if (clip !== null && ask.motion && picture === null) {
    const recorded = await motionRecordingOf(path);
    const { video, log } = recorded!;
    const seen = { video, motion: analyseMotion(log, video) };
    return {
      found: { seen, audio: null },
      sound: null,
      picture: { outline: clip, frames: [], ...recorded! },
    };
  }
  const sound = outline.hasAudio && ask.sound ? await recordSound(path) : null;
  const seen = picture && { video: picture.video, motion: analyseMotion(picture.log, picture.video) };
  return { found: { seen, audio: sound && describeSound(sound.heard) }, sound, picture };
}

async function recordSound(path: string): Promise<Clip['sound']> {
  const blocks: SampleBlock[] = [];
  for await (const block of openSamples(path, { sampleRate: SAMPLE_RATE, channels: 'source' }))
    blocks.push({ ...block, channels: block.channels.map((channel) => channel.slice()) });
  return blocks.length === 0 ? null : { blocks, heard: listen(blocks) };
}

function listen(blocks: readonly SampleBlock[]): HeardSound {
  const analysis = new AudioAnalysis({ sampleRate: SAMPLE_RATE, channels: blocks[0]!.channels.length });
  for (const block of blocks) analysis.push(block);
  return analysis.heard();
}

async function recordPicture(
  path: string,
  outline: ConstructorParameters<typeof VideoAnalysis>[0],
  withSubjects: boolean,
) {
  const analysis = new VideoAnalysis(outline, { withSubjects });
  const areas = new PictureAreaDetector();
  const motion = new MotionFieldEstimator();
  const frames: SeenFrame[] = [];
  const kept = (picture: Picture): Picture => ({ ...picture, data: picture.data.slice() });
  for await (const one of openFrames(path, { thinned: true })) {
    const { detail } = one;
    const frame = { ...one, colour: kept(one.colour), grey: kept(one.grey), detail: detail && kept(detail) };
    analysis.push(frame);
    areas.push(frame);
    const runArea = areas.runBox;
    const field = motion.push(frame.grey, runArea, stepFrames(frame));
    if (field?.broken === true) areas.startRun();
    frames.push({
      frame,
      field: field && { ...summaryOf(field), broken: field.broken },
      area: areas.box,
      runArea,
    });
  }
  const { facts, motionLog } = analysis.finish();
  return { outline, frames, log: readMotionLog(motionLog), video: facts };
}

type Stage = (clip: Clip) => Findings;

const LISTENING: Stage = ({ found, sound }) => ({
  ...found,
  audio: sound && describeSound(listen(sound.blocks)),
});
const HEARD: Stage = ({ found, sound }) => ({ ...found, audio: sound && describeSound(sound.heard) });

const MOTION: Stage = ({ found, picture }) => ({
  ...found,
  seen: found.seen && { ...found.seen, motion: analyseMotion(picture!.log, found.seen.video) },
});

const SHOTS: Stage = ({ found, picture }) => {
  if (found.seen === null || picture === null) return found;
  const detector = new ShotDetector();
  for (const { frame, field, area } of picture.frames)
    detector.push(frame, field as MotionField | null, area);
  const { shots, transitions, confidence } = detector.finish(found.seen.video.durationSeconds);
  const video = { ...found.seen.video, shots, transitions, shotConfidence: confidence };
  return { ...found, seen: { ...found.seen, video } };
};

const CAPTIONS: Stage = ({ found, picture }) => {
  if (found.seen === null || picture === null) return found;
  const detector = new CaptionDetector();
  for (const { frame, field } of picture.frames) detector.push(frame, field as MotionField | null);
  return { ...found, seen: { ...found.seen, video: { ...found.seen.video, captions: detector.finish() } } };
};

const COLOUR: Stage = ({ found, picture }) => {
  if (found.seen === null || picture === null) return found;
  const { isStill, shots, transitions, captions, shotAreas } = found.seen.video;
  const analysis = new ColourAnalysis({ isStill });
  for (const { frame } of picture.frames) analysis.push(frame);
  const colour = analysis.finish(shots, transitions, captions.spans, shotAreas);
  return { ...found, seen: { ...found.seen, video: { ...found.seen.video, colour } } };
};

const PICTURE: Stage = ({ found, picture }) => {
  if (picture === null) return found;
  const analysis = new VideoAnalysis(picture.outline, { withSubjects: false });
  for (const { frame } of picture.frames) analysis.push(frame);
  const { facts, motionLog } = analysis.finish();
  return { ...found, seen: { video: facts, motion: analyseMotion(readMotionLog(motionLog), facts) } };
};

/** The motion of blocks, and what reads it but captions: those read which pictures are broken, and little else. */
const FLOW: Stage = ({ found, picture }) => {
  if (found.seen === null || picture === null) return found;
  const motion = new MotionFieldEstimator();
  const log = new MotionLogWriter();
  const detector = new ShotDetector();
  for (const { frame, area, runArea } of picture.frames) {
    const field = motion.push(frame.grey, runArea, stepFrames(frame));
    log.push(frame.timeSeconds, field, frame.skippedSeconds);
    detector.push(frame, field, area);
  }
  const { shots, transitions, confidence } = detector.finish(found.seen.video.durationSeconds);
  const areas = new PictureAreaDetector();
  for (const { frame } of picture.frames) areas.push(frame);
  const video = {
    ...found.seen.video,
    shots,
    transitions,
    shotConfidence: confidence,
    shotAreas: areas.finish(shots, transitions).shots,
  };
  return { ...found, seen: { video, motion: analyseMotion(readMotionLog(log.finish()), video) } };
};

/** Where bars are found; what is seen between them is not measured again. */
const BARS: Stage = ({ found, picture }) => {
  if (found.seen === null || picture === null) return found;
  const { shots, transitions } = found.seen.video;
  const areas = new PictureAreaDetector();
  for (const { frame } of picture.frames) areas.push(frame);
  const { clip, shots: shotAreas } = areas.finish(shots, transitions);
  return { ...found, seen: { ...found.seen, video: { ...found.seen.video, activeArea: clip, shotAreas } } };
};

/** What stands out and what moves by itself; faces and figures stay as they were found. */
const SUBJECTS: Stage = ({ found, picture }) => {
  if (found.seen === null || picture === null) return found;
  const salient = new SalientTracker();
  const attention = new AttentionMeter();
  for (const { frame, field, area, runArea } of picture.frames) {
    // A run that begins with this frame knows no bars but the clip's.
    const inside = field?.broken === true ? area : runArea;
    salient.push(frame, inside);
    attention.push(frame, inside);
  }
  const { shots } = found.seen.video;
  const video = {
    ...found.seen.video,
    salientTracks: salient.finish(shots),
    attention: attention.finish(shots),
  };
  return { ...found, seen: { video, motion: analyseMotion(picture.log, video) } };
};

/** Which rooms each stage runs again. Files that two stages read are in the slower one. */
export const STAGES: Readonly<
  Record<string, { readonly files: RegExp; readonly run: Stage; readonly hears: boolean }>
> = {
  listening: {
    files: /^(audio|spectrum|loudness|speech\/voice|beats\/onset-curve)/,
    run: LISTENING,
    hears: true,
  },
  heard: { files: /^(beats|speech|soundtrack\/genre)/, run: HEARD, hears: true },
  motion: { files: /^(camera|motion)/, run: MOTION, hears: false },
  shots: { files: /^(shots|transitions|frames\/(sketch|likeness))/, run: SHOTS, hears: false },
  captions: { files: /^captions/, run: CAPTIONS, hears: false },
  colour: { files: /^(colour|frames\/thinned)/, run: COLOUR, hears: false },
  flow: { files: /^optical-flow/, run: FLOW, hears: false },
  bars: { files: /^bars/, run: BARS, hears: false },
  subjects: {
    files: /^subjects\/(attention|salient|sharpness|shot-samples|subject\.)/,
    run: SUBJECTS,
    hears: false,
  },
  picture: { files: /^frames\/presentation/, run: PICTURE, hears: false },
};
