import { type FileHandle, open } from 'node:fs/promises';
import { Failure } from '../../domain/errors.ts';

/** Brands of files that store a picture as an item (ISO/IEC 23008-12, section 10; AVIF, section 6). */
const IMAGE_BRANDS = ['mif1', 'mif2', 'miaf', 'avif', 'heic', 'heix', 'heim', 'heis'];
/** Top-level boxes that are read; images have three or four. */
const MAX_BOXES = 64;
/** Bytes of a box that are read: enough for an index of a few thousand items. */
const MAX_BOX_BYTES = 1 << 20;
const HEADER_BYTES = 16;

interface TopBox {
  readonly type: string;
  readonly start: number;
  readonly bytes: number;
}

/**
 * Whether an ISO file is a still AVIF or HEIC: it has an item, and no `moov` with a sequence. Throws `Failure` INVALID_VIDEO for a
 * picture composed of tiles or layers, as phones store them, because FFmpeg decodes only the parts.
 */
export async function isHeifStill(file: FileHandle): Promise<boolean> {
  const boxes = await topBoxes(file);
  const [first] = boxes;
  if (first?.type !== 'ftyp' || boxes.some(({ type }) => type === 'moov')) return false;
  const meta = boxes.find(({ type }) => type === 'meta');
  if (meta === undefined) return false;
  const brands = (await bodyOf(file, first)).toString('latin1');
  if (!IMAGE_BRANDS.some((brand) => brands.includes(brand))) return false;
  const type = primaryItemType(await bodyOf(file, meta));
  if (type !== null && ['grid', 'iovl', 'iden'].includes(type))
    throw new Failure(
      'INVALID_VIDEO',
      `The image is composed of several pictures ("${type}"), which cannot be read; send it as JPEG, PNG, WebP, or AVIF of one picture`,
    );
  return true;
}

/** Types of auxiliary pictures with alpha (ISO/IEC 23000-22, section 7.3.5.2; ISO/IEC 23008-12, section 8.5.2). */
const ALPHA_TYPES = ['urn:mpeg:mpegB:cicp:systems:auxiliary:alpha\0', 'urn:mpeg:hevc:2015:auxid:1\0'];

/** Whether a still AVIF or HEIC has a picture with alpha beside the one with colors. */
export async function hasAlphaItem(path: string): Promise<boolean> {
  await using file = await open(path, 'r');
  const meta = (await topBoxes(file)).find(({ type }) => type === 'meta');
  if (meta === undefined) return false;
  const properties = await bodyOf(file, meta);
  return ALPHA_TYPES.some((type) => properties.includes(type, 0, 'latin1'));
}

async function topBoxes(file: FileHandle): Promise<TopBox[]> {
  const boxes: TopBox[] = [];
  for (let start = 0; boxes.length < MAX_BOXES; ) {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(HEADER_BYTES), 0, HEADER_BYTES, start);
    if (bytesRead < 8) break;
    const short = buffer.readUInt32BE(0);
    if (short === 1 && bytesRead < HEADER_BYTES) break;
    const size = short === 1 ? Number(buffer.readBigUInt64BE(8)) : short;
    const header = short === 1 ? HEADER_BYTES : 8;
    // 0: to the end of the file.
    const bytes = size === 0 ? Number.POSITIVE_INFINITY : size - header;
    boxes.push({ type: buffer.toString('latin1', 4, 8), start: start + header, bytes });
    if (bytes < 0 || bytes === Number.POSITIVE_INFINITY) break;
    start += size;
  }
  return boxes;
}

async function bodyOf(file: FileHandle, { start, bytes }: TopBox): Promise<Buffer> {
  const most = Math.max(0, Math.min(bytes, MAX_BOX_BYTES));
  const { buffer, bytesRead } = await file.read(Buffer.alloc(most), 0, most, start);
  return buffer.subarray(0, bytesRead);
}

/** Type of the primary item by the boxes `pitm` and `iinf` of `meta` (ISO/IEC 14496-12, section 8.11); null: not found. */
function primaryItemType(meta: Buffer): string | null {
  const inner = innerBoxes(meta.subarray(4));
  const [primary, list] = [inner.get('pitm')?.[0], inner.get('iinf')?.[0]];
  if (primary === undefined || list === undefined || primary.length < 6 || list.length < 8) return null;
  const id = primary[0] === 0 ? primary.readUInt16BE(4) : primary.length < 8 ? -1 : primary.readUInt32BE(4);
  const entries = innerBoxes(list.subarray(list[0] === 0 ? 6 : 8)).get('infe') ?? [];
  for (const entry of entries) {
    const isLong = entry[0] === 3;
    if (entry.length < (isLong ? 14 : 12) || entry[0] < 2) continue;
    const own = isLong ? entry.readUInt32BE(4) : entry.readUInt16BE(4);
    if (own === id) return entry.toString('latin1', isLong ? 10 : 8, isLong ? 14 : 12);
  }
  return null;
}

/** Bodies of the boxes in a buffer, by type. */
function innerBoxes(data: Buffer): Map<string, Buffer[]> {
  const boxes = new Map<string, Buffer[]>();
  for (let at = 0; at + 8 <= data.length; ) {
    const size = data.readUInt32BE(at);
    if (size < 8) break;
    const type = data.toString('latin1', at + 4, at + 8);
    boxes.set(type, [...(boxes.get(type) ?? []), data.subarray(at + 8, at + size)]);
    at += size;
  }
  return boxes;
}
