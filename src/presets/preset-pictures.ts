import type { Preset } from './presets.ts';

/** The scene of the presets' pictures, as it was filmed. */
export const PLAIN_PICTURE = new URL('pictures/plain.jpg', import.meta.url);

/** A picture in the look of a preset: the first frame of its clip. `scripts/preset-pictures` makes both. */
export function pictureOf(preset: Preset): URL {
  return new URL(`pictures/${preset.id}.jpg`, import.meta.url);
}

/** The file of a silent clip of a few seconds in the look of a preset, to be played in a loop. */
export function clipOf(preset: Preset): URL {
  return new URL(`pictures/${preset.id}.mp4`, import.meta.url);
}
