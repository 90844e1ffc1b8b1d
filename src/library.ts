/** The public face for those who import the package. */
import { basename, resolve } from 'node:path';
import { matchSoundtracks, type SoundtrackMatch } from './analysis/soundtrack/match.ts';
import { Failure } from './errors.ts';
import { type JobConfigInput, jobConfigSchema } from './job-config.ts';
import { analyseFile, applyStyle, outlineAudio, soundtrackTraces, styleOfClip } from './pipeline/direct.ts';
import type { AppliedStyle, DirectOptions, FileAnalysis } from './pipeline/direct-results.ts';
import { MediaEngine } from './pipeline/engine.ts';
import { progressParts } from './pipeline/stage-tools.ts';
import { commonWorkRoot } from './pipeline/workspace.ts';
import { presetNamed, withPreset } from './presets/presets.ts';
import { reportPage } from './report/page.ts';
import { reportView } from './report/report.ts';
import { planStills } from './report/still-plan.ts';
import { audioFields } from './style/extract/audio.ts';
import type { Style } from './style/model/schema.ts';

export type { AudioFacts, ClipFacts, MotionFacts, VideoFacts } from './analysis/facts.ts';
export type { SoundtrackMatch } from './analysis/soundtrack/match.ts';
export { Failure } from './errors.ts';
export { type JobConfig, type JobConfigInput, jobConfigSchema } from './job-config.ts';
export type { AppliedOutput, AppliedStyle, FileAnalysis, PlannedEdit } from './pipeline/direct-results.ts';
export { PRESETS, type Preset } from './presets/presets.ts';
export { type Style, styleSchema } from './style/model/schema.ts';
export type { Timeline } from './style/model/timeline.ts';

export interface StudioOptions {
  /** For working folders; default: the system's folder for temporary files. */
  readonly workRoot?: string;
  readonly idleSeconds?: number;
  /** The most that one media process may take; default: what the machine has. */
  readonly memoryBytes?: number;
}

/** Where a style comes from. */
export type StyleSource =
  | { readonly template: string }
  | { readonly style: Style }
  | { readonly preset: string };

/** Of a report: measuring a clip takes longer than taking its pictures. */
const REPORT_WEIGHTS = [80, 20] as const;
/** Columns of a report's waveform: about as many as a wide window has pixels. */
const ENVELOPE_COLUMNS = 1600;

/** StyleDNA without a service: every call works in child processes and throws `Failure` for foreseen trouble. */
export class Studio {
  readonly #engine: MediaEngine;

  constructor(options: StudioOptions = {}) {
    this.#engine = new MediaEngine({
      workRoot: options.workRoot ?? commonWorkRoot(),
      idleSeconds: options.idleSeconds ?? 60,
      memoryBytes: options.memoryBytes,
    });
  }

  /** All facts of a clip, or of a sound-only file. */
  analyze(path: string, options: Partial<DirectOptions> = {}): Promise<FileAnalysis> {
    return analyseFile(this.#engine, path, withSignal(options));
  }

  /** The Style DNA of a clip that has been analysed. */
  styleOf(
    analysis: Extract<FileAnalysis, { kind: 'clip' }>,
    options: Partial<DirectOptions> = {},
  ): Promise<Style> {
    return styleOfClip(this.#engine, analysis, withSignal(options));
  }

  /** The Style DNA of a clip. */
  async extract(path: string, options: Partial<DirectOptions> = {}): Promise<Style> {
    return styleOfClip(this.#engine, await this.#clip(path, options), withSignal(options));
  }

  /** A picture of all that is found in a clip, or in sound alone: one HTML page that needs nothing else. */
  async report(path: string, options: Partial<DirectOptions> = {}): Promise<string> {
    const [forAnalysis, forPictures] = progressParts(options.onProgress ?? (() => {}), REPORT_WEIGHTS);
    const analysis = await this.analyze(path, { ...options, onProgress: forAnalysis! });
    const style = analysis.kind === 'audio' ? null : await this.styleOf(analysis, options);
    return this.reportOf({ path, analysis, style }, { ...options, onProgress: forPictures! });
  }

  /** The same of what has been measured already. `style`: null for sound alone. */
  async reportOf(
    measured: { readonly path: string; readonly analysis: FileAnalysis; readonly style: Style | null },
    options: Partial<DirectOptions> = {},
  ): Promise<string> {
    const { path, analysis } = measured;
    const clip = analysis.kind === 'audio' ? null : analysis.facts;
    const audio = analysis.kind === 'audio' ? analysis.audio : analysis.facts.audio;
    const { stills, areaPixels } = planStills(clip?.video.shots ?? []);
    const durationSeconds = clip?.video.durationSeconds ?? audio?.durationSeconds ?? 0;
    const preview = await this.#engine.run(
      'preview',
      {
        path: resolve(path),
        durationSeconds,
        stillTimesSeconds: stills.map(({ timeSeconds }) => timeSeconds),
        stillAreaPixels: areaPixels,
        envelopeColumns: ENVELOPE_COLUMNS,
      },
      {
        ...withSignal(options),
        mediaSeconds: durationSeconds,
        ...(clip === null ? {} : { source: clip.video }),
      },
    );
    const style = measured.style ?? (audio === null ? {} : audioFields(audio));
    return reportPage(
      reportView({
        name: basename(path),
        clip,
        audio,
        style,
        ...preview,
        plan: stills,
        createdAt: new Date(),
      }),
    );
  }

  /**
   * Renders `source` in the style of a template clip, a Style DNA, or a preset by its id; null: a clean re-encode. A
   * preset leaves off the components that it is not about, unless `config` says otherwise.
   */
  async apply(
    request: {
      readonly source: string;
      readonly output: string;
      readonly look: StyleSource | null;
      readonly config?: JobConfigInput;
      /** A SubRip or WebVTT file to show where the style has captions; default: the source's own text track. */
      readonly captions?: string;
      /** Also write source and output side by side, as MP4. */
      readonly comparison?: string;
    },
    options: Partial<DirectOptions> = {},
  ): Promise<AppliedStyle> {
    const { look, config = {}, ...files } = request;
    if (look !== null && 'preset' in look) {
      const preset = presetNamed(look.preset);
      const style = { style: preset.style };
      return this.apply({ ...files, look: style, config: withPreset(preset, config) }, options);
    }
    return applyStyle(
      this.#engine,
      { ...files, look, config: jobConfigSchema.parse(config) },
      withSignal(options),
    );
  }

  /** Whether two files share sound, and at which offset; null: they do not. Throws where one has none. */
  async match(
    first: string,
    second: string,
    options: Partial<DirectOptions> = {},
  ): Promise<SoundtrackMatch | null> {
    const { signal, onProgress = () => {} } = withSignal(options);
    const [forFirst, forSecond] = progressParts(onProgress, [1, 1]);
    // Before the work: which of them has none.
    const outlines = [
      await outlineAudio(this.#engine, first, { signal }),
      await outlineAudio(this.#engine, second, { signal }),
    ] as const;
    const one = await soundtrackTraces(this.#engine, first, outlines[0], { signal, onProgress: forFirst! });
    const other = await soundtrackTraces(this.#engine, second, outlines[1], {
      signal,
      onProgress: forSecond!,
    });
    return matchSoundtracks(one, other);
  }

  async #clip(path: string, options: Partial<DirectOptions>) {
    const analysis = await this.analyze(path, options);
    if (analysis.kind === 'audio') throw new Failure('INVALID_VIDEO', 'The template has no video stream');
    return analysis;
  }
}

function withSignal(options: Partial<DirectOptions>): DirectOptions {
  return { ...options, signal: options.signal ?? new AbortController().signal };
}
