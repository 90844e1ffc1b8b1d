import type { View } from '../../player/stage.ts';

/** Views of before and after, in the order of their keys. */
export const VIEWS: readonly { readonly value: View; readonly text: string }[] = [
  { value: 'slider', text: 'Slider' },
  { value: 'beside', text: 'Side by side' },
  { value: 'before', text: 'Before' },
  { value: 'after', text: 'After' },
];
