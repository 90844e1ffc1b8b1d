import type { Style } from './schema.ts';

/** Captions of a style that shows them without describing them, or has none. */
export const PLAIN_CAPTIONS: NonNullable<Style['subtitle_style']> = {
  position: 'bottom',
  line_height: 0.045,
  color: '#ffffff',
  outlined: true,
};
