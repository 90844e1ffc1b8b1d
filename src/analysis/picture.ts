import type { Frame } from '../footage.ts';
import { ActiveArea } from './active-area.ts';
import { CaptionDetector } from './captions.ts';
import { ColourAnalysis } from './colour.ts';
import { FaceTracker } from './face.ts';
import type { PictureFacts } from './facts.ts';
import { MotionFieldEstimator } from './motion-field.ts';
import { MotionLogWriter } from './motion-log.ts';
import { PresentationClock } from './presentation-clock.ts';
import { ShotDetector } from './shot.ts';
import { StandoutTracker } from './standout.ts';

/** What is known of a clip before its frames are seen. */
export interface ClipOutline {
  /** As displayed: after rotation and sample aspect. */
  readonly width: number;
  readonly height: number;
  /** PQ or HLG: the frames are its tone-mapped picture. */
  readonly hdr: boolean;
  readonly containerDurationSeconds: number | null;
}

export interface PictureResult {
  readonly facts: PictureFacts;
  /** Motion from frame to frame as `motion-log.ts` writes it: input of the motion analysis. */
  readonly motionLog: Uint8Array;
}

/**
 * Everything that is measured on the picture, in one pass: frames are pushed once, in order. Memory does not
 * grow with the clip but for scalars and small samples.
 */
export class PictureAnalysis {
  readonly #clip: ClipOutline;
  readonly #clock = new PresentationClock();
  readonly #motion = new MotionFieldEstimator();
  readonly #motionLog = new MotionLogWriter();
  readonly #shots = new ShotDetector();
  readonly #colour = new ColourAnalysis();
  readonly #captions = new CaptionDetector();
  readonly #activeArea = new ActiveArea();
  readonly #standouts = new StandoutTracker();
  readonly #faces = new FaceTracker();

  constructor(clip: ClipOutline) {
    this.#clip = clip;
  }

  push(frame: Frame): void {
    const field = this.#motion.push(frame.grey);
    this.#clock.push(frame.timeSeconds);
    this.#motionLog.push(frame.timeSeconds, field);
    this.#shots.push(frame, field);
    this.#colour.push(frame);
    this.#captions.push(frame, field);
    this.#standouts.push(frame);
    this.#faces.push(frame, field);
    if (frame.detail !== null) this.#activeArea.push(frame.detail);
  }

  finish(): PictureResult {
    const { width, height, hdr, containerDurationSeconds } = this.#clip;
    const presentation = this.#clock.finish(containerDurationSeconds);
    const { shots, transitions, confidence } = this.#shots.finish(presentation.durationSeconds);
    const captions = this.#captions.finish();
    const activeArea = this.#activeArea.finish();
    const facts: PictureFacts = {
      ...presentation,
      width,
      height,
      hdr,
      activeArea,
      shots,
      transitions,
      shotConfidence: confidence,
      colour: this.#colour.finish(shots, transitions, captions.spans, activeArea),
      captions,
      standouts: this.#standouts.finish(shots),
      faces: this.#faces.finish(shots),
    };
    return { facts, motionLog: this.#motionLog.finish() };
  }
}
