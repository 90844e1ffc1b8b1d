/** A photo as a take: the facts of a static shot of some seconds, and its slow move. */
import type { ClipFacts, SubjectTrack } from '../../analysis/facts.ts';
import { type FrameRate, framesPerSecond } from '../../domain/time.ts';
import type { Clip } from '../model/timeline.ts';

/** Facts of a photo that is shown for `seconds`. */
export function filmedPhoto(photo: ClipFacts, seconds: number, frameRate: FrameRate): ClipFacts {
  const { video, motion } = photo;
  const frameCount = Math.max(1, Math.round(seconds * framesPerSecond(frameRate)));
  const withDuration = <T extends { readonly startSeconds: number; readonly endSeconds: number }>(
    one: T,
  ): T => ({
    ...one,
    startSeconds: 0,
    endSeconds: seconds,
  });
  const shot = { startFrame: 0, endFrame: frameCount, startSeconds: 0, endSeconds: seconds };
  return {
    ...photo,
    video: {
      ...video,
      durationSeconds: seconds,
      frameCount,
      frameRate,
      shots: [shot],
      transitions: [],
      captions: {
        ...video.captions,
        spans: video.captions.spans.map(withDuration),
        ...(video.captions.lettering && { lettering: video.captions.lettering.map(withDuration) }),
      },
      faces: video.faces.map((face): SubjectTrack => withDuration(face)),
      salientTracks: video.salientTracks.map((track): SubjectTrack => withDuration(track)),
    },
    motion: { ...motion, subjects: motion.subjects.map((subject): SubjectTrack => withDuration(subject)) },
  };
}

/** Reverses the move of every second photo: equal directions look mechanical. */
export function alternatePhotoMove(clip: Clip, index: number): Clip {
  return index % 2 === 0 ? clip : { ...clip, from: clip.to, to: clip.from };
}
