import type { Analysis, EditResult, Job, JobDetail } from '../client/client.ts';

/** Fields for matching: thousands of numbers without meaning for a reader. */
const FOR_MACHINES = ['fingerprint', 'color_statistics', 'spectrum', 'detected_beats', 'look'];

/** An analysis without fields that only fill an agent's context. */
export function styleText({ video_id, description, style_json, report_url, warnings }: Analysis): object {
  return { video_id, description, style: readableStyle(style_json), report_url, warnings };
}

export function readableStyle(style: object | null): object {
  return Object.fromEntries(Object.entries(style ?? {}).filter(([name]) => !FOR_MACHINES.includes(name)));
}

export function jobText(job: Job | JobDetail): object {
  const { job_id, status, progress_percent, current_stage, warnings } = job;
  if (status === 'queued' || status === 'processing') {
    const { queue_position = null, eta_seconds = null } = job;
    return { job_id, status, progress_percent, current_stage, queue_position, eta_seconds, next: 'get_job' };
  }
  if (!('artifacts' in job) || status !== 'completed') {
    return { job_id, status, error: 'error' in job ? job.error : null };
  }
  const { output_video_url, processing_time_seconds, artifacts } = job;
  const files = ['output.mp4', ...artifacts.map(({ name }) => name)];
  return {
    job_id,
    status,
    output_video_url,
    processing_time_seconds,
    files,
    // Missing from services of an earlier version.
    ...(job.edit == null ? {} : { edit: editText(job.edit) }),
    warnings,
    next: 'fetch_results',
  };
}

/** A plan slot by slot: the fields that a pin needs, without numeric details. */
export function editText({ duration_seconds, music_start_seconds, slots, takes, talk }: EditResult): object {
  return {
    duration_seconds,
    music_start_seconds,
    slots: slots.map((slot, index) => ({
      slot: index,
      ...(slot.role === undefined ? {} : { role: slot.role }),
      output_seconds: [slot.start_seconds, slot.end_seconds],
      on_beat: slot.on_beat,
      video_id: slot.video_id,
      take_seconds: [slot.source_start_seconds, slot.source_end_seconds],
      reasons: slot.reasons,
      pinned: slot.pinned,
      beats_changed: slot.beats_changed ?? 0,
      alternatives: slot.alternatives.map(({ video_id, source_start_seconds: start_seconds }) => ({
        video_id,
        start_seconds,
      })),
    })),
    takes,
    ...(talk === undefined ? {} : { talk }),
  };
}
