/** A photo as a take: the facts of a static shot of some seconds, and its slow move. */
import type { ClipFacts, SubjectTrack } from '../../analysis/facts.ts';
import { type FrameRate, framesPerSecond } from '../../domain/time.ts';
import type { Clip } from '../model/timeline.ts';

/** Facts of a photo that is shown for `seconds`. */
export function filmedPhoto(photo: ClipFacts, seconds: number, frameRate: FrameRate): ClipFacts {
  const { video, motion } = photo;
  const frameCount = Math.max(1, Math.round(seconds * framesPerSecond(frameRate)));
  const lasting = <T extends { readonly startSeconds: number; readonly endSeconds: number }>(one: T): T => ({
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
      captions: { ...video.captions, spans: video.captions.spans.map(lasting) },
      faces: video.faces.map((face): SubjectTrack => lasting(face)),
      salientTracks: video.salientTracks.map((track): SubjectTrack => lasting(track)),
    },
    motion: { ...motion, subjects: motion.subjects.map((subject): SubjectTrack => lasting(subject)) },
  };
}

/** Reverses the move of every second photo: equal directions look mechanical. */
export function movedPhoto(clip: Clip, number: number): Clip {
  return number % 2 === 0 ? clip : { ...clip, from: clip.to, to: clip.from };
}
