import { join } from 'node:path';
import { isFailure } from '../../domain/errors.ts';
import { QUALITIES, type Quality } from '../../domain/job-choices.ts';
import type { Warning } from '../../domain/stage.ts';
import type { SoundFiles } from '../../render/sound/output-sound.ts';
import { timelineDurationSeconds } from '../../style/model/timeline.ts';
import type { PlannedEdit } from '../engine/direct-results.ts';
import type { FoundEncoder } from '../engine/encoder-finding.ts';
import type { MediaEngine, TaskOptions } from '../engine/engine.ts';
import type {
  OutputPreview,
  OutputPreviewInput,
  Preview,
  PreviewInput,
  RenderedFile,
  TaskInput,
} from '../engine/tasks.ts';
import { progressParts } from './stage-tools.ts';

/** Shares of output and comparison: a comparison draws no grade, but decodes two pictures and encodes a wider one. */
const WITH_COMPARISON = [60, 40];
/** Audible difference in loudness; also the tolerance of the output's loudness. */
const HEARD_LU = 0.5;

export interface RenderedPlan {
  readonly output: Omit<RenderedFile, 'preview' | 'outputPreview'>;
  /** Pictures of the source; null: not requested, or failed. */
  readonly sourcePreview: Preview | null;
  /** Pictures of the output for its report; null: not requested. */
  readonly outputPreview: OutputPreview | null;
  readonly outputPath: string;
  readonly posterPath: string;
  readonly filmstripPath: string;
  /** Source and output side by side; null: not requested. */
  readonly comparisonPath: string | null;
  readonly warnings: readonly Warning[];
}

/** Input of a rendering, and its files. */
export type DrawnFiles = TaskInput<'render'> & {
  readonly posterPath: string;
  readonly filmstripPath: string;
};
export type DrawOptions = TaskOptions & {
  readonly folder: string;
  readonly onProgress: (fraction: number) => void;
};
/** Renders a plan in several processes. Throws the errors of the task `render`. */
export type DrawPlan = (files: DrawnFiles, options: DrawOptions) => Promise<RenderedFile>;

/**
 * Renders a plan into the working folder, a second time if the output fails verification. Throws the errors of the task `render`.
 */
export async function renderPlan(
  engine: Pick<MediaEngine, 'run'>,
  work: {
    readonly plan: PlannedEdit;
    readonly files: SoundFiles;
    readonly quality: Quality;
    readonly comparison: boolean;
    /** True: live frames are written into the working folder. */
    readonly liveFrames?: boolean;
    /** Undefined or null: one process renders all. */
    readonly draw?: DrawPlan | null;
    /** Pictures to make of the source; undefined: none. */
    readonly preview?: PreviewInput;
    /** Pictures to make of the output; undefined: none. */
    readonly outputPreview?: OutputPreviewInput | undefined;
    /** Undefined: x264. */
    readonly encoder?: FoundEncoder;
  },
  options: TaskOptions & { readonly folder: string },
): Promise<RenderedPlan> {
  const { plan, files, quality, preview, outputPreview: reported } = work;
  const { timeline } = plan;
  const { folder } = options;
  const outputPath = join(folder, 'output.mp4');
  const pictures = { posterPath: join(folder, 'poster.jpg'), filmstripPath: join(folder, 'filmstrip.jpg') };
  const live = work.liveFrames === true ? { framesFolder: folder } : {};
  const { compression } = QUALITIES[quality];
  const mediaSeconds = timelineDurationSeconds(timeline);
  const weights = work.comparison ? WITH_COMPARISON : [1, 0];
  const [forOutput, forComparison] = progressParts(options.onProgress ?? (() => {}), weights);
  const wanted = {
    ...(preview === undefined ? {} : { preview }),
    ...(reported === undefined ? {} : { outputPreview: reported }),
  };
  const hardware = work.encoder?.encoder ?? null;
  const { rendered, warnings: drawn } = await renderVerified(
    engine,
    {
      ...{ ...files, timeline, ...compression, outputPath, ...pictures, ...live, ...wanted },
      ...(hardware === null ? {} : { encoder: hardware }),
    },
    { ...options, mediaSeconds, onProgress: forOutput },
    work.draw ?? null,
  );
  const refusal = work.encoder?.refusal ?? null;
  const warnings = refusal === null ? drawn : [{ code: 'ENCODER_UNAVAILABLE', message: refusal }, ...drawn];
  const { preview: sourcePreview, outputPreview, ...output } = rendered;
  const made = { output, sourcePreview, outputPreview, outputPath, ...pictures, warnings };
  if (!work.comparison) return { ...made, comparisonPath: null };
  const comparisonPath = join(folder, 'comparison.mp4');
  await engine.run(
    'compare',
    { sourcePath: files.takePaths[0], renderedPath: outputPath, timeline, ...compression, comparisonPath },
    { ...options, mediaSeconds, onProgress: forComparison },
  );
  return { ...made, comparisonPath };
}

/** Renders once more after a failed verification, by x264 after a failed hardware encoder. A second failure is thrown. */
async function renderVerified(
  engine: Pick<MediaEngine, 'run'>,
  input: DrawnFiles,
  options: DrawOptions,
  draw: DrawPlan | null,
): Promise<{ rendered: RenderedFile; warnings: readonly Warning[] }> {
  let reached = 0;
  const onProgress = (fraction: number) => {
    reached = Math.max(reached, fraction);
    options.onProgress(reached);
  };
  const { encoder, ...software } = input;
  const render = (what: DrawnFiles) => engine.run('render', what, { ...options, onProgress });
  try {
    const rendered = await (draw === null ? render(input) : draw(input, { ...options, onProgress }));
    return { rendered, warnings: loudnessWarnings(rendered) };
  } catch (error) {
    const isRepeatable =
      isFailure(error, 'OUTPUT_VERIFY_FAILED') ||
      (encoder !== undefined && isFailure(error, 'ENCODER_FAILED'));
    if (!isRepeatable) throw error;
    const fault = isFailure(error, 'ENCODER_FAILED')
      ? 'the hardware encoder failed'
      : 'the first output did not pass verification';
    const message = `The output was rendered twice, because ${fault}: ${error.detail}`;
    const rendered = await render(software);
    return { rendered, warnings: [{ code: 'RENDERED_TWICE', message }, ...loudnessWarnings(rendered)] };
  }
}

function loudnessWarnings({ loudnessMissingLu: missing }: RenderedFile): readonly Warning[] {
  if (missing <= HEARD_LU) return [];
  const message = `The output's sound is ${missing.toFixed(1)} LU quieter than the style's, because more loudness would need audible limiting.`;
  return [{ code: 'LOUDNESS_LIMITED', message }];
}
