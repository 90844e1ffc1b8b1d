/** ISO/IEC 14496-12 boxes, as far as the tests read them. */
export interface Box {
  readonly type: string;
  /** After the header. */
  readonly body: Buffer;
}

export function boxesIn(data: Buffer): Box[] {
  const boxes: Box[] = [];
  for (let at = 0; at + 8 <= data.length; ) {
    const short = data.readUInt32BE(at);
    const header = short === 1 ? 16 : 8;
    const size = short === 1 ? Number(data.readBigUInt64BE(at + 8)) : short === 0 ? data.length - at : short;
    boxes.push({
      type: data.toString('latin1', at + 4, at + 8),
      body: data.subarray(at + header, at + size),
    });
    at += size;
  }
  return boxes;
}

/** All boxes at the end of a path such as `moov/trak/mdia`. */
export function boxesAt(data: Buffer, path: string): Box[] {
  const [first, ...rest] = path.split('/');
  const found = boxesIn(data).filter(({ type }) => type === first);
  return rest.length === 0 ? found : found.flatMap(({ body }) => boxesAt(body, rest.join('/')));
}

/** The one box there; throws when there is none or there are several. */
export function boxAt(data: Buffer, path: string): Buffer {
  const found = boxesAt(data, path);
  if (found.length !== 1) throw new Error(`${found.length} boxes at ${path}`);
  return found[0].body;
}
