import { Dictionary, FormatContext, InputFormat } from 'node-av/lib';
import { Failure } from '../../domain/errors.ts';
import './quiet.ts';

/**
 * Opens a file for demuxing with the allowed demuxers. `demuxer`: left out: detected by the file's content. Throws `Failure`
 * INPUT_UNSUPPORTED, INPUT_CORRUPT.
 */
export async function openContext(path: string, demuxers: string, demuxer?: string): Promise<FormatContext> {
  const context = await openHeader(path, demuxers, demuxer);
  if ((await context.findStreamInfo()) < 0) {
    context.closeInputSync();
    throw new Failure('INPUT_CORRUPT', 'The streams of the file cannot be read; it is damaged or cut off');
  }
  return context;
}

/**
 * Like `openContext`, but reads the header only. In MPEG, streams appear with their first packets. `demuxerOptions`: those of FFmpeg's
 * demuxer.
 */
export async function openHeader(
  path: string,
  demuxers: string,
  demuxer?: string,
  demuxerOptions: Readonly<Record<string, string>> = {},
): Promise<FormatContext> {
  const context = new FormatContext();
  const options = Dictionary.fromObject({
    protocol_whitelist: 'file',
    format_whitelist: demuxers,
    max_streams: '64',
    // Of animated PNG: a picture without a delay gets 1 ms in place of 67; see `AnimationStamps`.
    default_fps: '1000',
    ...demuxerOptions,
  });
  // With an explicit protocol, FFmpeg does not interpret names such as `concat:…`.
  const format = demuxer === undefined ? null : InputFormat.findInputFormat(demuxer);
  const opened = await context.openInput(`file:${path}`, format, options);
  options.free();
  if (opened < 0) {
    throw new Failure(
      'INPUT_UNSUPPORTED',
      'The file is not a video container that can be read; send MP4, MOV, MKV, WebM, AVI, MPEG-TS, MPEG-PS, FLV, Ogg or ASF, or as a photo or template JPEG, PNG, WebP, GIF or AVIF',
    );
  }
  return context;
}
