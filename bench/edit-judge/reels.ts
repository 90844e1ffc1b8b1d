/** Reels with a known rhythm: shots of real clips whose lengths are beats of a song. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { ffmpeg } from '../edit-material/plant.ts';
import { Random } from '../generate/random.ts';

export interface MadeReel {
  readonly name: string;
  readonly song: string;
  readonly beatsPerMinute: number;
  /** Lengths of shots are drawn from these, in turn and at random. */
  readonly beats: readonly number[];
  readonly seed: number;
}

const SECONDS = 24;
const RATE = 30;

/** Makes the reel unless the folder has it. */
export function madeReel(reel: MadeReel, clips: readonly string[], folder: string): string {
  const path = join(folder, `reel-${reel.name}.mp4`);
  if (existsSync(path)) return path;
  const random = new Random(reel.seed);
  const shots: { readonly clip: number; readonly start: number; readonly frames: number }[] = [];
  let [beat, frame] = [0, 0];
  while (frame < SECONDS * RATE) {
    beat +=
      reel.beats[
        random.chance(0.7) ? shots.length % reel.beats.length : random.whole(0, reel.beats.length - 1)
      ]!;
    const end = Math.round((beat * 60 * RATE) / reel.beatsPerMinute);
    const clip = (shots.length + random.whole(0, 1)) % clips.length;
    shots.push({ clip, start: random.between(0, 1.5), frames: end - frame });
    frame = end;
  }
  const chains = shots.map(
    ({ clip, start, frames }, at) =>
      `[${clip}:v]fps=${RATE},trim=start=${start.toFixed(2)},setpts=PTS-STARTPTS,scale=640:360:force_original_aspect_ratio=increase,crop=640:360,setsar=1,tpad=stop_mode=clone:stop_duration=9,trim=end_frame=${frames},setpts=PTS-STARTPTS[s${at}]`,
  );
  const graph = `${chains.join(';')};${shots.map((_, at) => `[s${at}]`).join('')}concat=n=${shots.length}[v]`;
  ffmpeg([
    ...clips.flatMap((clip) => ['-i', clip]),
    ...['-i', reel.song, '-filter_complex', graph, '-map', '[v]', '-map', `${clips.length}:a`],
    ...['-t', `${frame / RATE}`, '-c:v', 'libx264', '-preset', 'veryfast', '-crf', '22', path],
  ]);
  return path;
}
