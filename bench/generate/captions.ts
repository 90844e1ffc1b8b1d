/** Clips with burnt-in captions of many kinds, and as many with text and textures that are no captions. */
import type { MadeTruth, TruthFile } from '../lib/truth.ts';
import { drawMovedTrap, MOVED_TRAPS } from './caption-moved-traps.ts';
import {
  type CaptionClip,
  type DrawnScene,
  filmShots,
  type Size,
  sceneWish,
  viewShots,
} from './caption-scenes.ts';
import { LANGUAGES, type Language } from './caption-texts.ts';
import { CAPTION_TRAPS, drawTrap } from './caption-traps.ts';
import { writeGeneratedClip } from './clip.ts';
import {
  boxOf,
  type Cell,
  drawText,
  type FontName,
  firstWords,
  type Lettering,
  layText,
  type Place,
  type Rgb,
  type TextStyle,
} from './lettering.ts';
import { Random } from './random.ts';

/** Clips of all modes and traps in turn, then subtitles in small thin type and what hands and bodies move. */
const PLAIN_CLIPS = 4;
const CLIPS = PLAIN_CLIPS + 2;
const SUBTITLE_SIZE: Size = { width: 1280, height: 720 };
const SIZES: readonly Size[] = [
  { width: 640, height: 360 },
  { width: 640, height: 360 },
  { width: 360, height: 640 },
  { width: 480, height: 360 },
];
/** Short videos are upright more often than not, and their captions large. */
const SHORT_VIDEO_SIZES: readonly Size[] = [
  { width: 360, height: 640 },
  { width: 480, height: 854 },
  { width: 640, height: 360 },
];
const RATES = [24, 25, 30] as const;
const WHITE: Rgb = [255, 255, 255];
const BLACK: Rgb = [0, 0, 0];
const YELLOW: Rgb = [255, 226, 0];
const COLORS: readonly Rgb[] = [
  [0, 229, 255],
  [124, 255, 60],
  [255, 120, 200],
  [255, 150, 40],
];

const RED: Rgb = [225, 30, 50];
const VIOLET: Rgb = [120, 60, 230];

/** `words`: one to three at a time; `highlight`: lines whose words are lit in turn; `building`: lines whose words appear one by one and stay. */
const CAPTION_MODES = ['sentences', 'words', 'highlight', 'fading', 'building'] as const;
type Mode = (typeof CAPTION_MODES)[number] | 'subtitles';

/** Heavy type, as short videos have it. */
const HEAVY: readonly FontName[] = ['montserrat', 'anton', 'inter', 'gothic'];

/** Half of the clips have captions, the other half traps in turn. */
export async function generateCaptions(folder: string, seed: number, clips = CLIPS): Promise<void> {
  const random = new Random(seed);
  for (let index = 0; index < clips; index++) {
    const rate = random.pick(RATES);
    const clip: CaptionClip = {
      random,
      size: sizeInTurn(random, index, seed),
      rate,
      frameCount: Math.round(random.between(9, 13) * rate),
    };
    const drawn = await drawInTurn(clip, index, seed);
    await writeGeneratedClip(folder, {
      name: `captions-${seed}-${index}-${drawn.kind}`,
      ...clip.size,
      frameRate: { numerator: rate, denominator: 1 },
      frameCount: clip.frameCount,
      frameAt: drawn.frameAt,
      crf: random.whole(19, 28),
      truth: { family: 'captions', ...drawn.truth },
    });
  }
}

async function drawInTurn(clip: CaptionClip, index: number, seed: number): Promise<DrawnScene> {
  if (index === PLAIN_CLIPS) return drawCaptioned(clip, 'subtitles');
  if (index > PLAIN_CLIPS) return drawMovedTrap(clip, MOVED_TRAPS[seed % MOVED_TRAPS.length]);
  return index % 2 === 0
    ? drawCaptioned(clip, modeInTurn(index, seed))
    : drawTrap(clip, CAPTION_TRAPS[turnOf(index, seed) % CAPTION_TRAPS.length]);
}

function turnOf(index: number, seed: number): number {
  return (PLAIN_CLIPS / 2) * seed + (index >> 1);
}

function modeInTurn(index: number, seed: number): (typeof CAPTION_MODES)[number] {
  return CAPTION_MODES[turnOf(index, seed) % CAPTION_MODES.length];
}

function sizeInTurn(random: Random, index: number, seed: number): Size {
  if (index === PLAIN_CLIPS) return SUBTITLE_SIZE;
  const isOfShortVideo = index % 2 === 0 && index < PLAIN_CLIPS && !isPlain(modeInTurn(index, seed));
  return random.pick(isOfShortVideo ? SHORT_VIDEO_SIZES : SIZES);
}

/** Whole sentences in one color, as films and broadcasts have them. */
function isPlain(mode: Mode): boolean {
  return mode === 'sentences' || mode === 'fading' || mode === 'subtitles';
}

interface Cue {
  readonly firstFrame: number;
  /** Exclusive. */
  readonly endFrame: number;
  readonly text: Lettering;
  readonly words: string;
  readonly place: Place;
  /** The words that are lit, in time order; empty: none is emphasized. */
  readonly spoken: readonly Cell[];
}

/** What captions of a clip have in common. */
interface Captioning {
  readonly clip: CaptionClip;
  readonly language: Language;
  readonly style: TextStyle;
  /** In capitals. */
  readonly upper: boolean;
  readonly position: Position;
}

async function drawCaptioned(clip: CaptionClip, mode: Mode): Promise<DrawnScene> {
  const { random, size } = clip;
  const shots = await filmShots(random, { ...clip, ...sceneWish(random) });
  const language = mode === 'subtitles' ? LANGUAGES[0] : random.pick(LANGUAGES);
  const position =
    mode === 'subtitles'
      ? 'bottom'
      : isPlain(mode)
        ? pickPosition(random)
        : random.pick(['middle', 'low', 'bottom'] as const);
  const style = mode === 'subtitles' ? pickSmallStyle(random, size) : pickStyle(random, size, language, mode);
  const upper = random.chance(isPlain(mode) ? 0.25 : 0.6);
  const captioning = { clip, language, style, upper, position };
  const cues =
    mode === 'words'
      ? wordCues(captioning)
      : mode === 'building'
        ? phraseCues(captioning).flatMap((cue) => wordByWord(cue))
        : mode === 'highlight' && (language.isUnspaced || random.chance(0.6))
          ? phraseCues(captioning)
          : sentenceCues(captioning, mode);
  const view = viewShots(shots, size);
  const pop = mode !== 'building' && random.chance(mode === 'words' ? 0.6 : 0.15);
  const lit = pickLit(random, style);
  const frameAt = (frame: number) => {
    const picture = view(frame);
    for (const cue of cues) {
      if (frame < cue.firstFrame || frame >= cue.endFrame) continue;
      layText(picture, cue.text, placeAt(cue, frame, clip.rate, { pop, fade: mode === 'fading', lit }));
    }
    return picture;
  };
  return { kind: `${mode}-${position}`, frameAt, truth: captionTruth(clip, cues, style, position) };
}

interface Lit {
  readonly color: Rgb;
  readonly box: Rgb | null;
}

/** How the spoken word is emphasized: in another color, or on a box. */
function pickLit(random: Random, style: TextStyle): Lit {
  if (style.box === null && random.chance(0.35)) return { color: WHITE, box: random.pick([RED, VIOLET]) };
  const colors = style.color === BLACK ? [RED, VIOLET] : [YELLOW, ...COLORS.slice(0, 2), RED];
  return { color: random.pick(colors.filter((color) => color !== style.color)), box: null };
}

function pickPosition(random: Random) {
  return random.pick(['bottom', 'bottom', 'bottom', 'middle', 'top', 'left'] as const);
}
/** `low` is the lower third of an upright picture, above the player's own buttons. */
type Position = ReturnType<typeof pickPosition> | 'low';

function pickStyle(random: Random, size: Size, language: Language, mode: Mode): TextStyle {
  const large = mode === 'words' || (!isPlain(mode) && random.chance(0.6));
  const side = Math.min(size.width, size.height);
  const heavy = language.fonts.filter((font) => HEAVY.includes(font));
  const base = {
    font: random.pick(large && random.chance(0.8) ? heavy : language.fonts),
    size: Math.round(side * (large ? random.between(0.085, 0.13) : random.between(0.05, 0.075))),
    outline: 0,
    outlineColor: BLACK,
    shadow: 0,
    box: null,
  };
  const outline = Math.max(1, Math.round(base.size * random.between(0.06, 0.12)));
  return random.pick<TextStyle>([
    { ...base, color: WHITE, outline },
    { ...base, color: WHITE, outline },
    { ...base, color: WHITE, shadow: 1 },
    { ...base, color: YELLOW, outline },
    { ...base, color: random.pick(COLORS), outline },
    { ...base, color: WHITE, box: { color: BLACK, opacity: random.between(0.5, 1) } },
    { ...base, color: BLACK, box: { color: random.pick([WHITE, YELLOW]), opacity: 1 } },
    { ...base, color: BLACK, outline, outlineColor: WHITE },
  ]);
}

/** Subtitles as trailers and players show them: small thin type, nearly white, with a shadow or a hairline around it. */
function pickSmallStyle(random: Random, size: Size): TextStyle {
  return {
    font: random.pick(['interLight', 'interRegular'] as const),
    size: Math.round(size.height * random.between(0.03, 0.045)),
    color: random.pick<Rgb>([WHITE, [225, 225, 225]]),
    ...random.pick([
      { outline: 0, shadow: 1 },
      { outline: 1, shadow: 0 },
      { outline: 0, shadow: 0 },
    ]),
    outlineColor: BLACK,
    box: null,
  };
}

function sentenceCues({ clip, language, style, upper, position }: Captioning, mode: Mode): Cue[] {
  const { random, rate, frameCount } = clip;
  const sentences = random.shuffled(language.sentences);
  const gap = random.pick([0, 0.1, 0.6]);
  const cues: Cue[] = [];
  let frame = Math.round(random.between(0, 1.2) * rate);
  for (let index = 0; frame < frameCount - rate; index++) {
    const raw = sentences[index % sentences.length];
    const words = upper ? raw.toUpperCase() : raw;
    const endFrame = Math.min(frameCount, frame + Math.round(random.between(1.2, 3) * rate));
    const fitted = fit(breakLines(words, language.longestLine), style, clip.size, position);
    const spoken = mode === 'highlight' ? fitted.text.words : [];
    cues.push({ firstFrame: frame, endFrame, words, ...fitted, spoken });
    frame = endFrame + Math.round(gap * random.between(0.5, 1.5) * rate);
  }
  return cues;
}

/** A text in parts: words, or a few characters in a script without spaces. */
function wordsSaid(random: Random, language: Language, upper: boolean): string[] {
  const words = random
    .shuffled(language.sentences)
    .flatMap((sentence) => (language.isUnspaced ? (sentence.match(/.{1,4}/gu) ?? []) : sentence.split(' ')));
  return upper ? words.map((word) => word.toUpperCase()) : words;
}

/** Up to three words at a time, each of them for a fifth to half of a second. */
function wordCues({ clip, language, style, upper, position }: Captioning): Cue[] {
  const { random, rate, frameCount } = clip;
  const reported = wordsSaid(random, language, upper);
  const most = random.pick([1, 1, 2, 3]);
  const cues: Cue[] = [];
  let frame = Math.round(random.between(0, 0.8) * rate);
  for (let index = 0; frame < frameCount - 4; ) {
    const count = random.whole(1, most);
    const words = Array.from({ length: count }, () => reported[index++ % reported.length]).join(' ');
    const seconds = count === 1 ? random.between(0.2, 0.6) : count * random.between(0.2, 0.4);
    const endFrame = Math.min(frameCount, frame + Math.round(seconds * rate));
    const fitted = fit([words], style, clip.size, position);
    cues.push({ firstFrame: frame, endFrame, words, ...fitted, spoken: [] });
    frame = endFrame + (random.chance(0.1) ? Math.round(random.between(0.2, 0.7) * rate) : 0);
  }
  return cues;
}

/** A line or two of three to six words, each spoken in .2 to .5 s. */
function phraseCues({ clip, language, style, upper, position }: Captioning): Cue[] {
  const { random, rate, frameCount } = clip;
  const reported = wordsSaid(random, language, upper);
  const longestLine = random.pick([language.longestLine / 2, language.longestLine]);
  const cues: Cue[] = [];
  let frame = Math.round(random.between(0, 0.8) * rate);
  for (let index = 0; frame < frameCount - rate / 2; ) {
    const count = random.whole(3, 6);
    const words = Array.from({ length: count }, () => reported[index++ % reported.length]).join(' ');
    const endFrame = Math.min(frameCount, frame + Math.round(count * random.between(0.2, 0.45) * rate));
    const fitted = fit(breakLines(words, longestLine), style, clip.size, position);
    cues.push({ firstFrame: frame, endFrame, words, ...fitted, spoken: fitted.text.words });
    frame = endFrame + (random.chance(0.2) ? Math.round(random.between(0.1, 0.6) * rate) : 0);
  }
  return cues;
}

/** Divides a cue into one for each added word. */
function wordByWord(cue: Cue): Cue[] {
  const { firstFrame, endFrame, text } = cue;
  const frameOf = (word: number) =>
    firstFrame + Math.round((word / text.words.length) * (endFrame - firstFrame));
  return text.words.map((_, word) => ({
    ...cue,
    firstFrame: frameOf(word),
    endFrame: frameOf(word + 1),
    text: firstWords(text, word + 1),
    spoken: [],
  }));
}

/** Smaller type where the lines would not fit; then their place. */
function fit(
  lines: readonly string[],
  style: TextStyle,
  size: Size,
  position: Position,
): { text: Lettering; place: Place } {
  const align = position === 'left' ? 'left' : 'centre';
  let text = drawText(lines, style, align);
  const wide = (text.bounds.right - text.bounds.left) / (0.88 * size.width);
  if (wide > 1) text = drawText(lines, { ...style, size: Math.floor(style.size / wide) }, align);
  const { left, right, bottom } = text.bounds;
  const x = position === 'left' ? 0.06 * size.width - left : (size.width - left - right) / 2;
  const lowest = { bottom: 0.93, low: 0.77, left: 0.9, middle: 0.56, top: 0.2 }[position] * size.height;
  return { text, place: { x: Math.round(x), y: Math.round(lowest - bottom) } };
}

function breakLines(words: string, longest: number): string[] {
  if (words.length <= longest) return [words];
  const lines = [''];
  const target = words.length / Math.ceil(words.length / longest);
  for (const word of words.split(' ')) {
    const line = lines.at(-1)!;
    if (line === '') lines[lines.length - 1] = word;
    else if (line.length + word.length / 2 > target) lines.push(word);
    else lines[lines.length - 1] = `${line} ${word}`;
  }
  return lines;
}

function placeAt(
  cue: Cue,
  frame: number,
  rate: number,
  look: { readonly pop: boolean; readonly fade: boolean; readonly lit: Lit },
): Place {
  const seconds = (frame - cue.firstFrame) / rate;
  const left = (cue.endFrame - frame) / rate;
  const scale = look.pop ? Math.min(1, 0.6 + 4 * seconds) : 1;
  const middle = (cue.text.bounds.left + cue.text.bounds.right) / 2;
  const foot = cue.text.bounds.bottom;
  const place = {
    x: cue.place.x + (1 - scale) * middle,
    y: cue.place.y + (1 - scale) * foot,
    scale,
    opacity: look.fade ? Math.min(1, (seconds + 1 / rate) / 0.3, left / 0.3) : 1,
  };
  const { spoken } = cue;
  if (spoken.length === 0) return place;
  const word = Math.floor(((frame - cue.firstFrame) / (cue.endFrame - cue.firstFrame)) * spoken.length);
  return { ...place, highlight: { word: spoken[word], ...look.lit } };
}

function captionTruth(
  clip: CaptionClip,
  cues: readonly Cue[],
  style: TextStyle,
  position: Position,
): Omit<TruthFile, 'file'> {
  const { size, rate } = clip;
  const spans: NonNullable<MadeTruth['caption_spans']> = cues.map((cue) => ({
    start_s: cue.firstFrame / rate,
    end_s: cue.endFrame / rate,
    text: cue.words,
    font: style.font,
    box: boxOf(cue.text, cue.place, size),
  }));
  const sizes = cues.map(({ text }) => text.style.size).sort((a, b) => a - b);
  return {
    captions: true,
    caption_spans: spans,
    caption_style: {
      position: position === 'left' || position === 'low' ? 'bottom' : position,
      line_height: sizes[sizes.length >> 1] / size.height,
      color: `#${style.color.map((level) => level.toString(16).padStart(2, '0')).join('')}`,
      outlined: style.outline > 0,
    },
  };
}
