/** A small edit as its report gets it: three slots of a video and a photo, a take that is not used, a song and a template. */
import type { Still } from '../../src/domain/footage.ts';
import type { TakesReportInput } from '../../src/report/takes-view.ts';
import type { EditSlotResult } from '../../src/style/model/edit-result.ts';
import { encodeImage } from './image.ts';

const slot = (change: Partial<EditSlotResult>): EditSlotResult => ({
  ...{ video_id: 'a', source_start_seconds: 0, source_end_seconds: 1, start_seconds: 0, end_seconds: 1 },
  ...{ fit: 0.8, reasons: ['camera motion as in the look'], beat: null, on_beat: false, transition_in: null },
  ...{ template_slot: 0, pinned: false, alternatives: [] },
  ...change,
});

export async function takesReport(): Promise<TakesReportInput> {
  const jpeg = await encodeImage('jpeg', { width: 320, height: 180 }, (x, y) => [x % 256, y, 90]);
  const still = (timeSeconds: number): Still => ({ timeSeconds, width: 320, height: 180, jpeg });
  const shot = (number: number, startSeconds: number, endSeconds: number) => ({
    ...{ number, startSeconds, endSeconds, camera: null, entry: null },
    stills: [
      {
        ...{ id: `template-still-${number}`, timeSeconds: startSeconds, width: 320, height: 180 },
        source: `data:image/jpeg;base64,${jpeg.toString('base64')}`,
      },
    ],
  });
  return {
    edit: {
      duration_seconds: 4,
      music_start_seconds: 30,
      revises: null,
      slots: [
        slot({ source_start_seconds: 2, source_end_seconds: 3, beat: 60, on_beat: true }),
        slot({
          ...{ video_id: 'photo', start_seconds: 1, end_seconds: 2.5, template_slot: 1, pinned: true },
          alternatives: [
            { video_id: 'a', source_start_seconds: 5, source_end_seconds: 6.5, fit: 0.5, reasons: [] },
          ],
        }),
        slot({
          ...{ start_seconds: 2.5, end_seconds: 4, source_start_seconds: 6, source_end_seconds: 7.5 },
          ...{ beat: 65, on_beat: true, template_slot: 2 },
          transition_in: { type: 'dissolve', duration_seconds: 0.8 },
        }),
      ],
      takes: [
        {
          video_id: 'a',
          used: [
            [2, 3],
            [6, 7.5],
          ],
          passed_over: [
            { range: [0, 2], reason: 'blurred' },
            {
              range: [3, 6],
              reason: 'usable, but no shot needs it',
              reason_code: { code: 'no_slot' },
            },
            { range: [9, 9.5], reason: 'blurred' },
          ],
        },
        { video_id: 'photo', used: [[0, 1.5]], passed_over: [] },
        { video_id: 'b', used: [], passed_over: [{ range: [0, 5], reason: 'excluded' }] },
      ],
    },
    takes: [
      { videoId: 'a', name: 'day <1>.mp4', durationSeconds: 10 },
      { videoId: 'photo', name: 'beach.jpg', durationSeconds: 0 },
      { videoId: 'b', name: 'unused.mov', durationSeconds: 5 },
    ],
    song: {
      name: 'song.mp3',
      beats: Array.from({ length: 120 }, (_, beat) => ({ timeSeconds: beat * 0.5, confidence: 0.9 })),
      sections: [
        { startSeconds: 0, endSeconds: 32, energy: 0.4 },
        { startSeconds: 32, endSeconds: 50, energy: 1 },
        { startSeconds: 50, endSeconds: 60, energy: 0.2 },
      ],
    },
    template: {
      name: 'reel.mp4',
      shots: [shot(1, 0, 2), shot(2, 2, 3), shot(3, 3, 6)],
      slotSeconds: [1, 2.5, 4.5],
    },
    output: {
      ...{ width: 1280, height: 720, framesPerSecond: 25 },
      // Rendered shorter than planned.
      transitions: [null, null, { clipIndex: 2, type: 'dissolve', durationSeconds: 0.4, easing: 'linear' }],
      stills: [still(0.5), still(1.75), still(3.25)],
      envelope: { durationSeconds: 4, min: [-0.5, -0.2], max: [0.5, 0.2], rms: [0.2, 0.1] },
    },
    ...{ outputAddress: 'edit.mp4', createdAt: '2026-11-27 10:00 UTC', version: '0.1.0' },
    warnings: [{ code: 'EDIT_SHORTER', message: 'The edit lasts 4 s instead of 6 s.' }],
  };
}
