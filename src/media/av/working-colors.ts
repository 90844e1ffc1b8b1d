import {
  AV_FRAME_DATA_EXIF,
  AV_FRAME_DATA_ICC_PROFILE,
  AV_PKT_DATA_ICC_PROFILE,
  AVCOL_PRI_BT709,
  AVCOL_PRI_BT2020,
  AVCOL_PRI_SMPTE431,
  AVCOL_PRI_SMPTE432,
  AVCOL_PRI_UNSPECIFIED,
  AVCOL_RANGE_JPEG,
  AVCOL_SPC_BT470BG,
  AVCOL_SPC_BT709,
  AVCOL_SPC_BT2020_NCL,
  AVCOL_SPC_FCC,
  AVCOL_SPC_RGB,
  AVCOL_SPC_SMPTE170M,
  AVCOL_SPC_SMPTE240M,
  AVCOL_TRC_GAMMA28,
  AVCOL_TRC_IEC61966_2_1,
  AVCOL_TRC_LINEAR,
  type AVPixelFormat,
} from 'node-av/constants';
import { avGetPixFmtName, type Frame, type Stream } from 'node-av/lib';
import { Failure } from '../../domain/errors.ts';
import { srgbToLinear } from '../../signal/color-space.ts';
import { ADOBE_RGB, BT2020, DCI_P3, DISPLAY_P3, SRGB, toSrgb } from '../../signal/rgb-primaries.ts';
import { hasAlpha, onBlackFilters, usesAlpha } from './alpha.ts';
import { isAdobeRgb } from './exif-colors.ts';
import { LinearGraph } from './graph.ts';
import { type IccProfile, type RgbColors, readIccProfile, type ToneCurve } from './icc-profile.ts';
import { isFullRange, isRgbFormat, SCALE_FLAGS } from './output-colors.ts';
import { RgbConversion } from './rgb-conversion.ts';
import { colorMatrix, isHdrTransfer } from './upright.ts';

/** Primaries beyond BT.709 (ITU-T H.273, table 2), with their names in FFmpeg's filter `zscale`. */
const WIDE = new Map([
  [AVCOL_PRI_BT2020, { name: '2020', primaries: BT2020 }],
  [AVCOL_PRI_SMPTE431, { name: 'smpte431', primaries: DCI_P3 }],
  [AVCOL_PRI_SMPTE432, { name: 'smpte432', primaries: DISPLAY_P3 }],
]);
/** Names of matrices (ITU-T H.273, table 4) in the same filter. */
const MATRICES = new Map([
  [AVCOL_SPC_BT709, '709'],
  [AVCOL_SPC_FCC, 'fcc'],
  [AVCOL_SPC_BT470BG, '470bg'],
  [AVCOL_SPC_SMPTE170M, '170m'],
  [AVCOL_SPC_SMPTE240M, '240m'],
  [AVCOL_SPC_BT2020_NCL, '2020_ncl'],
]);
/**
 * Curves of RGB that differ from the usual ones (ITU-T H.273, table 3). All others count as sRGB's: screens show them alike, and PNG
 * stores 1 / 2.2 for it.
 */
const CURVES: ReadonlyMap<number, ToneCurve> = new Map([
  [AVCOL_TRC_LINEAR, (level: number) => level],
  [AVCOL_TRC_GAMMA28, (level: number) => level ** 2.8],
]);
/** Adobe RGB (1998), section 4.3.4.2. */
const adobeCurve: ToneCurve = (level) => level ** (2 + 51 / 256);
const RGB_FLAGS = `${SCALE_FLAGS}+full_chroma_int+full_chroma_inp`;

/**
 * Converts decoded SDR frames of other color spaces to the primaries of BT.709 and the curve of sRGB, by their ICC profile, by their Exif
 * data, or by the codes of ITU-T H.273. HDR frames, which are tone mapped later, keep their colors. Pixels with alpha lie on black. Must be disposed.
 */
export class WorkingColors implements Disposable {
  /** A profile that cannot be applied; null: none until now. */
  unusedProfile: IccProfile | null = null;
  readonly #stream: Stream;
  readonly #isStill: boolean;
  readonly #canHaveProfile: boolean;
  readonly #toRgb: LinearGraph;
  readonly #toBt709: LinearGraph;
  /** Null: the stream has no alpha. */
  readonly #onBlack: LinearGraph | null;
  /** By profile, or by the codes of primaries and curve. Null: no conversion is needed. */
  readonly #conversions = new Map<string, RgbConversion | null>();

  constructor(stream: Stream, isStill: boolean) {
    this.#stream = stream;
    this.#isStill = isStill;
    this.#canHaveProfile = isStill || stream.codecpar.getCodedSideData(AV_PKT_DATA_ICC_PROFILE) !== null;
    this.#toRgb = new LinearGraph('video', stream.timeBase, rgbFilters);
    this.#toBt709 = new LinearGraph('video', stream.timeBase, (frame) =>
      gamutFilter(frame, this.#wide(frame)!),
    );
    this.#onBlack = usesAlpha(stream) ? new LinearGraph('video', stream.timeBase, onBlackFilters) : null;
  }

  /** Replaces the frame's picture if its colors are others, or if it has alpha. */
  convert(frame: Frame): void {
    this.#convertColors(frame);
    if (this.#onBlack !== null && hasAlpha(frame)) this.#onBlack.push(frame, replace(frame));
  }

  #convertColors(frame: Frame): void {
    if (isHdrTransfer(frame.colorTrc)) return;
    const profile = this.#canHaveProfile ? frame.getSideData(AV_FRAME_DATA_ICC_PROFILE) : null;
    if (profile !== null) this.#convertRgb(frame, this.#ofProfile(profile, frame));
    else if (this.#isStill && isMarkedAdobeRgb(frame)) this.#convertRgb(frame, this.#ofAdobeRgb());
    else if (isRgbFormat(frame)) this.#convertRgb(frame, this.#ofCodes(frame));
    else if (this.#wide(frame) === null) return;
    // The filter rejects odd sides and drops alpha; of stills the exact conversion costs little.
    else if (this.#isStill || hasAlpha(frame) || frame.width % 2 !== 0 || frame.height % 2 !== 0)
      this.#convertRgb(frame, this.#ofCodes(frame));
    else this.#toBt709.push(frame, replace(frame));
  }

  /** Codes of the frame, else of the container, which AV1 does not pass on. */
  #wide(frame: Frame) {
    const { colorPrimaries } = frame;
    const { codecpar } = this.#stream;
    return (
      WIDE.get(colorPrimaries === AVCOL_PRI_UNSPECIFIED ? codecpar.colorPrimaries : colorPrimaries) ?? null
    );
  }

  #ofProfile(data: Buffer, frame: Frame): RgbConversion | null {
    return this.#conversion(data.toString('latin1'), () => {
      const profile = readIccProfile(data);
      const space = isGrey(frame) ? 'GRAY' : 'RGB ';
      if (profile === null || (profile.colors !== null && profile.space === space))
        return profile?.colors ?? null;
      this.unusedProfile = profile;
      return null;
    });
  }

  #ofAdobeRgb(): RgbConversion | null {
    return this.#conversion('Adobe RGB', () => ({
      curves: [adobeCurve, adobeCurve, adobeCurve],
      toSrgb: toSrgb(ADOBE_RGB),
    }));
  }

  #ofCodes(frame: Frame): RgbConversion | null {
    const { primaries } = this.#wide(frame) ?? { primaries: SRGB };
    const curve = CURVES.get(frame.colorTrc) ?? srgbToLinear;
    return this.#conversion(`${frame.colorPrimaries}/${frame.colorTrc}`, () => ({
      curves: [curve, curve, curve],
      toSrgb: toSrgb(primaries),
    }));
  }

  #conversion(key: string, colors: () => RgbColors | null): RgbConversion | null {
    const known = this.#conversions.get(key);
    if (known !== undefined) return known;
    const found = colors();
    const conversion = found === null ? null : new RgbConversion(found);
    const needed = conversion?.isIdentity === false ? conversion : null;
    this.#conversions.set(key, needed);
    return needed;
  }

  #convertRgb(frame: Frame, conversion: RgbConversion | null): void {
    if (conversion === null) return;
    this.#toRgb.push(frame, (rgb) => {
      if (rgb.makeWritable() < 0)
        throw new Failure('OUT_OF_MEMORY', 'There is not enough memory for a picture');
      const { width, height } = rgb;
      const [data, stride] = [rgb.data![0]!, rgb.linesize[0]!];
      conversion.apply({ data, width, height, stride, channels: hasAlpha(frame) ? 4 : 3 });
      rgb.colorSpace = AVCOL_SPC_RGB;
      rgb.colorRange = AVCOL_RANGE_JPEG;
      rgb.colorTrc = AVCOL_TRC_IEC61966_2_1;
      rgb.colorPrimaries = AVCOL_PRI_BT709;
      replace(frame)(rgb);
    });
  }

  [Symbol.dispose](): void {
    this.#toRgb[Symbol.dispose]();
    this.#toBt709[Symbol.dispose]();
    this.#onBlack?.[Symbol.dispose]();
  }
}

function replace(frame: Frame): (converted: Frame) => void {
  return (converted) => {
    frame.unref();
    frame.ref(converted);
  };
}

/** Cameras that store Adobe RGB note it in Exif data alone. */
function isMarkedAdobeRgb(frame: Frame): boolean {
  const exif = frame.getSideData(AV_FRAME_DATA_EXIF);
  return exif !== null && isAdobeRgb(exif);
}

function isGrey({ format }: Frame): boolean {
  return /^(gray|ya\d)/.test(avGetPixFmtName(format as AVPixelFormat) ?? '');
}

function rgbFilters(frame: Frame): string {
  return `scale=${RGB_FLAGS}:in_color_matrix=${colorMatrix(frame)}:out_range=full,format=${hasAlpha(frame) ? 'rgba' : 'rgb24'}`;
}

/** Through RGB, which clips colors outside the gamut. For the curves see `CURVES`. */
function gamutFilter(frame: Frame, { name }: { readonly name: string }): string {
  const matrix = MATRICES.get(frame.colorSpace) ?? (colorMatrix(frame) === 'bt709' ? '709' : '170m');
  const from = `matrixin=${matrix}:rangein=${isFullRange(frame) ? 'full' : 'limited'}:primariesin=${name}`;
  const light = 'transferin=iec61966-2-1:transfer=iec61966-2-1:primaries=709';
  return `zscale=${from}:${light}:matrix=gbr:range=full,format=gbrp,zscale=matrixin=gbr:matrix=709:range=limited,format=yuv420p`;
}
