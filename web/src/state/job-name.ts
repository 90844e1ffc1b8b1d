import { useQuery } from '@tanstack/react-query';
import type { Job } from '../../../src/client/api-types.ts';
import { editName } from '../words/edit-name.ts';
import { presetsData } from './server-data.ts';

export interface JobName {
  readonly source: string;
  /** Name of the look's video, of the saved look or of the preset; null if it is a Style DNA, or not known yet. */
  readonly look: string | null;
}

/** A job has the name of its video, or of its reel. */
export function useJobName(job: Job): JobName {
  const { template_filename: template, style_name: saved, preset } = job;
  const presets = useQuery({ ...presetsData(), enabled: preset !== null });
  const presetName = presets.data?.presets.find((one) => one.preset_id === preset)?.name;
  return { source: sourceName(job), look: template ?? saved ?? presetName ?? null };
}

function sourceName({ source_filename: name, edit_request: edit }: Job): string {
  const takes = edit?.takes?.length ?? 1;
  return takes > 1 ? editName(edit?.titles ?? [], takes) : (name ?? 'A video of an earlier version');
}
