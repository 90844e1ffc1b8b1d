import { confidentFacts } from '../../analysis/confident-facts.ts';
import { Failure, isUnusableInput } from '../../domain/errors.ts';
import { editConfig } from '../../domain/job-config.ts';
import { type EditWork, type JobWork, picturedTemplate, type VideoReference } from '../../domain/stage.ts';
import { isTalkEdit, requestedRole } from '../../domain/talk-takes.ts';
import { contentKey } from '../../domain/time-range.ts';
import { writeFinalCutXml } from '../../style/export/final-cut-xml.ts';
import { writeOtio } from '../../style/export/otio.ts';
import type { Style } from '../../style/model/schema.ts';
import { roleOf } from '../../style/plan/talk-track.ts';
import type { Plan, PlannedEdit, PlanOfTakes } from '../engine/direct-results.ts';
import type { PlanInput } from '../engine/tasks.ts';
import { audioOf, clipFactsOf } from './clip-facts.ts';
import { withLeftOut } from './refused-takes.ts';
import { contentHash } from './results.ts';
import { soundTemplateWarnings } from './sound-template.ts';
import { type CaptionSource, captionsFile, captionsOf, speechFile } from './source-captions.ts';
import { NO_WARNINGS, progressParts, type Stage, type WorkTools } from './stage-tools.ts';
import { styleOf } from './style-extraction.ts';

/** Transcribing, if the job requests it, and planning, which takes a second or two. */
const WEIGHTS = [9, 1] as const;

/** Plans how the style is applied to the source. */
export const styleApplication: Stage = async (tools, work) => {
  // An analysis applies no style; a plan as data is made by the last stage.
  if (work.product?.kind === 'analysis' || work.product?.kind === 'plan') return NO_WARNINGS;
  const plan = await planOf(tools, work);
  return { warnings: plan.warnings };
};

/** The plan of a job. Everything but the file names in it is cached by its inputs. */
export async function planOf(tools: WorkTools, work: JobWork): Promise<PlannedEdit> {
  const { plan, speech } =
    work.edit === undefined
      ? await planOfSource(tools, work)
      : { plan: await planOfTakes(tools, work, work.edit), speech: null };
  const { takes, music } = work.edit ?? { takes: [work.source], music: null };
  const media = {
    takes: takes.map(({ filename: fileName, durationSeconds, width, height }, index) => ({
      ...{ fileName, durationSeconds, width, height },
      ...plan.takeMedia[index],
    })),
    music:
      music === null
        ? null
        : {
            fileName: music.filename,
            durationSeconds: music.durationSeconds,
            audioChannels: (plan as PlanOfTakes).musicChannels,
          },
  };
  return withLeftOut(
    {
      ...plan,
      otio: writeOtio(plan.timeline, media),
      finalCutXml: writeFinalCutXml(plan.timeline, media),
      speech,
      warnings: [...plan.warnings, ...(await soundTemplateWarnings(tools, work))],
    },
    work,
  );
}

/** The plan of the source alone, which may be transcribed first. */
async function planOfSource(tools: WorkTools, work: JobWork) {
  const [forWords, forPlan] = progressParts(work.onProgress, WEIGHTS);
  const basis = await planBasis(tools, { ...work, onProgress: forWords! });
  const plan = await namelessPlanOf(tools, { ...work, onProgress: forPlan! }, basis);
  return { plan, speech: speechFile(basis.captions) };
}

async function namelessPlanOf(tools: WorkTools, work: JobWork, basis: PlanBasis): Promise<Plan> {
  const { content } = basis;
  const cached = await tools.results.load<Plan>('plan', content);
  if (cached !== undefined) return cached;
  const { signal, onProgress } = work;
  const plan = await withPlanInput(tools, work, basis, (input) =>
    tools.engine.run('plan', input, { signal, onProgress, child: tools.sourceChild }),
  );
  await tools.results.save('plan', content, plan);
  return plan;
}

/** The inputs of a plan except the measurements. */
export interface PlanBasis extends Pick<PlanInput, 'style' | 'config' | 'cube'> {
  readonly template: VideoReference | null;
  readonly captions: CaptionSource | null;
  /** Cache key of all inputs. */
  readonly content: string;
}

export async function planBasis(tools: WorkTools, work: JobWork): Promise<PlanBasis> {
  const { config } = work;
  const style = await appliedStyleOf(tools, work);
  const template = style === null ? null : picturedTemplate(work);
  const captions = await captionsOf(tools, work, style);
  const content = `${work.source.sha256}-${contentHash(template?.sha256 ?? null, style, editConfig(config), captions?.sha256, work.cube)}`;
  const { cube } = work;
  return { config, style, template, captions, content, ...(cube === undefined ? {} : { cube }) };
}

/** Calls `use` with all inputs; measures clips that are not measured. The caption file exists until `use` ends. */
export async function withPlanInput<T>(
  tools: WorkTools,
  { source, signal }: Pick<JobWork, 'source' | 'signal'>,
  { config, style, template, captions, cube }: PlanBasis,
  use: (input: PlanInput) => Promise<T>,
): Promise<T> {
  const facts = await clipFactsOf(tools, source, { signal });
  const templateFacts = template === null ? null : await clipFactsOf(tools, template, { signal });
  await using file = captions === null ? null : await captionsFile(tools, captions, signal);
  const found = captions === null || file === null ? null : { origin: captions.origin, path: file.path };
  const input = { source: facts, style, template: templateFacts, config, captions: found };
  return await use({ ...input, ...(cube === undefined ? {} : { cube }) });
}

/** The plan of an edit from many takes, cached by its inputs. */
async function planOfTakes(tools: WorkTools, work: JobWork, edit: EditWork): Promise<PlanOfTakes> {
  const style = await appliedStyleOf(tools, work);
  if (style === null)
    throw new Failure(
      'INPUT_UNSUPPORTED',
      'An edit needs the style of a template, and none could be measured',
    );
  const template = picturedTemplate(work);
  const { config, cube, signal, onProgress, source } = work;
  const named = ({ videoId, sha256 }: VideoReference) => [videoId, sha256];
  const captions = await talkCaptionsOf(tools, work, edit, style);
  const words = captions === null ? [] : [captions.map((one) => one?.sha256 ?? null)];
  const inputs = [
    ...[edit.takes.map(named), edit.music === null ? null : named(edit.music), edit.options],
    ...words,
  ];
  const content = `${source.sha256}-${contentHash(inputs, template?.sha256 ?? null, style, editConfig(config), cube)}`;
  const cached = await tools.results.load<PlanOfTakes>('plan', content);
  if (cached !== undefined) return cached;
  const takes = [];
  for (const take of edit.takes)
    takes.push({
      ...{ videoId: take.videoId, content: contentKey(take) },
      facts: await clipFactsOf(tools, take, { signal }),
    });
  const music = edit.music === null ? null : await songOf(tools, edit.music, signal);
  const measured =
    template === null
      ? null
      : {
          facts: await clipFactsOf(tools, template, { signal }),
          fingerprint: (await audioOf(tools, template, { signal }))?.fingerprint ?? null,
        };
  const { options } = edit;
  await using files = new AsyncDisposableStack();
  const input = {
    ...(captions === null ? {} : { captions: await captionFilesOf(tools, captions, files, signal) }),
    takes,
    music,
    style,
    template: measured,
    options,
    config,
    ...(cube === undefined ? {} : { cube }),
  };
  const plan = await tools.engine.run('planTakes', input, { signal, onProgress });
  await tools.results.save('plan', content, plan);
  return plan;
}

/** The words of the takes that speak in a talk, per take; null: the edit is no talk. */
async function talkCaptionsOf(
  tools: WorkTools,
  { jobId, ...work }: JobWork,
  { takes, options }: EditWork,
  style: Style,
): Promise<(CaptionSource | null)[] | null> {
  if (!isTalkEdit(work.config.talk, options.takes)) return null;
  const captions: (CaptionSource | null)[] = [];
  for (const take of takes) {
    const requested = requestedRole(options.takes, take.videoId);
    const facts = await clipFactsOf(tools, take, work);
    const role = requested === 'auto' ? roleOf(confidentFacts(facts)) : requested;
    // A job has a copy of the caption file of its own source alone.
    const own = take.videoId === work.source.videoId && jobId !== undefined ? { jobId } : {};
    captions.push(role === 'talk' ? await captionsOf(tools, { ...work, ...own, source: take }, style) : null);
  }
  return captions;
}

async function captionFilesOf(
  tools: WorkTools,
  captions: readonly (CaptionSource | null)[],
  files: AsyncDisposableStack,
  signal: AbortSignal,
): Promise<PlanInput['captions'][]> {
  const found: PlanInput['captions'][] = [];
  for (const one of captions) {
    if (one === null) found.push(null);
    else found.push({ origin: one.origin, path: files.use(await captionsFile(tools, one, signal)).path });
  }
  return found;
}

async function songOf(tools: WorkTools, music: VideoReference, signal: AbortSignal) {
  const song = await audioOf(tools, music, { signal });
  if (song === null) throw new Failure('INPUT_UNSUPPORTED', `The song "${music.filename}" has no sound`);
  return song;
}

/** Null: nothing to apply. Without a template the reported style is the source's own, which is not applied to it. */
async function appliedStyleOf(tools: WorkTools, work: JobWork): Promise<Style | null> {
  if (work.style === null && work.template === null) return null;
  return reportedStyleOf(tools, work);
}

/** The style of a job's result; null if the extraction failed, which its stage has reported as a warning. */
export async function reportedStyleOf(tools: WorkTools, work: JobWork): Promise<Style | null> {
  try {
    return await styleOf(tools, work);
  } catch (error) {
    if (isUnusableInput(error)) return null;
    throw error;
  }
}
