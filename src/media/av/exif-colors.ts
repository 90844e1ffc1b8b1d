/** The color space that a camera notes in Exif data (CIPA DC-008) where it stores no profile. */

const TAGS = { exif: 0x8769, interoperability: 0xa005, colorSpace: 0xa001, index: 0x0001 } as const;
const UNCALIBRATED = 0xffff;
/** Name of the option file for Adobe RGB (CIPA DC-009, section 4.6.2.2). */
const ADOBE_RGB = 'R03';
const ENTRY_BYTES = 12;

/** Whether a picture is Adobe RGB. `exif` begins with the header of TIFF; damaged data are none. */
export function isAdobeRgb(exif: Buffer): boolean {
  const order = exif.toString('latin1', 0, 2);
  if (exif.length < 8 || (order !== 'II' && order !== 'MM')) return false;
  const tiff = new TiffFields(exif, order === 'II');
  const main = tiff.fieldsAt(tiff.number(4, 4));
  const camera = tiff.fieldsAt(main.get(TAGS.exif)?.number);
  if (camera.get(TAGS.colorSpace)?.short !== UNCALIBRATED) return false;
  return tiff.fieldsAt(camera.get(TAGS.interoperability)?.number).get(TAGS.index)?.text === ADOBE_RGB;
}

/** The value of a field, or its offset, read in three ways. */
interface Field {
  readonly number: number;
  readonly short: number;
  /** Of three characters: longer ones lie elsewhere. */
  readonly text: string;
}

class TiffFields {
  readonly #data: Buffer;
  readonly #isLittle: boolean;

  constructor(data: Buffer, isLittle: boolean) {
    this.#data = data;
    this.#isLittle = isLittle;
  }

  number(at: number, bytes: 2 | 4): number {
    if (at + bytes > this.#data.length) return 0;
    return this.#isLittle ? this.#data.readUIntLE(at, bytes) : this.#data.readUIntBE(at, bytes);
  }

  /** The fields of a directory, by their tags; none beyond the end of the data. */
  fieldsAt(start: number | undefined): Map<number, Field> {
    const fields = new Map<number, Field>();
    if (start === undefined) return fields;
    const count = this.number(start, 2);
    for (let index = 0; index < count; index++) {
      const at = start + 2 + ENTRY_BYTES * index;
      if (at + ENTRY_BYTES > this.#data.length) break;
      fields.set(this.number(at, 2), {
        number: this.number(at + 8, 4),
        short: this.number(at + 8, 2),
        text: this.#data.toString('latin1', at + 8, at + 11),
      });
    }
    return fields;
  }
}
