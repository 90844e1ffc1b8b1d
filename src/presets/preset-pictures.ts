import type { Preset } from './presets.ts';

/** The scene of the presets' pictures without a grade. */
export const PLAIN_PICTURE = new URL('pictures/plain.jpg', import.meta.url);

/** The file of a preset's picture, made by `scripts/preset-pictures`. */
export function pictureOf(preset: Preset): URL {
  return new URL(`pictures/${preset.id}.jpg`, import.meta.url);
}
