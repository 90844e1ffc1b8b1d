import type { Warning } from '../../domain/stage.ts';
import { hasAlphaItem } from '../av/heif-image.ts';
import type { Input } from '../av/input.ts';

/** Warns about alpha that FFmpeg's decoders do not return, because it is stored apart from the colors. */
export async function unreadAlphaWarnings(
  path: string,
  { video, isStill, formatName }: Input,
): Promise<Warning[]> {
  const isMov = formatName.split(',').includes('mov');
  const hasAlpha = isStill
    ? isMov && (await hasAlphaItem(path))
    : // WebM's `AlphaMode` (RFC 9559, section 5.1.4.1.28.4).
      video?.metadata?.get('alpha_mode') === '1';
  if (!hasAlpha) return [];
  const better = isStill ? 'PNG or WebP' : 'MOV with ProRes 4444, or with black behind it';
  return [
    {
      code: 'ALPHA_IGNORED',
      message: `The transparency is not read: transparent parts have the colors that lie under it. Send the ${isStill ? 'picture' : 'video'} as ${better}.`,
    },
  ];
}
