import { confidentAudio, confidentFacts } from '../analysis/confident-facts.ts';
import type { AudioFacts, ClipFacts } from '../analysis/facts.ts';
import type { Envelope, Still, StreamFormat } from '../domain/footage.ts';
import { totalSeconds } from '../domain/spans.ts';
import { framesPerSecond } from '../domain/time.ts';
import { VERSION } from '../package/version.ts';
import type { Style } from '../style/model/schema.ts';
import { styleSentence } from '../style/model/style-sentence.ts';
import { audioView, loudnessView, waveView } from './audio-view.ts';
import { colorView } from './color-view.ts';
import { cameraView, captionView, rhythmView } from './edit-view.ts';
import { headlines } from './headlines.ts';
import { motionView } from './motion-view.ts';
import { notes } from './notes.ts';
import { readableJson } from './readable-json.ts';
import { shotViews, transitionViews } from './shot-view.ts';
import type { PlannedStill } from './still-plan.ts';
import type { LaneView, ReportView, TimeView } from './view.ts';
import { decimal, frequencyText, lengthText } from './wording.ts';

export interface ReportInput {
  /** The file's name from its owner; null if only its bytes are known. */
  readonly name: string | null;
  /** Null: sound alone. */
  readonly clip: ClipFacts | null;
  readonly audio: AudioFacts | null;
  /** For sound alone: the fields of the sound. */
  readonly style: Partial<Style>;
  readonly format: StreamFormat;
  readonly plan: readonly PlannedStill[];
  /** One for each planned picture. */
  readonly stills: readonly Still[];
  readonly envelope: Envelope | null;
  readonly createdAt: Date;
  /** Distinguishes reports on the same page. */
  readonly key?: string;
  /** Address of the file relative to the page, for playing. Left out: only its pictures are shown. */
  readonly videoAddress?: string;
}

/** View model of these findings. */
export function reportView(measured: ReportInput): ReportView {
  const input = confidentInput(measured);
  const { name, clip, audio, style, key = 'clip', videoAddress = null } = input;
  const isStill = style.source_kind === 'image';
  const time = timeView(input);
  const isColored = clip !== null && clip.video.color.confidence > 0;
  const moves = clip !== null && !isStill;
  return {
    key,
    name,
    sentence: styleSentence(style),
    facts: factsOf(input),
    headlines: headlines(clip, audio, style),
    notes: notes(clip, audio, style, time.shots),
    videoAddress,
    isStill,
    time,
    color: isColored ? colorView(clip, style) : null,
    rhythm: moves && clip.video.shots.length > 1 ? rhythmView(clip, style, time.transitions) : null,
    camera: moves && clip.motion.confidence > 0 ? cameraView(clip, style) : null,
    captions: moves && clip.video.captions.spans.length > 0 ? captionView(clip, style) : null,
    audio: audio === null || audio.confidence === 0 ? null : audioView(audio, style),
    json: readableJson(style),
    createdAt: reportTime(input.createdAt),
    version: VERSION,
  };
}

export function reportTime(time: Date): string {
  return `${time.toISOString().slice(0, 16).replace('T', ' ')} UTC`;
}

function confidentInput(input: ReportInput): ReportInput {
  return {
    ...input,
    clip: input.clip === null ? null : confidentFacts(input.clip),
    audio: input.audio === null ? null : confidentAudio(input.audio),
  };
}

function timeView({ clip, audio, plan, stills, envelope, key = 'clip' }: ReportInput): TimeView {
  // A still has no duration, but an axis needs one.
  const durationSeconds = Math.max(clip?.video.durationSeconds ?? audio?.durationSeconds ?? 0, 0.04);
  const beats = (audio?.beats ?? []).map(({ timeSeconds, confidence }) => ({ timeSeconds, confidence }));
  const transitions = transitionViews(clip?.video.transitions ?? [], beats);
  return {
    durationSeconds,
    framesPerSecond:
      clip === null || clip.video.variableFrameRate ? null : framesPerSecond(clip.video.frameRate),
    ratio: clip === null ? null : clip.video.width / clip.video.height,
    shots: clip === null ? [] : shotViews(clip, transitions, plan, stills, key),
    transitions,
    wave: envelope === null ? null : waveView(envelope),
    beats,
    lanes: lanes(clip, audio, durationSeconds),
    motion: clip === null ? null : motionView(clip.motion, clip.video.shots, durationSeconds),
    loudness: audio === null ? null : loudnessView(audio),
  };
}

function lanes(clip: ClipFacts | null, audio: AudioFacts | null, durationSeconds: number): LaneView[] {
  const found: LaneView[] = [];
  if (audio !== null) {
    const { speech, silence } = audio;
    found.push({ name: 'Speech', kind: 'speech', ...speech });
    found.push({ name: 'Silence', kind: 'silence', ...silence, confidence: null });
  }
  if (clip !== null) {
    const { spans, share, style, confidence } = clip.video.captions;
    // Text that does not alternate in one place is a title: an overlay, but no caption style.
    const isTitles = style === null && spans.length > 0;
    const covered = totalSeconds(spans) / durationSeconds;
    found.push({
      name: isTitles ? 'Titles' : 'Captions',
      kind: 'captions',
      spans,
      share: isTitles ? Math.min(1, covered) : share,
      confidence,
    });
  }
  return found
    .filter(({ spans }) => spans.length > 0)
    .map((lane) => ({
      ...lane,
      spans: lane.spans.map(({ startSeconds, endSeconds }) => ({
        startSeconds,
        endSeconds: Math.min(endSeconds, durationSeconds),
      })),
    }));
}

function factsOf({ clip, audio, style, format }: ReportInput): ReportView['facts'] {
  const facts: ReportView['facts'][number][] = [];
  const seconds = clip?.video.durationSeconds ?? audio?.durationSeconds ?? 0;
  const isStill = style.source_kind === 'image';
  if (!isStill) facts.push({ label: 'Duration', value: lengthText(seconds) });
  if (clip !== null) {
    const { width, height, frameRate, variableFrameRate, hdr } = clip.video;
    const rate = Number(framesPerSecond(frameRate).toFixed(3));
    if (style.aspect_ratio !== undefined) facts.push({ label: 'Ratio', value: style.aspect_ratio });
    facts.push({ label: 'Size', value: `${width} × ${height} pixels${hdr ? ', HDR' : ''}` });
    if (!isStill)
      facts.push({ label: 'Rate', value: `${rate} frames/s${variableFrameRate ? ', variable' : ''}` });
  }
  if (format.videoCodec !== null) facts.push({ label: 'Picture', value: format.videoCodec });
  if (!isStill) facts.push({ label: 'Sound', value: audioText(format.audio) });
  return facts;
}

function audioText(audio: StreamFormat['audio']): string {
  if (audio === null) return 'none';
  const layouts: Readonly<Record<number, string>> = { 1: 'mono', 2: 'stereo', 6: '5.1', 8: '7.1' };
  const channels = layouts[audio.channels] ?? `${decimal(audio.channels, 0)} channels`;
  return `${audio.codec}, ${channels}, ${frequencyText(audio.sampleRate)}`;
}
