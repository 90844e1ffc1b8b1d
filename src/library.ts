/** The public face for those who import the package. */
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Failure } from './errors.ts';
import { type JobConfig, jobConfigSchema } from './job-config.ts';
import {
  analyseFile,
  applyStyle,
  type DirectOptions,
  type FileAnalysis,
  styleOfClip,
} from './pipeline/direct.ts';
import { MediaEngine } from './pipeline/engine.ts';
import type { Style } from './style/schema.ts';

export type { ClipFacts, MotionFacts, PictureFacts, SoundFacts } from './analysis/facts.ts';
export { Failure } from './errors.ts';
export { type JobConfig, jobConfigSchema } from './job-config.ts';
export type { FileAnalysis } from './pipeline/direct.ts';
export { type Style, styleSchema } from './style/schema.ts';
export type { Timeline } from './style/timeline.ts';

export interface StudioOptions {
  /** For working folders; default: the system's folder for temporary files. */
  readonly workRoot?: string;
  readonly idleSeconds?: number;
  readonly memoryBytes?: number;
}

/** StyleDNA without a service: every call works in child processes and throws `Failure` for foreseen trouble. */
export class Studio {
  readonly #engine: MediaEngine;

  constructor(options: StudioOptions = {}) {
    this.#engine = new MediaEngine({
      workRoot: options.workRoot ?? join(tmpdir(), 'styledna'),
      idleSeconds: options.idleSeconds ?? 60,
      memoryBytes: options.memoryBytes ?? 2 * 2 ** 30,
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

  /** Renders `source` in the style of a template clip, or of a Style DNA; null: a clean re-encode. */
  async apply(
    request: {
      readonly source: string;
      readonly output: string;
      readonly look: { readonly template: string } | { readonly style: Style } | null;
      readonly config?: Partial<JobConfig>;
    },
    options: Partial<DirectOptions> = {},
  ) {
    const given = withSignal(options);
    const { source, output, look } = request;
    const config = jobConfigSchema.parse(request.config ?? {});
    if (look === null || 'style' in look) {
      const style = look?.style ?? null;
      return applyStyle(this.#engine, { source, output, style, template: null, config }, given);
    }
    const clip = await this.#clip(look.template, { signal: given.signal });
    const style = await styleOfClip(this.#engine, clip, given);
    return applyStyle(this.#engine, { source, output, style, template: clip.facts, config }, given);
  }

  async #clip(path: string, options: Partial<DirectOptions>) {
    const analysis = await this.analyze(path, options);
    if (analysis.kind === 'sound') throw new Failure('INVALID_VIDEO', 'The template has no video stream');
    return analysis;
  }
}

function withSignal(options: Partial<DirectOptions>): DirectOptions {
  return { ...options, signal: options.signal ?? new AbortController().signal };
}
