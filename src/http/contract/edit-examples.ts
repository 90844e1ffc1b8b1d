/** Examples of an edit from many takes. */
const TAKES = ['019aa3f1-0d52-7c3b-8f42-6d1b5b0e7a01', '019aa3f1-2b10-7d57-9c40-51f0a9d3e7c2'] as const;
const PHOTO = '019aa3f1-44c0-7f08-8d1e-93b7c2a0f514';
const SONG = '019aa3f1-6e93-7a21-b5d4-0c48e17f9a36';

export const EDIT_JOB = {
  video_id: TAKES[0],
  template_video_id: '019aa3f1-9e0c-7b6e-a0d7-2f3c9d5e8b02',
  edit: {
    takes: [{ video_id: TAKES[1], exclude: [[0, 4]], must_use: true }, { video_id: PHOTO }],
    music: { video_id: SONG },
    sound: 'mix',
    duration: 30,
    pins: [{ slot: 3, video_id: TAKES[1], start_seconds: 12.4, focus: { x: 0.7, y: 0.5 } }],
    lengths: [{ slot: 2, beats: 1 }],
    titles: [{ at: 'end', text: 'Lisbon, May' }],
  },
};

/** The edit of `EDIT_JOB` as a job repeats it. */
export const WHOLE_EDIT = {
  takes: [
    { video_id: TAKES[0], exclude: [], must_use: false },
    { video_id: TAKES[1], exclude: [[0, 4]], must_use: true },
    { video_id: PHOTO, exclude: [], must_use: false },
  ],
  music: { video_id: SONG, start_seconds: null },
  sound: 'mix',
  duration: 30,
  order: 'story',
  rhythm: 'on_beat',
  pins: [{ slot: 3, video_id: TAKES[1], start_seconds: 12.4, focus: { x: 0.7, y: 0.5 } }],
  lengths: [{ slot: 2, beats: 1 }],
  bans: [],
  titles: [{ at: 'end', text: 'Lisbon, May' }],
  replan: false,
  revises: null,
};

export const EDIT_RESULT = {
  duration_seconds: 30.03,
  music_start_seconds: 41.2,
  music: {
    beats: [
      { at_seconds: 0, is_downbeat: true, is_phrase_start: true },
      { at_seconds: 0.48, is_downbeat: false, is_phrase_start: false },
    ],
    sections: [{ start_seconds: 0, end_seconds: 15.36, energy: 0.82 }],
  },
  slots: [
    {
      start_seconds: 0,
      end_seconds: 1.92,
      beat: 0,
      on_beat: true,
      video_id: TAKES[0],
      source_start_seconds: 7.36,
      source_end_seconds: 9.28,
      fit: 0.83,
      reasons: ['camera motion as in the look', 'wide shot'],
      reason_codes: [
        { code: 'motion', values: { rank: 0.71, wanted: 0.68 } },
        { code: 'shot_size', values: { size: 'wide' } },
      ],
      transition_in: null,
      template_slot: 0,
      pinned: false,
      beats_changed: 0,
      focus: null,
      alternatives: [
        {
          video_id: TAKES[1],
          source_start_seconds: 5.04,
          source_end_seconds: 6.96,
          fit: 0.77,
          reasons: ['camera motion as in the look'],
          reason_codes: [{ code: 'motion', values: { rank: 0.71, wanted: 0.6 } }],
        },
      ],
    },
  ],
  takes: [
    {
      video_id: TAKES[0],
      used: [[7.36, 9.28]],
      passed_over: [{ range: [0, 3.5], reason: 'shaken', reason_code: { code: 'shaken' } }],
    },
  ],
  revises: null,
};
