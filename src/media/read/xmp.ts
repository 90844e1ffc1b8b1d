import { openHeader } from '../av/open-context.ts';

/** Those of the cameras and programs that write XMP are below 100 KB; an embedded preview makes them larger. */
const MAX_PACKET_CHARACTERS = 1_000_000;
/** Of XML; XMP in UTF-8 needs no others. */
const ENTITIES: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" };

/** XMP packet of a QuickTime or MP4 file; null if it has none, and for other containers. */
export async function readXmp(path: string): Promise<string | null> {
  const context = await openHeader(path, 'mov', undefined, { export_xmp: '1' }).catch(() => null);
  if (context === null) return null;
  try {
    return context.metadata?.get('xmp')?.slice(0, MAX_PACKET_CHARACTERS) ?? null;
  } finally {
    context.closeInputSync();
  }
}

/** What a packet says about the recording, by the Dynamic Media schema. */
export interface XmpMarks {
  readonly timecode: string | undefined;
  readonly tapeName: string | undefined;
}

export function xmpMarks(packet: string): XmpMarks {
  // The schema has other timecodes, such as one that an editor set; each has its value as `timeValue`.
  const at = packet.search(/\bxmpDM:startTimecode\b/);
  return {
    timecode: at < 0 ? undefined : property(packet.slice(at), 'timeValue'),
    tapeName: property(packet, 'tapeName'),
  };
}

/** The first text of a property: an attribute or an element, as RDF allows both. All known writers use the schema's usual prefix. */
function property(packet: string, name: string): string | undefined {
  const pattern = new RegExp(
    `\\sxmpDM:${name}\\s*=\\s*(?:"([^"<]*)"|'([^'<]*)')|<xmpDM:${name}>([^<]*)</xmpDM:${name}>`,
  );
  const [, double, single, element] = pattern.exec(packet) ?? [];
  return (double ?? single ?? element)?.replace(
    /&(amp|lt|gt|quot|apos);/g,
    (_, entity: string) => ENTITIES[entity]!,
  );
}
