import { avGetCodecName, type CodecParameters } from 'node-av/lib';

/** FFmpeg's name for the codec, or the container's tag for one that FFmpeg does not know. */
export function codecNameOf({
  codecId,
  codecTagString,
}: Pick<CodecParameters, 'codecId' | 'codecTagString'>): string {
  const name = avGetCodecName(codecId) ?? 'none';
  if (name !== 'none') return name;
  // FFmpeg writes bytes that are no letters as numbers in brackets.
  const tag = codecTagString ?? '';
  return tag === '' || tag.includes('[') ? 'unknown' : `unknown, tag ${JSON.stringify(tag)}`;
}
