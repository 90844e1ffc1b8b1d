/** Renders edits; edits share the measurements of their takes. */
import type { ClipFacts } from '../../src/analysis/facts.ts';
import { editSchema } from '../../src/domain/edit-options.ts';
import { jobConfigSchema } from '../../src/domain/job-config.ts';
import { audioOf, clipFactsOf } from '../../src/pipeline/stages/clip-facts.ts';
import { planOf } from '../../src/pipeline/stages/style-application.ts';
import { styleOf } from '../../src/pipeline/stages/style-extraction.ts';
import type { EditResult } from '../../src/style/model/edit-result.ts';
import type { Style } from '../../src/style/model/schema.ts';
import type { Timeline } from '../../src/style/model/timeline.ts';
import { openTools, type RigTools, referenceOf, renderTo } from '../lib/media-rig.ts';

/** Paths of files and the options of a job. */
export interface RequestedEdit {
  readonly takes: readonly string[];
  readonly template: string;
  /** Null: no song. */
  readonly music: string | null;
  /** Fields of `edit` besides takes and music. */
  readonly options: Readonly<Record<string, unknown>>;
  readonly config?: Readonly<Record<string, unknown>>;
  /** Makes a style by hand of the template's; the template itself then has no part in the plan. */
  readonly restyle?: (style: Style) => Style;
}

export interface RenderedEdit {
  readonly edit: EditResult;
  readonly timeline: Timeline;
  /** In the order of the takes. */
  readonly facts: readonly ClipFacts[];
  /** File of a take by its id in `edit`. */
  readonly files: ReadonlyMap<string, string>;
}

export interface PlannedRequest extends Omit<RenderedEdit, 'files' | 'facts'> {
  /** The template's Style DNA. */
  readonly style: Style;
}

export interface EditRig {
  plan(request: RequestedEdit): Promise<PlannedRequest>;
  /** Writes the output to `path`. */
  render(request: RequestedEdit, path: string): Promise<RenderedEdit>;
}

export async function openEditRig(folder: string): Promise<EditRig> {
  const tools = await openTools(folder);
  return {
    async plan(request) {
      const { work, plan } = await planned(tools, request);
      return { edit: plan.edit!, timeline: plan.timeline, style: (await styleOf(tools, work))! };
    },
    async render(request, path) {
      const { work, plan, facts } = await planned(tools, request);
      await renderTo(path, tools, work, plan);
      const files = new Map(work.edit.takes.map(({ videoId }, at) => [videoId, request.takes[at]!]));
      return { edit: plan.edit!, timeline: plan.timeline, facts, files };
    },
  };
}

async function planned(
  tools: RigTools,
  { takes, template, music, options, config = {}, restyle }: RequestedEdit,
) {
  const { signal } = new AbortController();
  const stored = (file: string) => referenceOf(tools, file);
  const references = await Promise.all(takes.map(stored));
  const song = music === null ? null : await stored(music);
  const measured = {
    ...{ source: references[0]!, template: await stored(template), style: null, signal },
    config: jobConfigSchema.parse({ quality: 'low', ...config }),
    edit: {
      ...{ takes: references, music: song },
      options: editSchema.parse({
        takes: references.map(({ videoId }) => ({ video_id: videoId })),
        music: song && { video_id: song.videoId },
        ...options,
      }),
    },
    onProgress: () => {},
  };
  const facts: ClipFacts[] = [];
  for (const take of references) facts.push(await clipFactsOf(tools, take, { signal }));
  await clipFactsOf(tools, measured.template, { signal, withStyle: true });
  if (song !== null) await audioOf(tools, song, { signal });
  const work =
    restyle === undefined
      ? measured
      : { ...measured, template: null, style: restyle(await styleOf(tools, measured)) };
  return { work, plan: await planOf(tools, work), facts };
}
