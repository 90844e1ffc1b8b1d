/** StyleDNA on local files. Each call loads only the modules that it needs. */
import { basename, resolve } from 'node:path';
import type { SoundtrackMatch } from './analysis/soundtrack/match.ts';
import type { EncoderChoice } from './domain/encoder-choice.ts';
import { Failure } from './domain/errors.ts';
import type { ComponentName } from './domain/job-choices.ts';
import type { JobConfigInput } from './domain/job-config.ts';
import {
  type DraftPiece,
  MAX_DRAFT_SECONDS,
  type PreviewPicture,
  pictureFormatOf,
} from './domain/preview.ts';
import type { TimeRange } from './domain/time-range.ts';
import type { TranscriptionEngine } from './domain/transcription.ts';
import { analyseFile, outlineAudio, soundtrackTraces, styleOfFile } from './pipeline/direct/direct.ts';
import type { EditRequest } from './pipeline/direct/direct-edit.ts';
import type {
  AppliedStyle,
  AppliedTakes,
  DirectOptions,
  FileAnalysis,
  PlannedEdit,
  TakesInput,
  TakesOptions,
} from './pipeline/engine/direct-results.ts';
import { MediaEngine } from './pipeline/engine/engine.ts';
import { commonWorkRoot } from './pipeline/engine/workspace.ts';
import { progressParts } from './pipeline/stages/stage-tools.ts';
import type { Style } from './style/model/schema.ts';

export interface StudioOptions {
  /** For working folders; default: the system's folder for temporary files. */
  readonly workRoot?: string;
  readonly idleSeconds?: number;
  /** The memory limit of one media process; default: the machine's memory. */
  readonly memoryBytes?: number;
  /** The encoder of outputs; default: `software`. An unusable encoder gives a warning, and x264 is used. */
  readonly encoder?: EncoderChoice;
  /** For `captions: "transcribe"`; default: none. */
  readonly transcription?: TranscriptionOptions | undefined;
}

/** An engine with OpenAI's `POST /v1/audio/transcriptions`. */
export interface TranscriptionOptions {
  /** Root of the engine, or the whole address of its endpoint. */
  readonly url: string;
  /** Default: `whisper-1`. */
  readonly model?: string;
  readonly apiKey?: string | undefined;
  /** Private networks that may be called, in CIDR notation, such as `127.0.0.0/8`; default: none. */
  readonly allowedNetworks?: readonly string[] | undefined;
}

export interface MeasureOptions extends Partial<DirectOptions> {
  /** Measures only this part of the file, from start to end; its times count from the start. Left out: all of it. */
  readonly partSeconds?: TimeRange | undefined;
}

/** The source of a style. */
export type StyleSource =
  /**
   * `measured`: the result of `analyze` for the template, so that many sources can follow one that is measured once.
   */
  | { readonly template: string; readonly measured?: Extract<FileAnalysis, { kind: 'clip' }> }
  | { readonly style: Style }
  | { readonly preset: string }
  /** A LUT as a `.cube` file (3D, 1D, or DaVinci Resolve's 1D before 3D): the colors alone, as they are in it. */
  | { readonly cube: string };

/** A source and the style that it is to have. */
export interface Edit {
  readonly source: string;
  /** Null: a clean re-encode. */
  readonly look: StyleSource | null;
  readonly config?: JobConfigInput;
  /** A SubRip or WebVTT file to show where the style has captions; default: the source's own text track. */
  readonly captions?: string;
}

/** Takes, photos and a song, and the style that their edit is to have. */
export interface TakesEdit {
  /** Videos and photos, in the order of the story: files alone, or with the parts that are not shown. */
  readonly takes: readonly (string | (Partial<TakesInput['takes'][number]> & { readonly file: string }))[];
  /** The song that the edit is cut to; null or left out: none. */
  readonly music?: string | null;
  /** What is left out is as in a job. */
  readonly options?: Partial<TakesOptions>;
  /** File for a picture with a moment of each slot: PNG if its name ends in `.png`, else JPEG. */
  readonly storyboard?: string;
  readonly look: Exclude<StyleSource, { readonly cube: string }>;
  readonly config?: JobConfigInput;
}
/** OpenAI's name; engines with a single model ignore it. */
const DEFAULT_MODEL = 'whisper-1';

/** Weights of a report's progress: measuring a clip takes longer than taking its pictures. */
const REPORT_WEIGHTS = [80, 20] as const;

function noTranscription(): Failure {
  const detail =
    'captions: "transcribe" needs a transcription engine: set TRANSCRIPTION_URL, or the option `transcription`';
  return new Failure('TRANSCRIPTION_UNAVAILABLE', detail);
}

/** StyleDNA without a service. Every call works in child processes and throws `Failure` for foreseen errors. */
export class Studio {
  readonly #engine: MediaEngine;
  readonly #transcription: TranscriptionOptions | undefined;

  constructor(options: StudioOptions = {}) {
    this.#engine = new MediaEngine({
      workRoot: options.workRoot ?? commonWorkRoot(),
      idleSeconds: options.idleSeconds ?? 60,
      memoryBytes: options.memoryBytes,
      encoder: options.encoder,
    });
    this.#transcription = options.transcription;
  }

  /** All facts of a clip, or of a sound-only file. */
  analyze(path: string, { partSeconds, ...options }: MeasureOptions = {}): Promise<FileAnalysis> {
    return analyseFile(this.#engine, path, { ...withSignal(options), range: partSeconds });
  }

  /** The Style DNA of a file that has been analysed. */
  styleOf(analysis: FileAnalysis, options: Partial<DirectOptions> = {}): Promise<Style> {
    return styleOfFile(this.#engine, analysis, withSignal(options));
  }

  /** The Style DNA of a clip, of an image, or of a sound file. */
  async extract(path: string, { partSeconds: range, ...options }: MeasureOptions = {}): Promise<Style> {
    const wanted = { ...withSignal(options), range };
    return styleOfFile(this.#engine, await analyseFile(this.#engine, path, wanted), withSignal(options));
  }

  /** One Style DNA of up to ten templates, such as the videos of one brand. */
  async extractCommon(paths: readonly string[], options: Partial<DirectOptions> = {}): Promise<Style> {
    const { styleOfFiles } = await import('./pipeline/direct/direct-templates.ts');
    return styleOfFiles(this.#engine, paths, withSignal(options));
  }

  /** The findings of a clip, or of sound alone, as one self-contained HTML page. */
  async report(path: string, options: MeasureOptions = {}): Promise<string> {
    const [forAnalysis, forPictures] = progressParts(options.onProgress ?? (() => {}), REPORT_WEIGHTS);
    const analysis = await this.analyze(path, { ...options, onProgress: forAnalysis });
    const style = analysis.kind === 'audio' ? null : await this.styleOf(analysis, options);
    const { partSeconds } = options;
    return this.reportOf({ path, analysis, style, partSeconds }, { ...options, onProgress: forPictures });
  }

  /** The report of an existing analysis. `style`: null for sound. */
  async reportOf(
    measured: {
      readonly path: string;
      readonly analysis: FileAnalysis;
      readonly style: Style | null;
      /** Path of the page: a file beside or below it is played there. */
      readonly page?: string;
      /** The part that was measured; left out: all of the file. */
      readonly partSeconds?: TimeRange | undefined;
    },
    options: Partial<DirectOptions> = {},
  ): Promise<string> {
    const { addressFrom, drawReport } = await import('./pipeline/stages/report.ts');
    const { page, partSeconds: range, ...found } = measured;
    const path = resolve(measured.path);
    // The report's clock is that of the part, a player's that of the file.
    const isPlayed = page !== undefined && range === undefined;
    const address = isPlayed ? addressFrom(resolve(page), path) : null;
    const report = {
      ...found,
      ...{ path, range },
      name: basename(path),
      ...(address === null ? {} : { videoAddress: address }),
    };
    return drawReport(this.#engine, report, withSignal(options));
  }

  /**
   * Renders `source` in the style of a template clip, a Style DNA, or a preset by its id; null: a clean re-encode. A
   * preset switches off the components outside it, unless `config` sets them.
   */
  async apply(
    request: Edit & {
      readonly output: string;
      /** Also write source and output side by side, as MP4. */
      readonly comparison?: string;
      /**
       * A folder for the artifacts of a job: `style.json`, `grade.cube`, `timeline.otio`, `timeline.xml`, `poster.jpg`
       * …
       */
      readonly artifacts?: string;
    },
    options: Partial<DirectOptions> = {},
  ): Promise<AppliedStyle> {
    const { applyStyle } = await import('./pipeline/direct/direct-edit.ts');
    return applyStyle(this.#engine, { ...request, ...(await this.#editOf(request)) }, withSignal(options));
  }

  /** Makes one reel of many takes and photos, cut to a song in the rhythm and look of a template. */
  async edit(
    request: TakesEdit & { readonly output: string; readonly artifacts?: string },
    options: Partial<DirectOptions> = {},
  ): Promise<AppliedTakes> {
    const { renderTakes } = await import('./pipeline/direct/direct-takes.ts');
    return renderTakes(this.#engine, { ...request, ...(await this.#takesOf(request)) }, withSignal(options));
  }

  /** The plan of `edit` as data, without rendering. */
  async planEdit(
    request: TakesEdit,
    options: Partial<DirectOptions> = {},
  ): Promise<Pick<AppliedTakes, 'plan' | 'edit' | 'files'>> {
    const { planTakes } = await import('./pipeline/direct/direct-takes.ts');
    return planTakes(this.#engine, { ...request, ...(await this.#takesOf(request)) }, withSignal(options));
  }

  /** The plan of `apply` as data: the timeline, and the grade as a 3D LUT. */
  async plan(request: Edit, options: Partial<DirectOptions> = {}): Promise<PlannedEdit> {
    const { planEdit } = await import('./pipeline/direct/direct-edit.ts');
    return planEdit(this.#engine, await this.#editOf(request), withSignal(options));
  }

  /**
   * Frames of the source as they are and in the style's colors, as one picture: PNG where `output` ends in `.png`, else JPEG.
   * `atSeconds`: moments of the source, at most nine; default: three that are typical of it.
   */
  async preview(
    request: Edit & { readonly output: string; readonly atSeconds?: readonly number[] },
    options: Partial<DirectOptions> = {},
  ): Promise<PreviewPicture> {
    const { previewStyle } = await import('./pipeline/direct/direct-preview.ts');
    const { output, atSeconds } = request;
    const format = pictureFormatOf(output);
    const chosen = atSeconds === undefined ? {} : { atSeconds };
    return previewStyle(
      this.#engine,
      { ...(await editOf(request)), ...chosen, output, format },
      withSignal(options),
    );
  }

  /**
   * Renders up to ten seconds of the output of `apply` at a small size: from `startSeconds` (default 0),
   * `durationSeconds` long (default ten). Resolves with the rendered range.
   */
  async draft(
    request: Edit & Partial<DraftPiece> & { readonly output: string },
    options: Partial<DirectOptions> = {},
  ): Promise<DraftPiece & { readonly warnings: AppliedStyle['warnings'] }> {
    const { draftStyle } = await import('./pipeline/direct/direct-preview.ts');
    const { output, startSeconds = 0, durationSeconds = MAX_DRAFT_SECONDS } = request;
    const piece = { startSeconds, durationSeconds };
    return draftStyle(
      this.#engine,
      { ...(await this.#editOf(request)), ...piece, output },
      withSignal(options),
    );
  }

  /** Whether two files share sound, and at which offset; null: they do not. Throws if one has no sound. */
  async match(
    first: string,
    second: string,
    options: Partial<DirectOptions> = {},
  ): Promise<SoundtrackMatch | null> {
    const { matchSoundtracks } = await import('./analysis/soundtrack/match.ts');
    const { signal, onProgress = () => {} } = withSignal(options);
    const [forFirst, forSecond] = progressParts(onProgress, [1, 1]);
    // Checked first: which file has no sound.
    const outlines = [
      await outlineAudio(this.#engine, first, { signal }),
      await outlineAudio(this.#engine, second, { signal }),
    ] as const;
    const one = await soundtrackTraces(this.#engine, first, outlines[0], { signal, onProgress: forFirst });
    const other = await soundtrackTraces(this.#engine, second, outlines[1], {
      signal,
      onProgress: forSecond,
    });
    return matchSoundtracks(one, other);
  }

  async #editOf(edit: Edit): Promise<EditRequest> {
    const request = await editOf(edit);
    if (request.config.captions !== 'transcribe' || request.captions !== undefined) return request;
    return { ...request, transcription: await this.#transcriber() };
  }

  async #takesOf(edit: TakesEdit) {
    const request = await takesEditOf(edit);
    const isTranscribed = request.config.captions === 'transcribe';
    return isTranscribed ? { ...request, transcription: await this.#transcriber() } : request;
  }

  /** Before long work. Throws `Failure` TRANSCRIPTION_UNAVAILABLE. */
  async #transcriber(): Promise<TranscriptionEngine> {
    if (this.#transcription === undefined) throw noTranscription();
    const { url, model = DEFAULT_MODEL, apiKey, allowedNetworks = [] } = this.#transcription;
    const { Transcriber } = await import('./transcription/transcriber.ts');
    const networks = async () => allowedNetworks;
    return new Transcriber({ url, model, apiKey, networks });
  }
}

function withSignal(options: Partial<DirectOptions>): DirectOptions {
  return { ...options, signal: options.signal ?? new AbortController().signal };
}

/** The edit with its config parsed, the one time: with the components of a preset or LUT, and with every default. */
async function editOf({ source, look, config = {}, captions }: Edit): Promise<EditRequest> {
  const { jobConfigSchema } = await import('./domain/job-config.ts');
  const rest = captions === undefined ? { source } : { source, captions };
  if (look === null || 'template' in look || 'style' in look)
    return { ...rest, look, config: jobConfigSchema.parse(config) };
  const { components, ...styled } = await ('cube' in look ? cubeLook(look.cube) : presetLook(look.preset));
  const { withPreset } = await import('./presets/presets.ts');
  // A caption file is shown in every look; presets leave captions alone.
  const shown: readonly ComponentName[] = captions === undefined ? components : [...components, 'subtitles'];
  return { ...rest, look: styled, config: jobConfigSchema.parse(withPreset({ components: shown }, config)) };
}

async function takesEditOf({ takes, music = null, options = {}, look, config }: TakesEdit) {
  const captions = takes.map((take) => (typeof take === 'string' ? undefined : take.captions));
  const shown = captions.find((one) => one !== undefined);
  const edit = await editOf({
    ...{ source: '', look },
    ...(config === undefined ? {} : { config }),
    ...(shown === undefined ? {} : { captions: shown }),
  });
  const { editSchema } = await import('./domain/edit-options.ts');
  const { sound, duration, order, rhythm, titles } = editSchema
    .pick({ sound: true, duration: true, order: true, rhythm: true, titles: true })
    .parse(options);
  const input: TakesInput = {
    takes: takes.map((take) => ({
      ...{ exclude: [], mustUse: false },
      ...(typeof take === 'string' ? { file: take } : take),
    })),
    music,
    options: {
      ...{ musicStartSeconds: null, pins: [], bans: [] },
      ...options,
      ...{ sound, duration, order, rhythm, titles },
    },
  };
  return { ...input, look: edit.look!, config: edit.config };
}

async function cubeLook(path: string) {
  const { readCubeFile } = await import('./pipeline/direct/direct-edit.ts');
  const { CUBE_COMPONENTS, styleOfCube } = await import('./presets/cube-style.ts');
  const cube = await readCubeFile(path);
  return { style: styleOfCube(cube), cube, components: CUBE_COMPONENTS };
}

async function presetLook(id: string) {
  const { presetNamed } = await import('./presets/presets.ts');
  const { style, components } = presetNamed(id);
  return { style, components };
}
