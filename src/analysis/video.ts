import { type Frame, stepFrames } from '../domain/footage.ts';
import { PictureAreaDetector } from './bars/picture-area.ts';
import { CaptionDetector } from './captions/captions.ts';
import { ColorAnalysis } from './color/color.ts';
import type { Detector } from './detector.ts';
import type { VideoFacts } from './facts.ts';
import { PresentationClock } from './frames/presentation-clock.ts';
import { MotionFieldEstimator } from './optical-flow/field.ts';
import { MotionLogWriter } from './optical-flow/log.ts';
import { PictureMeter } from './picture/picture.ts';
import { ShotDetector } from './shots/shot.ts';
import { AttentionMeter } from './subjects/attention.ts';
import { CardDetector } from './subjects/card.ts';
import { FaceTracker } from './subjects/face.ts';
import { FigureMeter } from './subjects/figure.ts';
import { SalientTracker } from './subjects/salient-track.ts';
import { SidewaysMeter } from './subjects/sideways.ts';

/** Properties of a clip that are known before its frames are decoded. */
export interface ClipOutline {
  /** As displayed: after rotation and sample aspect. */
  readonly width: number;
  readonly height: number;
  /** PQ or HLG: the frames are its tone-mapped picture. */
  readonly hdr: boolean;
  /** An image: its only frame has no duration. */
  readonly isStill: boolean;
  readonly containerDurationSeconds: number | null;
}

export interface VideoOptions {
  /** Whether faces, figures, salient regions and attention are measured, which only reframing needs. Default: yes. */
  readonly withSubjects?: boolean;
}

export interface VideoResult {
  readonly facts: VideoFacts;
  /** Motion from frame to frame as `motion-log.ts` writes it: input of the motion analysis. */
  readonly motionLog: Uint8Array;
}

interface Subjects {
  readonly salient: SalientTracker;
  readonly faces: FaceTracker;
  readonly sideways: SidewaysMeter;
  readonly figures: FigureMeter;
  readonly attention: AttentionMeter;
  readonly cards: CardDetector;
}

/**
 * All measurements of the video, in one pass: frames are pushed once, in order. Memory grows with the clip only by
 * scalars and small samples.
 */
export class VideoAnalysis implements Detector<[Frame], VideoResult> {
  readonly #clip: ClipOutline;
  readonly #clock = new PresentationClock();
  readonly #motion = new MotionFieldEstimator();
  readonly #motionLog = new MotionLogWriter();
  readonly #shots = new ShotDetector();
  readonly #color: ColorAnalysis;
  readonly #captions = new CaptionDetector();
  readonly #areas = new PictureAreaDetector();
  readonly #picture = new PictureMeter();
  readonly #subjects: Subjects | null;
  #lastSeconds = Number.NEGATIVE_INFINITY;

  constructor(clip: ClipOutline, { withSubjects = true }: VideoOptions = {}) {
    this.#clip = clip;
    this.#subjects = withSubjects
      ? {
          salient: new SalientTracker(),
          faces: new FaceTracker(),
          sideways: new SidewaysMeter(),
          figures: new FigureMeter(),
          attention: new AttentionMeter(),
          cards: new CardDetector(),
        }
      : null;
    this.#color = new ColorAnalysis({ isStill: clip.isStill });
  }

  push(frame: Frame): void {
    // First, because the other detectors need the area inside the bars.
    this.#areas.push(frame);
    const seconds = frame.timeSeconds - this.#lastSeconds;
    this.#lastSeconds = frame.timeSeconds;
    const field = this.#motion.push(frame.grey, this.#areas.runBox, stepFrames(frame), seconds);
    if (field?.broken === true) this.#areas.startRun();
    for (const skipped of frame.skippedSeconds ?? []) this.#clock.push(skipped);
    this.#clock.push(frame.timeSeconds);
    this.#motionLog.push(frame.timeSeconds, field, frame.skippedSeconds);
    this.#shots.push(frame, field, this.#areas.box);
    this.#color.push(frame, this.#areas.runBox);
    this.#captions.push(frame, field);
    this.#picture.push(frame, field, this.#areas.runBox);
    this.#subjects?.salient.push(frame, this.#areas.runBox);
    this.#subjects?.faces.push(frame, field);
    this.#subjects?.sideways.push(frame, this.#subjects.faces.hasFace);
    this.#subjects?.figures.push(frame, field);
    this.#subjects?.attention.push(frame, this.#areas.runBox);
    this.#subjects?.cards.push(frame);
  }

  finish(): VideoResult {
    const { width, height, hdr, isStill, containerDurationSeconds } = this.#clip;
    const presentation = this.#clock.finish(containerDurationSeconds);
    const { shots, transitions, confidence } = this.#shots.finish(presentation.durationSeconds);
    const captions = this.#captions.finish();
    const areas = this.#areas.finish(shots, transitions);
    const sidewaysConfidence = this.#subjects?.sideways.finish() ?? null;
    const facts: VideoFacts = {
      ...presentation,
      width,
      height,
      hdr,
      isStill,
      activeArea: areas.clip,
      shotAreas: areas.shots,
      shots,
      transitions,
      shotConfidence: confidence,
      color: this.#color.finish(shots, transitions, captions.spans, areas.shots),
      captions,
      picture: this.#picture.finish(),
      salientTracks: this.#subjects?.salient.finish(shots) ?? [],
      faces: this.#subjects?.faces.finish(shots) ?? [],
      ...(sidewaysConfidence === null ? {} : { sidewaysConfidence }),
      figures: this.#subjects?.figures.finish() ?? [],
      attention: this.#subjects?.attention.finish(shots) ?? [],
      cards: this.#subjects?.cards.finish(shots, transitions) ?? [],
    };
    return { facts, motionLog: this.#motionLog.finish() };
  }
}
