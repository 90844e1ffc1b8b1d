/** All scores of one clip, real or generated, and the results of the peers. */
import type { AudioFacts, ClipFacts } from '../../src/analysis/facts.ts';
import { lookOf } from '../../src/style/look/estimate.ts';
import { type Dials, dialsOfLook } from '../../src/style/model/color-dials.ts';
import { type Cost, measureCost } from '../lib/cost.ts';
import { type Findings, measureClip } from '../lib/measure.ts';
import { decodeAlone } from '../lib/plain-transcode.ts';
import type { MadeTruth, Truth } from '../lib/truth.ts';
import { type AubioBeats, aubioBeats } from '../peers/aubio.ts';
import { scdetCuts } from '../peers/scdet.ts';
import {
  type BeatScore,
  type BeatTrack,
  type MadeAudioScore,
  scoreBeats,
  scoreBeatTrack,
  scoreMadeAudio,
} from '../score/audio.ts';
import type { Judged } from '../score/calibration.ts';
import {
  type CameraPathScore,
  type CameraVerdict,
  judgeCamera,
  type SubjectScore,
  scoreCameraPath,
  scorePunchIns,
  scoreSubjects,
} from '../score/camera.ts';
import { type CaptionScore, scoreCaptions } from '../score/captions.ts';
import { type Hits, scoreCutTimes, scoreTransitions, type TransitionScore } from '../score/transitions.ts';

/** The scores of one clip; null: not measured. */
export interface ClipScore {
  readonly name: string;
  readonly made: MadeTruth;
  readonly transitions: TransitionScore | null;
  readonly captions: CaptionScore | null;
  readonly camera: readonly CameraVerdict[];
  readonly cameraPath: CameraPathScore | null;
  readonly punchIns: Hits | null;
  readonly subjects: SubjectScore | null;
  readonly dials: { readonly dials: Dials; readonly confidence: number } | null;
  /** Against an even beat, of real music. */
  readonly beats: (BeatScore & { readonly confidence: number }) | null;
  /** Against the truth of generated sound. */
  readonly madeAudio: MadeAudioScore | null;
  readonly peers: PeerScores;
  readonly cost: ClipCost | null;
}

interface PeerScores {
  /** Hard cuts by FFmpeg's `scdet`; null: not measured, or not installed. */
  readonly scdet: { readonly cuts: Hits; readonly cost: Cost } | null;
  readonly aubio: { readonly f: number; readonly tempoError: number; readonly octaveError: number } | null;
}

interface ClipCost {
  readonly seconds: number;
  readonly audioOnly: boolean;
  readonly analysis: Cost;
  readonly decoding: Cost;
}

/** Scores of a clip's findings only: without peers and cost. */
export type FindingsScore = Omit<ClipScore, 'peers' | 'cost'>;

export function scoreFindings(truth: Truth, { seen, audio }: Findings): FindingsScore {
  const { made } = truth;
  const clip: ClipFacts | null = seen === null ? null : { ...seen, audio };
  return {
    name: truth.name,
    made,
    transitions: clip !== null && asksCuts(truth) ? scoreTransitions(clip.video, truth) : null,
    captions: clip === null || isGraded(made) ? null : scoreCaptions(clip.video.captions, truth),
    camera: clip === null ? [] : judgeCamera(clip, truth),
    cameraPath: clip === null ? null : scoreCameraPath(clip, truth),
    punchIns: clip === null ? null : scorePunchIns(clip, truth),
    subjects: clip === null ? null : scoreSubjects(clip, truth),
    dials: clip === null || !isGraded(made) ? null : dialsIn(clip),
    beats:
      audio === null || truth.beats === null || isMade(made)
        ? null
        : { ...scoreBeats(audio, truth.beats), confidence: audio.tempo?.confidence ?? 0 },
    madeAudio: audio === null || !isMade(made) ? null : scoreMadeAudio(audio, made),
  };
}

export async function scoreClip(truth: Truth): Promise<ClipScore> {
  const { path, excluded } = truth;
  const decoding = await measureCost(() => decodeAlone(path));
  const analysis = await measureCost(() => measureClip(path));
  const { seen, audio } = analysis.result;
  const clip: ClipFacts | null = seen === null ? null : { ...seen, audio };
  return {
    ...scoreFindings(truth, analysis.result),
    peers: await askPeers(truth, asksCuts(truth) ? clip : null, audio),
    cost: excluded.has('speed')
      ? null
      : {
          seconds: clip?.video.durationSeconds ?? audio?.durationSeconds ?? 0,
          audioOnly: clip === null,
          analysis: analysis.cost,
          decoding: decoding.cost,
        },
  };
}

/** Graded clips are the same few edits over and over: their cuts would outvote all others. */
function isGraded({ known_grade, known_look }: MadeTruth): boolean {
  return known_grade !== undefined || known_look !== undefined;
}

function asksCuts({ cutsSeconds, excluded, made }: Truth): boolean {
  return cutsSeconds !== null && !excluded.has('cuts') && !isGraded(made);
}

function dialsIn({ video }: ClipFacts): ClipScore['dials'] {
  return { dials: dialsOfLook(lookOf(video).look), confidence: video.color.confidence };
}

/** Generated sound knows each of its beats, or that there is none. */
function isMade({ beat_times_s, no_beat }: MadeTruth): boolean {
  return beat_times_s !== undefined || no_beat !== undefined;
}

async function askPeers(truth: Truth, clip: ClipFacts | null, audio: AudioFacts | null): Promise<PeerScores> {
  const asksBeats = audio !== null && (truth.beats !== null || truth.made.beat_times_s !== undefined);
  const scdet = clip === null ? null : await measureCost(() => scdetCuts(truth.path));
  const heard = asksBeats ? await aubioBeats(truth.path) : null;
  return {
    scdet:
      scdet === null || scdet.result === null
        ? null
        : { cuts: scoreCutTimes(scdet.result, clip!.video, truth), cost: scdet.cost },
    aubio: heard === null ? null : scoreHeard(heard, audio!, truth),
  };
}

function scoreHeard({ beatsSeconds, bpm }: AubioBeats, audio: AudioFacts, truth: Truth): PeerScores['aubio'] {
  if (isMade(truth.made)) return scoreBeatTrack(beatsSeconds, bpm, truth.made);
  const asFound: AudioFacts = {
    ...audio,
    beats: beatsSeconds.map((timeSeconds) => ({ timeSeconds, confidence: 1, band: 'full' })),
    tempo: bpm === null ? null : { bpm, confidence: 1, support: 1, alternatives: [] },
  };
  const { beatF, tempoError, octaveError } = scoreBeats(asFound, truth.beats!);
  return { f: beatF, tempoError, octaveError };
}

/** Findings with their confidence, and whether they were right, by kind. */
export function judgedBy(scores: readonly ClipScore[]): Record<string, Judged[]> {
  const track = (one: BeatTrack) => (one.tempoRight ? 1 : 0);
  return {
    transitions: scores.flatMap(({ transitions }) => transitions?.judged ?? []),
    'camera labels': scores.flatMap(({ camera }) =>
      camera.map(({ confidence, right }) => ({ confidence, right: right ? 1 : 0 })),
    ),
    captions: scores.flatMap(({ captions }) =>
      captions === null
        ? []
        : [{ confidence: captions.confidence, right: captions.found === captions.wanted ? 1 : 0 }],
    ),
    tempo: scores.flatMap(({ beats, madeAudio }) => [
      ...(beats === null || beats.bpm === null
        ? []
        : [{ confidence: beats.confidence, right: beats.tempoError <= 0.01 ? 1 : 0 }]),
      ...(madeAudio?.beats == null || madeAudio.confidence.tempo === 0
        ? []
        : [{ confidence: madeAudio.confidence.tempo, right: track(madeAudio.beats) }]),
    ]),
    beats: scores.flatMap(({ madeAudio }) =>
      madeAudio?.beats == null || madeAudio.confidence.beats === 0
        ? []
        : [{ confidence: madeAudio.confidence.beats, right: madeAudio.beats.f }],
    ),
  };
}
