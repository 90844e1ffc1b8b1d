/** Texts of captions, banners and lower thirds. */
export const OVERLAY_TEXTS = [
  'the whole story',
  'WATCH THIS',
  'and then it happened',
  'Maria Keller - producer',
  'three days later',
  'wait for it',
  'SUBSCRIBE NOW',
  'Live from the harbour',
  'nobody told us about the rain',
  'Chapter two - the road north',
  'half price today',
  'no way',
  'NEW EPISODE',
  'how to fix a bicycle',
] as const;
