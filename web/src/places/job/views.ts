/** Views of before and after, in the order of their keys. */
export const VIEWS = [
  { value: 'slider', text: 'Slider' },
  { value: 'beside', text: 'Side by side' },
  { value: 'before', text: 'Before' },
  { value: 'after', text: 'After' },
] as const;

export type View = (typeof VIEWS)[number]['value'];
