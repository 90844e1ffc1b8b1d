import type { Quality } from '../../../src/domain/job-choices.ts';

/** Names of the qualities on the page. */
export const QUALITY_NAMES: Readonly<Record<Quality, string>> = {
  low: 'Draft',
  medium: 'Good',
  high: 'High',
  ultra: 'Best',
};
