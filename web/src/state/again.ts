/** A job's inputs and settings, for another job from them. */
import type { Job } from '../../../src/client/api-types.ts';
import { isTalkEdit } from '../../../src/domain/talk-takes.ts';
import {
  type EditParts,
  type Look,
  type Make,
  type PresetId,
  type Range,
  type Take,
  trimmed,
} from './edit-parts.ts';
import { settingsOf } from './settings.ts';

/** `sourceSeconds`: the length of the job's source, for its part that counts; null: unknown. */
export function madeOfJob(job: Job, sourceSeconds: number | null = null): Partial<Make> {
  const { edit_request: edit, config, job_id: jobId } = job;
  const common = { look: lookOf(job), settings: settingsOf(config ?? {}) };
  if (edit === null) {
    const take = takeOf({ video_id: job.video_id }, 0);
    const part = rangeIn(config, 'source_range');
    const isKnown = part !== null && sourceSeconds !== null;
    return { ...common, takes: [isKnown ? trimmed(take, part, sourceSeconds) : take] };
  }
  // A template that is the song is shown as the song alone.
  const isSong = job.template_video_id !== null && job.template_video_id === edit.music?.video_id;
  const look = isSong ? null : common.look;
  return { ...common, look, ...partsOfEdit(edit, config ?? {}), revises: jobId };
}

function partsOfEdit(
  edit: NonNullable<Job['edit_request']>,
  config: Readonly<Record<string, unknown>>,
): EditParts {
  const { takes = [], music, sound = 'music', order = 'story', rhythm = 'on_beat' } = edit;
  const { duration = 'template' } = edit;
  // Roles are refused in an edit that is no talk.
  const isTalk = isTalkEdit({ mode: settingsOf(config).talk }, takes);
  return {
    takes: takes.map((take, index) => ({ ...takeOf(take, index), ...(isTalk ? roleOf(take) : {}) })),
    song:
      music == null
        ? null
        : {
            source: { kind: 'video', videoId: music.video_id },
            startSeconds: music.start_seconds ?? null,
          },
    ...{ sound, order, rhythm, duration },
    pins: (edit.pins ?? []).map(({ slot, video_id: videoId, start_seconds: start, focus }) => ({
      slot,
      videoId,
      startSeconds: start ?? null,
      ...(focus == null ? {} : { focus }),
    })),
    lengths: edit.lengths ?? [],
    bans: (edit.bans ?? []).map(({ video_id: videoId, range }) => ({ videoId, range })),
    titles: edit.titles ?? [],
    seed: Number(config['seed'] ?? 0),
  };
}

function takeOf(take: NonNullable<NonNullable<Job['edit_request']>['takes']>[number], index: number): Take {
  return {
    id: index + 1,
    source: { kind: 'video', videoId: take.video_id },
    exclude: take.exclude ?? [],
    mustUse: take.must_use ?? false,
  };
}

function roleOf({ role = 'auto' }: Parameters<typeof takeOf>[0]): Pick<Take, 'role'> {
  return role === 'auto' ? {} : { role };
}

function rangeIn(config: Job['config'], field: 'source_range' | 'template_range'): Range | null {
  return (config?.[field] ?? null) as Range | null;
}

/** The Style DNA file of a job is not stored: the person adds it again. */
function lookOf({ template_video_id: videoId, preset, style_id: styleId, config }: Job): Look | null {
  const range = rangeIn(config, 'template_range');
  if (videoId !== null) return { kind: 'video', videoId, ...(range === null ? {} : { range }) };
  if (styleId != null) return { kind: 'saved', styleId };
  return preset == null ? null : { kind: 'preset', presetId: preset as PresetId };
}
