/** Size of the length before each unit in MP4 (ISO/IEC 14496-15, `lengthSizeMinusOne` 3, as FFmpeg's muxer writes). */
const LENGTH_BYTES = 4;

/**
 * Converts H.264 units with start codes (ISO/IEC 14496-10, annex B) to MP4's format, a length before each
 * unit. The result equals that of FFmpeg's muxer, so packets can be compared with the file's bytes.
 */
export function lengthPrefixed(data: Uint8Array): Buffer {
  const starts: { readonly code: number; readonly unit: number }[] = [];
  for (let at = 0; at + 2 < data.length; at++) {
    if (data[at] !== 0 || data[at + 1] !== 0 || data[at + 2] !== 1) continue;
    // A zero before it belongs to the start code.
    starts.push({ code: at > 0 && data[at - 1] === 0 ? at - 1 : at, unit: at + 3 });
    at += 2;
  }
  const units = starts.map(({ unit }, index) => data.subarray(unit, starts[index + 1]?.code ?? data.length));
  return Buffer.concat(
    units.flatMap((unit) => {
      const length = Buffer.alloc(LENGTH_BYTES);
      length.writeUInt32BE(unit.length);
      return [length, unit];
    }),
  );
}
