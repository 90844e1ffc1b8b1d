/** Profiles of each kind, with the sRGB of some colors by littleCMS 2.14 (relative colorimetric, to its built-in sRGB). */
import { gamma, parametric, profileOf, SRGB_CURVE, table } from './color-profile.ts';

type Rgb = readonly [number, number, number];

/** Stored colors: red, skin, green, blue, grey. */
export const STRIPES: readonly Rgb[] = [
  [217, 30, 28],
  [200, 140, 110],
  [90, 170, 90],
  [80, 90, 190],
  [128, 128, 128],
];

export interface KnownProfile {
  readonly profile: Buffer;
  /** Of the stripes. */
  readonly srgb: readonly Rgb[];
}

const P3: readonly Rgb[] = [
  [0.51512, 0.2412, -0.00105],
  [0.29198, 0.69225, 0.04189],
  [0.1571, 0.06657, 0.78407],
];
const ADOBE: readonly Rgb[] = [
  [0.60974, 0.31111, 0.01947],
  [0.20528, 0.62567, 0.06087],
  [0.14919, 0.06322, 0.74457],
];
const PROPHOTO: readonly Rgb[] = [
  [0.7977, 0.28805, 0],
  [0.1352, 0.7119, 0],
  [0.0313, 0.00009, 0.8249],
];
/** CIE lightness as a curve, as in profiles for print. */
const lightness = (level: number) =>
  100 * level > 8 ? ((100 * level + 16) / 116) ** 3 : (100 * level * 27) / 24389;

function rgbProfile(name: string, colorants: readonly Rgb[], curve: Buffer): Buffer {
  return profileOf({ name, space: 'RGB ', colorants, tags: { rTRC: curve, gTRC: curve, bTRC: curve } });
}

export const PROFILES: Readonly<Record<string, KnownProfile>> = {
  'Display P3': {
    profile: rgbProfile('Display P3', P3, SRGB_CURVE),
    srgb: [
      [237, 0, 0],
      [211, 137, 104],
      [52, 172, 79],
      [78, 90, 197],
      [128, 128, 128],
    ],
  },
  'Adobe RGB': {
    profile: rgbProfile('Adobe RGB (1998)', ADOBE, gamma(2.19921875)),
    srgb: [
      [252, 24, 21],
      [220, 141, 109],
      [0, 172, 84],
      [74, 90, 194],
      [129, 129, 129],
    ],
  },
  'ProPhoto RGB': {
    profile: rgbProfile('ProPhoto RGB', PROPHOTO, gamma(1.8)),
    srgb: [
      [255, 0, 29],
      [255, 142, 123],
      [0, 197, 90],
      [0, 111, 212],
      [146, 146, 146],
    ],
  },
  'P3 with a table': {
    profile: rgbProfile('P3 L*', P3, table(1024, lightness)),
    srgb: [
      [232, 0, 0],
      [205, 128, 96],
      [43, 164, 72],
      [72, 83, 190],
      [119, 119, 119],
    ],
  },
  'P3 with a power from a limit on': {
    profile: rgbProfile('P3 2.2', P3, parametric(4, [2.2, 0.95, 0.05, 0.2, 0.05, -0.001, 0])),
    srgb: [
      [240, 0, 5],
      [214, 144, 112],
      [64, 178, 88],
      [85, 98, 201],
      [135, 135, 135],
    ],
  },
};

/** Of the levels 30, 90, 150, 220 and 128. Of grey: the curve of an ink that spreads. */
export const GREY_PROFILE: KnownProfile = {
  profile: profileOf({
    name: 'Dot Gain',
    space: 'GRAY',
    tags: { kTRC: table(256, (level) => level ** 1.75) },
  }),
  srgb: [
    [42, 42, 42],
    [112, 112, 112],
    [169, 169, 169],
    [228, 228, 228],
    [149, 149, 149],
  ],
};

export const SRGB_PROFILE = rgbProfile(
  'sRGB',
  [
    [0.43607, 0.22249, 0.01392],
    [0.38515, 0.71687, 0.09708],
    [0.14307, 0.06061, 0.7141],
  ],
  SRGB_CURVE,
);
