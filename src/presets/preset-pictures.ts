import type { Preset } from './presets.ts';

/** The same scene as in the presets' pictures, as it is. */
export const PLAIN_PICTURE = new URL('pictures/plain.jpg', import.meta.url);

/** The file of a preset's picture, which `scripts/preset-pictures` draws. */
export function pictureOf(preset: Preset): URL {
  return new URL(`pictures/${preset.id}.jpg`, import.meta.url);
}
