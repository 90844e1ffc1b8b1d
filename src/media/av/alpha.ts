/** Pixels with alpha, which lie on black. */
import { AV_CODEC_ID_RAWVIDEO, type AVPixelFormat } from 'node-av/constants';
import { avGetPixFmtName, type Frame, type Stream } from 'node-av/lib';

const ALPHA_FORMATS = /^(yuva|ya\d|gbrap|pal8)|rgba|bgra|argb|abgr|ayuv|vuya/;

/**
 * False if the fourth component of pixels has no meaning: uncompressed pictures of AVI (tag 0, BI_RGB) leave it 0.
 */
export function usesAlpha({ codecpar }: Stream): boolean {
  return codecpar.codecId !== AV_CODEC_ID_RAWVIDEO || Number(codecpar.codecTag) !== 0;
}

export function hasAlpha(frame: Frame): boolean {
  return ALPHA_FORMATS.test(formatName(frame));
}

/**
 * Filters that multiply the colors by alpha and drop it. The color of a transparent pixel is arbitrary: decoders of GIF leave it white.
 */
export function onBlackFilters(frame: Frame): string {
  const name = formatName(frame);
  const planar = planarFormat(name);
  return `format=${planar},premultiply=inplace=1,format=${planar.replace(/^(yuv|gbr)a/, '$1')}`;
}

/** `premultiply` accepts planar formats only. */
function planarFormat(name: string): string {
  if (name.startsWith('yuva')) return name;
  if (/ayuv|vuya/.test(name)) return 'yuva444p';
  return /64|128|16|32|gbrap1/.test(name) ? 'gbrap16' : 'gbrap';
}

function formatName({ format }: Frame): string {
  return avGetPixFmtName(format as AVPixelFormat) ?? '';
}
