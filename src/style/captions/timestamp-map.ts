/** `X-TIMESTAMP-MAP` of WebVTT segments (RFC 8216, section 3.5): which time of the MPEG clock a time of the cues is. */

const MAP = /^X-TIMESTAMP-MAP=(.*)$/;
const MPEG_TICKS = /(?:^|,)\s*MPEGTS:(\d{1,20})\s*(?:,|$)/;
const LOCAL = /(?:^|,)\s*LOCAL:(?:(\d{1,6}):)?(\d{1,2}):(\d{1,2})\.(\d{3})\s*(?:,|$)/;
const TICKS_PER_SECOND = 90_000;
/** The clock has 33 bits (ISO/IEC 13818-1, section 2.4.3.7). */
const WRAP_SECONDS = 2 ** 33 / TICKS_PER_SECOND;

/** Valid for the cues of the lines after it. */
export interface TimestampMap {
  readonly line: number;
  /** Time of the MPEG clock at time 0 of the cues. */
  readonly mpegSeconds: number;
}

/** The maps of a file, which may be segments joined one after the other. Others than the specified form are ignored. */
export function timestampMaps(lines: readonly string[]): TimestampMap[] {
  return lines.flatMap((text, line) => {
    const map = text.startsWith('X-') ? MAP.exec(text) : null;
    const [ticks, local] = map === null ? [null, null] : [MPEG_TICKS.exec(map[1]), LOCAL.exec(map[1])];
    if (ticks === null || local === null) return [];
    const [hours = 0, minutes, seconds, millis] = local.slice(1).map((part) => Number(part ?? 0));
    const localSeconds = 3600 * hours + 60 * minutes + seconds + millis / 1000;
    return [{ line, mpegSeconds: Number(ticks[1]) / TICKS_PER_SECOND - localSeconds }];
  });
}

/** Seconds from one time of the MPEG clock to another, by the shorter way around its end. */
export function mpegDifference(fromSeconds: number, toSeconds: number): number {
  const difference = toSeconds - fromSeconds;
  return difference - WRAP_SECONDS * Math.round(difference / WRAP_SECONDS);
}
