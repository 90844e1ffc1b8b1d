/** Examples of plans as data. */
import { EDIT_JOB, EDIT_RESULT } from './edit-examples.ts';

const [first, second] = [EDIT_JOB.video_id, EDIT_JOB.edit.takes[0]!.video_id];
const WHOLE = { x: 0, y: 0, width: 1, height: 1 };
const CLIP = { reason: 'slot', from: WHOLE, to: WHOLE, easing: 'linear', fit: 'crop' };

const TIMELINE = {
  ...{ version: 2, frameRate: { numerator: 30, denominator: 1 }, width: 1080, height: 1920 },
  takes: [{ grade: null }, { grade: null }],
  clips: [
    { ...CLIP, take: 0, sourceStartSeconds: 3.2, sourceEndSeconds: 4.8 },
    { ...CLIP, take: 1, sourceStartSeconds: 12.4, sourceEndSeconds: 14 },
  ],
  ...{ transitions: [], captions: [], audio: null },
};

export const PLANNED = {
  kind: 'plan',
  ...{ file_url: null, picture: null, expected: null },
  edit: EDIT_RESULT,
  plan: {
    timeline: TIMELINE,
    loudness_gain_db: 2.4,
    takes: [
      { video_id: first, width: 1920, height: 1080, duration_seconds: 42.5 },
      { video_id: second, width: 1080, height: 1920, duration_seconds: 18.2 },
    ],
    music: { video_id: EDIT_JOB.edit.music.video_id, duration_seconds: 180 },
  },
};

export const TIMELINE_RESPONSES = {
  getJobTimeline: {
    completed: {
      success: true,
      message: 'Timeline found',
      data: {
        job_id: '019aa3f2-4c1e-7d0a-9b51-0c6f6f1f2e11',
        timeline: TIMELINE,
        takes: [{ video_id: first }, { video_id: second }],
      },
    },
  },
};
