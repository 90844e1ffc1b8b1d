/** Upper limits of the hues, in degrees, with each name. */
const HUES = [
  [16, 'red'],
  [42, 'orange'],
  [68, 'yellow'],
  [165, 'green'],
  [195, 'cyan'],
  [258, 'blue'],
  [290, 'purple'],
  [345, 'pink'],
  [361, 'red'],
] as const;
/** HSL saturation times its range of lightness, 0..1, below which a color is grey. */
const MIN_CHROMA = 0.12;
/** HSL lightness below which a color is dark, and above which it is pale. */
const DARK = 0.25;
const PALE = 0.8;
/** Below this lightness, orange and yellow are brown. */
const BROWN = 0.35;

/**
 * Everyday name of a color `#rrggbb`: `red`, `dark blue`, `pale grey`. Without imports from Node: pages use it
 * too.
 */
export function colorName(hex: string): string {
  const [red, green, blue] = [1, 3, 5].map((at) => Number.parseInt(hex.slice(at, at + 2), 16) / 255) as [
    number,
    number,
    number,
  ];
  const [least, most] = [Math.min(red, green, blue), Math.max(red, green, blue)];
  const chroma = most - least;
  const lightness = (most + least) / 2;
  const shade = lightness < DARK ? 'dark ' : lightness > PALE ? 'pale ' : '';
  if (chroma < MIN_CHROMA) return lightness > 0.95 ? 'white' : lightness < 0.05 ? 'black' : `${shade}grey`;
  const sixth =
    most === red
      ? (green - blue) / chroma
      : most === green
        ? (blue - red) / chroma + 2
        : (red - green) / chroma + 4;
  const hue = (60 * sixth + 360) % 360;
  const name = HUES.find(([end]) => hue < end)![1];
  return (name === 'orange' || name === 'yellow') && lightness < BROWN ? 'brown' : `${shade}${name}`;
}
