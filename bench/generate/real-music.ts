/** Real songs of known tempo, at another speed and from another place. */
import { finishTrack } from './band.ts';
import { atSpeed, mixIn, readSound } from './found-sound.ts';
import { SOUND_RATE } from './instruments.ts';
import { beatTruth, layBeats, steady } from './metre.ts';
import type { Random } from './random.ts';
import { type Made, rumble } from './sound-scenes.ts';

/** Music of `media/music` at another speed and from another place. */
export async function realMusic(random: Random, addition: 'none' | 'noise'): Promise<Made> {
  const song = random.pick([
    { name: 'music/chaos_god_170bpm_60s.ogg', bpm: 170, offset: 0, length: 60, genre: 'rock' },
    { name: 'music/feelings_95bpm_60s.ogg', bpm: 95, offset: 0.03, length: 60 },
    {
      name: 'music/metal_madness_150bpm.ogg',
      bpm: 150,
      offset: 0.04,
      length: 143,
      free: true,
      genre: 'rock',
    },
    { name: 'music/loop_amen_full_x4_140bpm.flac', bpm: 140, offset: 0, length: 27.4 },
    { name: 'music/loop_breakbeat_x10_126bpm.flac', bpm: 126, offset: 0, length: 19 },
    { name: 'music/loop_compus_x4_148bpm.flac', bpm: 148, offset: 0, length: 25.9 },
    { name: 'music/loop_garzul_x3_120bpm.flac', bpm: 120, offset: 0, length: 24 },
    { name: 'music/808kick_120bpm.mp3', bpm: 120, offset: 0, length: 10 },
  ]);
  const speed = random.between(0.82, 1.22);
  const from = random.between(0, Math.max(0, song.length - 22 * speed));
  const samples = atSpeed(await readSound(song.name), speed, from, 22);
  const seconds = samples.length / SOUND_RATE;
  const step = 60 / song.bpm;
  const first = (Math.ceil((from - song.offset) / step - 1e-6) * step + song.offset - from) / speed;
  const metre = layBeats(steady(song.bpm * speed), { from: first, to: seconds });
  if (addition === 'noise') mixIn(samples, rumble(random, seconds), random.between(-20, -6));
  const more = { tempo_steady: true, ...(song.genre === undefined ? {} : { genre: song.genre }) };
  const truth = { ...beatTruth(metre, seconds, more), beat_phase_free: song.free === true };
  return { samples: finishTrack(samples, random.between(0.3, 0.98), random), truth };
}
