import { join } from 'node:path';
import { isFailure } from '../../domain/errors.ts';
import { QUALITIES, type Quality } from '../../domain/job-choices.ts';
import type { Warning } from '../../domain/stage.ts';
import { timelineDurationSeconds } from '../../style/model/timeline.ts';
import type { PlannedEdit } from '../engine/direct-results.ts';
import type { FoundEncoder } from '../engine/encoder-finding.ts';
import type { MediaEngine, TaskOptions } from '../engine/engine.ts';
import type { Preview, PreviewInput, RenderedFile, TaskInput } from '../engine/tasks.ts';
import { progressParts } from './stage-tools.ts';

/** A comparison has no grade to draw, but two pictures to decode and a wider one to encode. */
const WITH_COMPARISON = [60, 40];
/** A difference in loudness that is heard side by side; also how near the loudness is to come. */
const HEARD_LU = 0.5;

export interface RenderedPlan {
  readonly output: Omit<RenderedFile, 'preview'>;
  /** Of the source; null: not asked for, or it could not be taken. */
  readonly sourcePreview: Preview | null;
  readonly outputPath: string;
  readonly posterPath: string;
  readonly filmstripPath: string;
  /** Source and output side by side; null: not asked for. */
  readonly comparisonPath: string | null;
  readonly warnings: readonly Warning[];
}

/** What is drawn, and into which files. */
export type DrawnFiles = TaskInput<'render'> & {
  readonly posterPath: string;
  readonly filmstripPath: string;
};
export type DrawOptions = TaskOptions & {
  readonly folder: string;
  readonly onProgress: (fraction: number) => void;
};
/** Draws a plan in another way than at once, in one process. Throws what the task `render` throws. */
export type DrawPlan = (files: DrawnFiles, options: DrawOptions) => Promise<RenderedFile>;

/**
 * Renders a plan into the working folder; once more when what came out does not pass verification. Throws what the task
 * `render` throws.
 */
export async function renderPlan(
  engine: Pick<MediaEngine, 'run'>,
  work: {
    readonly plan: PlannedEdit;
    readonly sourcePath: string;
    readonly quality: Quality;
    readonly comparison: boolean;
    /** Frames to look at while the output is drawn are left in the working folder. */
    readonly liveFrames?: boolean;
    /** Left out: at once, in one process. */
    readonly draw?: DrawPlan | null;
    /** Wanted of the source; left out: none. */
    readonly preview?: PreviewInput;
    /** Left out: x264 encodes. */
    readonly encoder?: FoundEncoder;
  },
  options: TaskOptions & { readonly folder: string },
): Promise<RenderedPlan> {
  const { plan, sourcePath, quality, preview } = work;
  const { timeline } = plan;
  const { folder } = options;
  const outputPath = join(folder, 'output.mp4');
  const pictures = { posterPath: join(folder, 'poster.jpg'), filmstripPath: join(folder, 'filmstrip.jpg') };
  const live = work.liveFrames === true ? { framesFolder: folder } : {};
  const { compression } = QUALITIES[quality];
  const mediaSeconds = timelineDurationSeconds(timeline);
  const weights = work.comparison ? WITH_COMPARISON : [1, 0];
  const [forOutput, forComparison] = progressParts(options.onProgress ?? (() => {}), weights);
  const wanted = preview === undefined ? {} : { preview };
  const hardware = work.encoder?.encoder ?? null;
  const { rendered, warnings: drawn } = await renderVerified(
    engine,
    {
      ...{ sourcePath, timeline, ...compression, outputPath, ...pictures, ...live, ...wanted },
      ...(hardware === null ? {} : { encoder: hardware }),
    },
    { ...options, mediaSeconds, onProgress: forOutput },
    work.draw ?? null,
  );
  const refusal = work.encoder?.refusal ?? null;
  const warnings = refusal === null ? drawn : [{ code: 'ENCODER_UNAVAILABLE', message: refusal }, ...drawn];
  const { preview: sourcePreview, ...output } = rendered;
  const made = { output, sourcePreview, outputPath, ...pictures, warnings };
  if (!work.comparison) return { ...made, comparisonPath: null };
  const comparisonPath = join(folder, 'comparison.mp4');
  await engine.run(
    'compare',
    { sourcePath, renderedPath: outputPath, timeline, ...compression, comparisonPath },
    { ...options, mediaSeconds, onProgress: forComparison },
  );
  return { ...made, comparisonPath };
}

/** What a second rendering cannot mend is no accident: it fails. A hardware encoder gets no second one: x264 does. */
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
    const isMended =
      isFailure(error, 'OUTPUT_VERIFY_FAILED') ||
      (encoder !== undefined && isFailure(error, 'ENCODER_FAILED'));
    if (!isMended) throw error;
    const fault = isFailure(error, 'ENCODER_FAILED')
      ? 'the hardware encoder failed'
      : 'the first output did not pass verification';
    const message = `It was rendered twice, because ${fault}: ${error.detail}`;
    const rendered = await render(software);
    return { rendered, warnings: [{ code: 'RENDERED_TWICE', message }, ...loudnessWarnings(rendered)] };
  }
}

function loudnessWarnings({ loudnessMissingLu: missing }: RenderedFile): readonly Warning[] {
  if (missing <= HEARD_LU) return [];
  const message = `The output's sound is ${missing.toFixed(1)} LU quieter than the style's: more would need so much limiting that it would be heard`;
  return [{ code: 'LOUDNESS_LIMITED', message }];
}
