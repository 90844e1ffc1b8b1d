/**
 * Renders songs with a known tempo for `fit-tempo-confidence.ts`, from MIDI files and from archives of games that hold them:
 * `node bench/tempo-songs.ts --to FOLDER --family NAME FILE…`. Writes the first minute of each, and a list of them, `NAME.json`.
 */
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { parseArgs } from 'node:util';
import { SOUND_RATE } from './generate/instruments.ts';
import { writeWave } from './generate/wave-file.ts';
import { HEARD_SECONDS, type MidiSong, midiSongsIn } from './lib/midi-file.ts';

const SOUND_FONT = '/usr/share/sounds/sf2/FluidR3_GM.sf2';
/** Others are played freely, change their tempo, or are too short. */
const MIN_PLACED_SHARE = 0.7;
const MIN_STEADY_SHARE = 0.9;
const MIN_SECONDS = 20;
/** Two channels of 16 bits. */
const FRAME_BYTES = 4;

interface ListedSong {
  readonly file: string;
  readonly bpm: number;
  /** The source of the songs, such as a game. */
  readonly family: string;
}

function isUsable({ placedShare, steadyShare, seconds }: MidiSong): boolean {
  return placedShare >= MIN_PLACED_SHARE && steadyShare >= MIN_STEADY_SHARE && seconds >= MIN_SECONDS;
}

/** Renders the first minute: left and right, mixed. */
function render({ bytes }: MidiSong, path: string, soundFont: string): void {
  const midi = `${path}.mid`;
  writeFileSync(midi, bytes);
  // Half the usual gain: dense songs would clip.
  const format = ['-r', String(SOUND_RATE), '-g', '0.5', '-T', 'raw', '-O', 's16'];
  const { stdout } = spawnSync('fluidsynth', ['-ni', '-q', ...format, '-F', '-', soundFont, midi], {
    // At this size the process is ended.
    maxBuffer: HEARD_SECONDS * SOUND_RATE * FRAME_BYTES,
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  rmSync(midi);
  if (stdout.length === 0) throw new Error('fluidsynth returned no sound');
  const samples = new Float32Array(Math.floor(stdout.length / FRAME_BYTES));
  for (let n = 0; n < samples.length; n++)
    samples[n] = (stdout.readInt16LE(4 * n) + stdout.readInt16LE(4 * n + 2)) / 2 / 32768;
  writeWave(path, [samples], SOUND_RATE);
}

if (import.meta.main) {
  const { values, positionals } = parseArgs({
    options: {
      to: { type: 'string' },
      family: { type: 'string' },
      'sound-font': { type: 'string', default: SOUND_FONT },
    },
    allowPositionals: true,
  });
  const { to, family } = values;
  if (to === undefined) throw new Error('Name the folder for the songs: --to FOLDER');
  if (family === undefined) throw new Error('Name the source of the songs: --family NAME');
  mkdirSync(to, { recursive: true });
  const songs: ListedSong[] = [];
  const known = new Set<string>();
  for (const source of positionals.toSorted()) {
    for (const song of midiSongsIn(readFileSync(source)).filter(isUsable)) {
      const hash = createHash('sha256').update(song.bytes).digest('hex');
      if (known.has(hash)) continue;
      known.add(hash);
      const file = `${basename(source).replace(/\.[^.]*$/, '')}-${hash.slice(0, 8)}.wav`;
      const path = join(to, file);
      if (!existsSync(path)) render(song, path, values['sound-font']);
      songs.push({ file, bpm: Number(song.bpm.toFixed(3)), family });
    }
  }
  writeFileSync(join(to, `${family}.json`), `${JSON.stringify(songs, null, 1)}\n`);
  console.log(`${family}.json: ${songs.length} songs`);
}
