import { MODULE_EXTENSION } from '../package/package-files.ts';

/** The page has the same files: a clone has them where they are written, a package where the page is built. */
const FOLDER = MODULE_EXTENSION === '.ts' ? '../../web/public/example' : '../../web/built/example';
const file = (name: string) => new URL(`${FOLDER}/${name}`, import.meta.url);

/**
 * Files to try StyleDNA with: a template with music, and takes for its rhythm and look. All are free of copyright (NOTICE.md);
 * `scripts/example-clips/draw.ts` makes the template.
 */
export const EXAMPLE = {
  template: file('template.mp4'),
  takes: ['flower.mp4', 'frog.mp4', 'pig.mp4', 'rabbit.mp4', 'bud.mp4'].map(file),
} as const;
