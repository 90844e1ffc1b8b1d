import { isFailure, isUnusableInput } from '../../domain/errors.ts';
import { editConfig } from '../../domain/job-config.ts';
import type { PlanRequest, PlanService, StoredPlan } from '../../domain/plan-preview.ts';
import { type EditWork, isSound, type JobWork, type VideoReference } from '../../domain/stage.ts';
import { contentKey } from '../../domain/time-range.ts';
import { captionsBlobKey } from '../../storage/blob-names.ts';
import { ClipChildren } from '../engine/clip-children.ts';
import { localClip } from '../stages/clip-facts.ts';
import { planAsData } from '../stages/plan-data.ts';
import { isRefused, usableWork } from '../stages/refused-takes.ts';
import { contentHash, type ResultKind, Results, VERSIONS } from '../stages/results.ts';
import type { WorkTools } from '../stages/stage-tools.ts';
import { PreviewBlobs, previewIdOf } from './preview-blobs.ts';
import type { PreviewServiceParts } from './preview-service.ts';

const FILE = 'plan.json';
/** Time that a person looks at an edit between two changes. The first plan of a new child takes ten times as long: .9 s for ten takes. */
const IDLE_MS = 600_000;

/**
 * Plans of measured videos, made within a request. They lie among the previews of the source's content, for a day. A child stays open with
 * the measurements that it has read: another plan of the same videos takes a fraction of the first.
 */
export class BlobPlanService implements PlanService, AsyncDisposable {
  readonly #tools: WorkTools & { readonly blobs: PreviewServiceParts['blobs'] };
  readonly #stored: PreviewBlobs;
  readonly #children: ClipChildren;

  constructor({ engine, blobs }: PreviewServiceParts) {
    this.#stored = new PreviewBlobs(blobs);
    this.#tools = { engine, blobs, results: new Results(blobs), retryWhileStorageDown: (use) => use() };
    this.#children = new ClipChildren(engine, IDLE_MS);
  }

  async idOf({ source, template, style, config, edit }: PlanRequest): Promise<string> {
    const captions =
      edit === undefined ? await this.#tools.blobs.head(captionsBlobKey(source.videoId)) : null;
    const named = ({ videoId, sha256 }: VideoReference) => [videoId, sha256];
    const inputs = edit === undefined ? null : [editVideos(edit).map(named), edit.options, edit.leftOut];
    const hash = contentHash(
      ...['plan', VERSIONS, named(source), template?.sha256 ?? null, style, editConfig(config), inputs],
      captions?.modifiedAt ?? null,
    );
    return previewIdOf(source.sha256, hash);
  }

  load(previewId: string): Promise<StoredPlan | null> {
    return this.#stored.read<StoredPlan>(previewId, FILE);
  }

  remove(previewId: string): Promise<void> {
    return this.#stored.remove(previewId);
  }

  async measured(request: PlanRequest): Promise<PlanRequest | null> {
    const refused = await Promise.all(
      (request.edit?.takes ?? []).map((take) => isRefused(this.#tools, take)),
    );
    // A job reports why a requested take cannot be used, or why none can.
    const usable = refused.includes(true)
      ? await usableWork(this.#tools, request).catch(nullIfRefused)
      : request;
    return usable !== null && (await this.#isMeasured(usable)) ? usable : null;
  }

  async #isMeasured({ source, template, edit }: PlanRequest): Promise<boolean> {
    const needed: [ResultKind, VideoReference][] = [];
    const whole = ['video', 'audio', 'motion'] as const;
    for (const take of edit?.takes ?? [source]) for (const kind of whole) needed.push([kind, take]);
    if (template !== null) {
      const measured = isSound(template) ? (['audio'] as const) : whole;
      for (const kind of [...measured, 'style'] as const) needed.push([kind, template]);
    }
    if (edit !== undefined && edit.music !== null) needed.push(['audio', edit.music]);
    const found = await Promise.all(
      needed.map(([kind, video]) => this.#tools.results.has(kind, contentKey(video))),
    );
    return !found.includes(false);
  }

  async plan(previewId: string, request: PlanRequest, signal: AbortSignal): Promise<StoredPlan> {
    const { source, template, style, edit } = request;
    const work: JobWork = { ...request, signal, onProgress: () => {} };
    await using clip = edit === undefined ? await localClip(this.#tools, source, signal) : null;
    const sourcePath = clip?.path ?? null;
    const videos = edit === undefined ? [source] : editVideos(edit);
    // A child reads one set of videos and one style: a hostile video learns nothing of others.
    const key = contentHash(
      videos.map(({ sha256 }) => sha256),
      template?.sha256 ?? null,
      style,
      sourcePath,
    );
    const planned = await this.#children.use(key, sourcePath, (child) =>
      planAsData({ ...this.#tools, sourceChild: child }, work, { folder: child.folder, sourcePath }),
    );
    if (isFailure(planned)) throw planned;
    const stored = { ...planned, videoId: source.videoId, templateVideoId: template?.videoId ?? null };
    await this.#stored.write(previewId, FILE, stored);
    return stored;
  }

  /** Ends all children. */
  async [Symbol.asyncDispose](): Promise<void> {
    await this.#children[Symbol.asyncDispose]();
  }
}

function nullIfRefused(error: unknown): null {
  if (!isUnusableInput(error)) throw error;
  return null;
}

function editVideos({ takes, music }: EditWork): readonly VideoReference[] {
  return music === null ? takes : [...takes, music];
}
