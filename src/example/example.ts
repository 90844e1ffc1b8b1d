const clip = (name: string) => new URL(`clips/${name}`, import.meta.url);

/**
 * Files to try StyleDNA with: a template with music, and takes for its rhythm and look. All are free of copyright (NOTICE.md);
 * `scripts/example-clips/draw.ts` makes the template.
 */
export const EXAMPLE = {
  template: clip('template.mp4'),
  takes: ['flower.mp4', 'crystal.webm', 'frog.webm', 'pig.webm', 'rabbit.webm'].map(clip),
} as const;
