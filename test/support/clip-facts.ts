import type {
  AudioFacts,
  ClipFacts,
  ColorStatistics,
  MotionFacts,
  Shot,
  SubjectTrack,
  Transition,
  VideoFacts,
} from '../../src/analysis/facts.ts';
import type { PictureFacts } from '../../src/analysis/picture-facts.ts';
import { framesPerSecond } from '../../src/domain/time.ts';

/** Mid-grey statistics without a cast; `parts` override fields. */
export function colorStatistics(parts: Partial<ColorStatistics> = {}): ColorStatistics {
  return {
    lightnessPercentiles: Array.from({ length: 21 }, (_, index) => 8 + index * 4),
    meanA: 0,
    meanB: 0,
    covariance: [64, 0, 81],
    tones: { shadows: [0, 0], midtones: [0, 0], highlights: [0, 0] },
    neutral: { a: 0, b: 0, share: 0.8 },
    medianChroma: 14,
    skin: null,
    clipped: [0, 0],
    ...parts,
  };
}

/** A hard cut at `timeSeconds`. */
export function cutAt(timeSeconds: number, fps = 25): Transition {
  const frame = Math.round(timeSeconds * fps);
  return {
    type: 'cut',
    startFrame: frame - 1,
    endFrame: frame,
    startSeconds: (frame - 1) / fps,
    endSeconds: frame / fps,
    easing: 'linear',
    confidence: 1,
  };
}

/** A picture without a sample; `parts` override fields. */
export function pictureFacts(parts: Partial<PictureFacts> = {}): PictureFacts {
  return {
    timesSeconds: [],
    sharpness: [],
    noise: [],
    flat: [],
    hard: [],
    detail: [],
    contrast: [],
    lightness: [],
    black: [],
    white: [],
    highlight: [],
    colorSpread: [],
    change: [],
    difference: [],
    viewTimesSeconds: [],
    views: '',
    jolts: [],
    ...parts,
  };
}

/** Samples with these shares of flat cells, and of hard edges among the others. */
export function flatPicture(
  timesSeconds: readonly number[],
  flat: readonly number[],
  hardness = 0.2,
): PictureFacts {
  return pictureFacts({ timesSeconds, flat, hard: flat.map((share) => hardness * (1 - share)) });
}

/** A face that is seen all the time, so that a closer framing is one of a person; its places are left open. */
export const LEADING_FACE: SubjectTrack = {
  ...{ kind: 'face', startSeconds: 0, endSeconds: 3600, salience: 1 },
  boxes: [],
};

/** Picture facts with shots derived from the transitions. */
export function videoFacts(parts: Partial<VideoFacts> = {}): VideoFacts {
  const durationSeconds = parts.durationSeconds ?? 40;
  const frameRate = parts.frameRate ?? { numerator: 25, denominator: 1 };
  const fps = framesPerSecond(frameRate);
  const activeArea = parts.activeArea ?? { x: 0, y: 0, width: 1, height: 1 };
  const transitions = parts.transitions ?? [];
  const bounds = [
    0,
    ...transitions
      .filter(({ edge }) => edge === undefined)
      .map((one) => (one.type === 'cut' ? one.endSeconds : (one.startSeconds + one.endSeconds) / 2)),
    durationSeconds,
  ];
  const shots = bounds.slice(1).map(
    (endSeconds, index): Shot => ({
      startFrame: Math.round(bounds[index] * fps),
      endFrame: Math.round(endSeconds * fps),
      startSeconds: bounds[index],
      endSeconds,
    }),
  );
  return {
    durationSeconds,
    frameCount: Math.round(durationSeconds * fps),
    frameRate,
    variableFrameRate: false,
    width: 1280,
    height: 720,
    hdr: false,
    isStill: false,
    activeArea,
    shotAreas: shots.map(() => activeArea),
    shots,
    transitions,
    shotConfidence: 1,
    color: {
      clip: colorStatistics(),
      shots: shots.map(() => colorStatistics()),
      palette: [{ hex: '#808080', weight: 1 }],
      moments: { width: 0, height: 0, timesSeconds: [], areas: [], rgb: '' },
      confidence: 1,
    },
    captions: { share: 0, spans: [], style: null, confidence: 1 },
    picture: pictureFacts(),
    salientTracks: [],
    faces: [],
    figures: [],
    attention: [],
    cards: [],
    ...parts,
  };
}

export function audioFacts(parts: Partial<AudioFacts> = {}): AudioFacts {
  const centresHz = [31.5, 63, 125, 250, 500, 1000, 2000, 4000, 8000, 16000];
  return {
    durationSeconds: 40,
    sampleRate: 44100,
    channels: 2,
    loudness: {
      integratedLufs: -20,
      rangeLu: 8,
      truePeakDbtp: -2,
      shortTermLufs: Array.from({ length: 40 }, (_, second) => -24 + (second % 9)),
    },
    spectrum: {
      centresHz,
      levelsDb: centresHz.map((hz) => -30 - 3 * Math.log2(hz / 31.5)),
      quietDb: centresHz.map((hz) => -60 - 3 * Math.log2(hz / 31.5)),
    },
    crestDb: 14,
    onsets: [],
    tempo: null,
    beats: [],
    speech: { share: 0, spans: [], confidence: 0.9 },
    silence: { share: 0, spans: [] },
    genre: { name: 'unknown', confidence: 0.2 },
    confidence: 0.9,
    ...parts,
  };
}

/** The beat grid of a steady pulse, as sound facts carry it. */
export function pulse(bpm: number, durationSeconds: number): Pick<AudioFacts, 'tempo' | 'beats'> {
  const count = Math.floor((durationSeconds * bpm) / 60);
  return {
    tempo: { bpm, confidence: 0.9, support: 0.9, alternatives: [{ bpm: bpm * 2, confidence: 0.3 }] },
    beats: Array.from({ length: count }, (_, beat) => ({
      timeSeconds: (beat * 60) / bpm,
      confidence: 0.9,
      band: 'low',
    })),
  };
}

export function motionFacts(parts: Partial<MotionFacts> = {}, shotCount = 1): MotionFacts {
  return {
    curve: {
      timesSeconds: [],
      shiftX: [],
      shiftY: [],
      logScale: [],
      rotation: [],
      residual: [],
      support: [],
    },
    medianSpeed: 0.05,
    zoomShare: 0,
    punchIns: [],
    shots: Array.from({ length: shotCount }, () => ({
      label: 'static' as const,
      confidence: 1,
      shake: 0,
      zoom: 0,
    })),
    subjects: [],
    activity: [],
    confidence: 0.9,
    ...parts,
  };
}

export function clipFacts(
  parts: {
    readonly video?: Partial<VideoFacts>;
    readonly audio?: Partial<AudioFacts> | null;
    readonly motion?: Partial<MotionFacts>;
  } = {},
): ClipFacts {
  const video = videoFacts(parts.video);
  return {
    video,
    audio: parts.audio === null ? null : audioFacts(parts.audio),
    motion: motionFacts(parts.motion, video.shots.length),
  };
}
