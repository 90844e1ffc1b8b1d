import { dirname } from 'node:path';
import type { CaptionFace } from '../../style/model/caption-face.ts';
import type { CaptionCue, CaptionLook } from '../../style/model/timeline.ts';
import { captionFontPath, faceMetrics } from './caption-fonts.ts';
import { backColor, directionOf, outlinePixels, SHADOW_OPACITY, shadowPixels } from './caption-geometry.ts';

interface Drawing {
  readonly cue: CaptionCue;
  readonly look: CaptionLook;
  /** Of the whole picture. */
  readonly width: number;
  readonly height: number;
  /** Row of the picture at which the drawing begins. */
  readonly top: number;
}

/**
 * Options of FFmpeg's `subtitles` filter, which draws with libass: `drawtext` neither reorders nor joins letters of most scripts. The
 * font is searched by its family in its own folder. The planner passes only texts whose letters the font has.
 */
export function shapedOptions(drawing: Drawing, family: string): Record<string, string> {
  const script = Buffer.from(scriptOf(drawing, family)).toString('base64');
  return {
    filename: `data:text/plain;base64,${script}`,
    fontsdir: dirname(captionFontPath(drawing.cue.face) ?? ''),
    alpha: '1',
  };
}

/** An Advanced SubStation script with one event for each line. */
function scriptOf({ cue, look, width, height, top }: Drawing, family: string): string {
  const { sizePixels, pitchPixels, ground, color } = look;
  const edge = backColor(color);
  const { ascentEm, fontSizeEm } = lineOf(cue.face);
  const x = cue.centerX ?? width / 2;
  const outline = ground === 'outline' ? outlinePixels(sizePixels) : 0;
  const shadow = ground === 'shadow' ? shadowPixels(sizePixels) : 0;
  const style = [
    ...['Caption', family, fontSizeEm * sizePixels],
    ...[scriptColor(color), scriptColor(color)],
    ...[scriptColor(edge === 'black' ? '#000000' : '#ffffff'), shadowColor(edge)],
    // No bold, italic, underline, strike-out; scale 100 %; no spacing, no angle; outline and shadow; centered at the top.
    ...[0, 0, 0, 0, 100, 100, 0, 0, 1, outline, shadow, 8, 0, 0, 0],
    // The direction of the text, as found in it.
    -1,
  ];
  const direction = directionOf(cue.lines.join(' '));
  const events = cue.lines.map((line, index) => {
    const y = cue.baselineY + index * pitchPixels - top - ascentEm * sizePixels;
    return `Dialogue: 0,0:00:00.00,1:00:00.00,Caption,,0,0,0,,{\\pos(${x},${y})}${scriptText(line, direction)}`;
  });
  return `[Script Info]
ScriptType: v4.00+
PlayResX: ${width}
PlayResY: ${height}
ScaledBorderAndShadow: yes
YCbCr Matrix: None
WrapStyle: 2

[V4+ Styles]
Format: Name, Fontname, Fontsize, PrimaryColour, SecondaryColour, OutlineColour, BackColour, Bold, Italic, Underline, StrikeOut, ScaleX, ScaleY, Spacing, Angle, BorderStyle, Outline, Shadow, Alignment, MarginL, MarginR, MarginV, Encoding
Style: ${style.join(',')}

[Events]
Format: Layer, Start, End, Style, Name, MarginL, MarginR, MarginV, Effect, Text
${events.join('\n')}
`;
}

/** libass sets ascent plus descent, not the em, to the size of the font. */
function lineOf(face: CaptionFace): { readonly ascentEm: number; readonly fontSizeEm: number } {
  const { ascentEm, descentEm } = faceMetrics(face);
  return { ascentEm, fontSizeEm: ascentEm + descentEm };
}

/** `#rrggbb` as `&HAABBGGRR`, opaque. */
function scriptColor(color: string): string {
  return `&H00${color.slice(5, 7)}${color.slice(3, 5)}${color.slice(1, 3)}`.toUpperCase();
}

/** The first byte is the transparency. */
function shadowColor(edge: 'black' | 'white'): string {
  const transparency = Math.round(255 * (1 - SHADOW_OPACITY));
  return `&H${transparency.toString(16)}${(edge === 'black' ? '00' : 'ff').repeat(3)}`.toUpperCase();
}

const MARKS = { ltr: '\u200e', rtl: '\u200f' } as const;
const WORD_JOINER = '\u2060';
/** A bracket without another one inside. */
const BRACKETS = /[([{][^()[\]{}]*[)\]}]/gu;

/** A line of the script: in the direction of the whole caption, and without overrides. */
function scriptText(line: string, direction: 'ltr' | 'rtl'): string {
  const marked = MARKS[direction] + withBrackets(line, direction);
  return marked.replaceAll('\\', `\\${WORD_JOINER}`).replaceAll(/[{}]/g, '\\$&');
}

/**
 * Rule N0 of Unicode Standard Annex 9, which libass lacks: the direction of a pair of brackets, set by marks on both sides of each.
 */
function withBrackets(line: string, direction: 'ltr' | 'rtl'): string {
  return line.replace(BRACKETS, (pair, at: number) => {
    const before = line.slice(0, at).match(/\p{L}/gu)?.at(-1);
    const context = before === undefined ? direction : directionOf(before);
    const inside = (pair.match(/[\p{L}\p{Nd}]/gu) ?? []).map((one) =>
      /\p{L}/u.test(one) ? directionOf(one) : context,
    );
    if (inside.length === 0) return pair;
    const mark = MARKS[inside.includes(direction) ? direction : context];
    return mark + pair[0] + mark + pair.slice(1, -1) + mark + pair.at(-1) + mark;
  });
}
