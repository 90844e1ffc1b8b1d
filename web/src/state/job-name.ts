import { useQuery } from '@tanstack/react-query';
import type { Job } from '../../../src/client/api-types.ts';
import { additionsOf } from './additions.ts';
import { presetsData, videoData } from './server-data.ts';

export interface JobName {
  /** Of the video; null until it is known. */
  readonly source: string | null;
  /** Of the look: its video or preset; null where it is a Style DNA, or nothing is known yet. */
  readonly look: string | null;
}

/** A job is called what its video is called. Jobs of earlier versions do not say it themselves. */
export function useJobName(job: Job): JobName {
  const { source_filename: given, template_filename: givenLook, preset } = additionsOf(job);
  const templateId = job.template_video_id;
  const source = useQuery({ ...videoData(job.video_id), enabled: given == null });
  const template = useQuery({
    ...videoData(templateId ?? ''),
    enabled: templateId !== null && givenLook == null,
  });
  const presets = useQuery({ ...presetsData(), enabled: preset != null });
  const presetName = presets.data?.presets.find((one) => one.preset_id === preset)?.name;
  return {
    source: given ?? source.data?.filename ?? (source.error === null ? null : 'A video that was deleted'),
    look: givenLook ?? template.data?.filename ?? presetName ?? null,
  };
}
