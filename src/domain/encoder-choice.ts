/** Encoders of graphics chips, by the names that their makers gave them. */
const HARDWARE_ENCODERS = ['nvenc', 'qsv', 'vaapi', 'videotoolbox'] as const;
export type HardwareEncoder = (typeof HARDWARE_ENCODERS)[number];

/** `software`: x264. `auto`: the first of this system's hardware encoders that passes a trial, else x264. */
export const ENCODER_CHOICES = ['software', 'auto', ...HARDWARE_ENCODERS] as const;
export type EncoderChoice = (typeof ENCODER_CHOICES)[number];

/** The encoders to try, in order; none for `software`. */
export function encodersToTry(
  choice: EncoderChoice,
  platform: string = process.platform,
): readonly HardwareEncoder[] {
  if (choice === 'software') return [];
  if (choice !== 'auto') return [choice];
  if (platform === 'darwin') return ['videotoolbox'];
  return platform === 'linux' ? ['nvenc', 'qsv', 'vaapi'] : ['nvenc', 'qsv'];
}
