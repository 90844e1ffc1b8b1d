/** Beats by aubio's command line (Debian's `aubio-tools`), where it is installed. */
import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { writeWave } from '../generate/wave-file.ts';
import { readMono } from '../lib/mono-audio.ts';

const run = promisify(execFile);
const SAMPLE_RATE = 44_100;

export interface AubioBeats {
  readonly beatsSeconds: readonly number[];
  /** From the median of its intervals; null: fewer than three beats. */
  readonly bpm: number | null;
}

/** Null if aubio is not installed. Its input is our decoded sound, in mono. */
export async function aubioBeats(path: string): Promise<AubioBeats | null> {
  const folder = mkdtempSync(join(tmpdir(), 'aubio-'));
  try {
    const wave = join(folder, 'sound.wav');
    writeWave(wave, [await readMono(path, SAMPLE_RATE)], SAMPLE_RATE);
    const { stdout } = await run('aubiotrack', ['-i', wave], { maxBuffer: 2 ** 24 });
    const beatsSeconds = stdout.split('\n').map(Number.parseFloat).filter(Number.isFinite);
    const steps = beatsSeconds
      .slice(1)
      .map((time, i) => time - beatsSeconds[i])
      .sort((a, b) => a - b);
    return { beatsSeconds, bpm: steps.length < 2 ? null : 60 / steps[Math.floor(steps.length / 2)] };
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw error;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
