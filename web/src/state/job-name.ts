import { useQuery } from '@tanstack/react-query';
import type { Job } from '../../../src/client/api-types.ts';
import { presetsData } from './server-data.ts';

export interface JobName {
  readonly source: string;
  /** Of the look: its video or preset; null where it is a Style DNA, or not known yet. */
  readonly look: string | null;
}

/** A job is called what its video is called. */
export function useJobName(job: Job): JobName {
  const { source_filename: source, template_filename: template, preset } = job;
  const presets = useQuery({ ...presetsData(), enabled: preset !== null });
  const presetName = presets.data?.presets.find((one) => one.preset_id === preset)?.name;
  return { source: source ?? 'A video of an earlier version', look: template ?? presetName ?? null };
}
